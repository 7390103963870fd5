"""Documents of every type and encoding, and how they come in."""

from __future__ import annotations

from evals.web_platform.feature import Feature, Held, page
from tests.support.servers.sites import Response

SPOKEN = """<script>
parent.postMessage([document.characterSet, document.body.textContent.trim()[0], document.compatMode]);
</script>"""


def html(content_type: str, body: str | bytes) -> Response:
    return Response(body, headers={"Content-Type": content_type})


FEATURES = (
    Feature(
        "charset_of_a_header",
        "same(await wordOfFrame({src: 'frame.html'}), ['windows-1251', 'Ж', 'BackCompat'])",
        files={"frame.html": html("text/html; charset=windows-1251", f"Ж {SPOKEN}".encode("windows-1251"))},
    ),
    Feature(
        "charset_of_a_meta_element",
        "same(await wordOfFrame({src: 'frame.html'}), ['Shift_JIS', '日', 'CSS1Compat'])",
        files={
            "frame.html": html("text/html", f"<!doctype html><meta charset=shift_jis>日 {SPOKEN}".encode("shift_jis"))
        },
    ),
    Feature(
        "charset_of_a_byte_order_mark",
        "same(await wordOfFrame({src: 'frame.html'}), ['UTF-16LE', 'Ж', 'BackCompat'])",
        files={"frame.html": html("text/html", f"Ж {SPOKEN}".encode("utf-16"))},
    ),
    Feature(
        "document_of_xml",
        "same(await wordOfFrame({src: 'frame.xhtml'}), 'application/xhtml+xml')",
        files={
            "frame.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>xml</title></head><body>'
            "<script>parent.postMessage(document.contentType)</script></body></html>",
        },
    ),
    Feature(
        "document_of_svg",
        "same(await wordOfFrame({src: 'frame.svg'}), 'image/svg+xml')",
        files={
            "frame.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.postMessage(document.contentType)</script></svg>'
        },
    ),
    Feature(
        "document_of_text_json_and_an_image",
        """
        const types = [];
        for (const src of ['file.txt', 'file.json', 'image.svg'])
          types.push((await frame({src})).contentDocument.contentType);
        same(types, ['text/plain', 'application/json', 'image/svg+xml']);
        """,
        files={"file.txt": "text", "file.json": "{}", "image.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>'},
    ),
    Feature(
        "document_that_comes_in_pieces",
        """
        const inner = attach({src: 'held.html'});
        await until(() => inner.contentDocument?.getElementById('first'));
        same(inner.contentDocument.readyState, 'loading');
        await once(inner, 'load', more);
        same([inner.contentDocument.querySelectorAll('p').length, inner.contentWindow.early], [2, 1]);
        """,
        files={
            "held.html": Held(
                ("<!doctype html><body><p id=first>first</p><script>window.early = 1</script>", "<p>second</p>"),
                "text/html; charset=utf-8",
            )
        },
    ),
    Feature(
        "document_that_is_large",
        "same((await frame({src: 'large.html'})).contentDocument.querySelectorAll('p').length, 5000)",
        files={"large.html": "<!doctype html>" + "<p>paragraph with some text" * 5000},
    ),
    Feature(
        "document_open_and_write",
        """
        const inner = await frame({srcdoc: '<p>old</p>'}), document = inner.contentDocument;
        document.open();
        document.write('<script>parent.postMessage("written")<' + '/script><p>new</p>');
        same(await wait('the script', message()), 'written');
        document.close();
        same(document.body.textContent, 'new');
        """,
    ),
    Feature(
        "document_base_url",
        """
        same([document.links[0].href, await text('content.txt')], [here('folder/link'), 'inner']);
        """,
        html='<base href="folder/"><a href="link">Link</a>',
        files={"folder/content.txt": "inner"},
    ),
    Feature(
        "document_parsed_and_serialized",
        """
        const parsed = new DOMParser().parseFromString('<root><a/></root>', 'text/xml');
        same(new XMLSerializer().serializeToString(parsed), '<root><a/></root>');
        same(document.evaluate('count(//p)', document, null, XPathResult.NUMBER_TYPE).numberValue, 2);
        same(document.querySelector('noscript').textContent, 'no script');
        """,
        html="<p></p><p></p><noscript>no script</noscript>",
    ),
    Feature(
        "document_titles_and_states",
        """
        document.title = '  new   title ';
        same([document.title, document.readyState !== 'loading' || document.readyState, document.URL === location.href],
             ['new title', 'loading', true]);
        """,
    ),
    Feature(
        "images",
        """
        const picture = element('img');
        await once(picture, 'load', () => picture.src = 'image.svg');
        await picture.decode();
        const broken = element('img');
        await once(broken, 'error', () => broken.src = 'missing.png');
        same([picture.naturalWidth, picture.complete, broken.naturalWidth], [7, true, 0]);
        """,
        files={"image.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'},
    ),
    Feature(
        "images_that_load_lazily",
        """
        const picture = element('img', {loading: 'lazy', src: 'image.svg'});
        await nextFrame();
        same((await requests('image.svg')).length, 0);
        await once(picture, 'load', () => picture.scrollIntoView());
        """,
        html='<div style="height: 20000px"></div>',
        files={"image.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'},
    ),
    Feature(
        "images_of_a_choice",
        """
        const picture = document.querySelector('img');
        if (!picture.complete) await once(picture, 'load');
        same(picture.currentSrc.split('/').at(-1), 'wide.svg');
        """,
        html='<picture><source media="(min-width: 1px)" srcset="wide.svg"><img src="narrow.svg"></picture>',
        files={"wide.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'},
    ),
    Feature(
        "style_sheets",
        """
        const link = element('link', {rel: 'stylesheet', href: 'style.css'});
        await once(link, 'load');
        same([getComputedStyle(document.body).color, link.sheet.cssRules.length], ['rgb(255, 0, 0)', 1]);
        await once(element('link', {rel: 'stylesheet', href: 'missing.css'}), 'error');
        """,
        files={"style.css": "body { color: red }"},
    ),
    Feature(
        "link_preload",
        """
        await once(element('link', {rel: 'preload', as: 'fetch', crossOrigin: '', href: 'content.txt'}), 'load');
        await text('content.txt');
        same((await requests('content.txt')).length, 1);
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "link_prefetch",
        """
        element('link', {rel: 'prefetch', href: 'next.html'}, document.head);
        const {headers} = await requested('next.html');
        tell([headers['sec-purpose'] ?? null, headers.purpose ?? null]);
        """,
        files={"next.html": page()},
    ),
    Feature(
        "fonts",
        """
        const font = new FontFace('Own', 'url(missing.woff2)');
        document.fonts.add(font);
        same([await refusal(font.load()), font.status], ['NetworkError', 'error']);
        await wait('the fonts', document.fonts.ready);
        """,
    ),
)
