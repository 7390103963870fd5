"""Iframes of one's own origin and of other sites, and what is done to them."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page
from tests.support.servers.sites import Response

READY = "parent.postMessage('ready', '*')"
COUNTING = page("let asked = 0; addEventListener('message', () => parent.postMessage(++asked, '*'))")
SIZE = page("""
const report = () => innerWidth && parent.postMessage([innerWidth, innerHeight], '*');
const asking = setInterval(report, 100);  // in a tab that is not drawn the first size comes without an event
addEventListener('resize', () => { clearInterval(asking); report(); });
""")
MOVER = page("""
parent.postMessage([location.hostname === '127.0.0.1', name], '*');
addEventListener('message', ({data}) => location.href = data);
""")

FEATURES = (
    Feature(
        "frame_of_the_same_origin",
        """
        const inner = await frame({src: 'frame.html', name: 'inner'});
        same([inner.contentDocument.title, frames.inner.location.search, length], ['inner', '', 1]);
        """,
        files={"frame.html": page(title="inner")},
    ),
    Feature(
        "frame_of_another_site",
        """
        const inner = await frame({src: elsewhere('frame.html'), name: 'inner'});
        same([inner.contentDocument, await refusal(() => frames[0].document), length], [null, 'SecurityError', 1]);
        """,
        files={"frame.html": page(title="inner")},
    ),
    Feature(
        "frames_nested_across_sites",
        """
        const heard = messages(window, 3);
        attach({src: elsewhere('nested.html?3')});
        same((await heard).sort(), ['1 127.0.0.1', '2 localhost', '3 127.0.0.1']);
        """,
        files={
            "nested.html": page("""
            const depth = Number(location.search.slice(1)), isElsewhere = location.hostname === '127.0.0.1';
            top.postMessage(depth + (isElsewhere ? ' 127.0.0.1' : ' localhost'), '*');
            if (depth > 1) attach({src: urlAt(isElsewhere ? 'localhost' : '127.0.0.1', 'nested.html?' + (depth - 1))});
            """),
        },
    ),
    Feature(
        "frames_many_across_sites",
        """
        const heard = messages(window, 6);
        for (let number = 0; number < 6; number++) attach({src: (number % 2 ? here : elsewhere)('frame.html')});
        same(await heard, Array(6).fill('ready'));
        """,
        files={"frame.html": page(READY)},
    ),
    Feature(
        "frame_of_srcdoc",
        """
        const inner = await frame({srcdoc: '<title>inner</title>'});
        same([inner.contentDocument.title, inner.contentWindow.location.href], ['inner', 'about:srcdoc']);
        same(inner.contentDocument.baseURI, document.baseURI);
        """,
    ),
    Feature(
        "frame_that_is_blank_and_written_to",
        """
        const inner = attach({});
        inner.contentDocument.open();
        inner.contentDocument.write('<title>written</title>');
        inner.contentDocument.close();
        same(inner.contentDocument.title, 'written');
        """,
    ),
    Feature(
        "frame_of_a_data_url",
        """
        const script = 'parent.postMessage(origin, "*")';
        same(await wordOfFrame({src: `data:text/html,<script>${script}<` + '/script>'}), 'null');
        """,
    ),
    Feature(
        "frame_of_a_blob_url",
        """
        const source = new Blob(['<script>parent.postMessage(origin)<' + '/script>'], {type: 'text/html'});
        same(await wordOfFrame({src: URL.createObjectURL(source)}), location.origin);
        """,
    ),
    Feature(
        "frame_of_a_script_url",
        "same((await frame({src: \"javascript:'<title>scripted</title>'\"})).contentDocument.title, 'scripted')",
    ),
    Feature(
        "sandbox_without_scripts",
        """
        const inner = await frame({src: 'frame.html', sandbox: 'allow-same-origin'});
        same(inner.contentDocument.title, '');
        """,
        files={"frame.html": "<script>document.title = 'ran'</script>"},
    ),
    Feature(
        "sandbox_of_an_opaque_origin",
        """
        const [origin, storage, scripts] = await wordOfFrame({src: 'frame.html', sandbox: 'allow-scripts'});
        same([origin, storage, scripts], ['null', 'SecurityError', true]);
        """,
        files={"frame.html": page("parent.postMessage([origin, await refusal(() => localStorage), true], '*')")},
    ),
    Feature(
        "sandbox_of_srcdoc",
        """
        const srcdoc = '<script>parent.postMessage(origin, "*")<' + '/script>';
        same(await wordOfFrame({srcdoc, sandbox: 'allow-scripts'}), 'null');
        """,
    ),
    Feature(
        "sandbox_without_popups_and_forms",
        "same(await wordOfFrame({src: 'frame.html', sandbox: 'allow-scripts'}), [null, 'SecurityError'])",
        files={
            "frame.html": page("""
            const popup = open('frame.html');
            parent.postMessage([popup, await refusal(() => top.location = 'about:blank')], '*');
            """),
        },
    ),
    Feature(
        "sandbox_of_a_header",
        "same(await wordOfFrame({src: 'frame.html'}), 'null')",
        files={
            "frame.html": Response(
                page("parent.postMessage(origin, '*')"), headers={"Content-Security-Policy": "sandbox allow-scripts"}
            )
        },
    ),
    Feature(
        "frame_moves_between_sites",
        """
        const inner = attach({src: here('frame.html'), name: 'inner'}), seen = [await from(inner.contentWindow)];
        for (const url of [elsewhere('frame.html'), elsewhere('frame.html?2'), here('frame.html')]) {
          inner.contentWindow.postMessage(url, '*');
          seen.push(await from(inner.contentWindow));
        }
        same(seen, [[false, 'inner'], [true, 'inner'], [true, 'inner'], [false, 'inner']]);
        """,
        files={"frame.html": MOVER},
    ),
    Feature(
        "frame_is_moved_by_its_parent",
        """
        const inner = await frame({src: elsewhere('frame.html')});
        for (const url of [here('frame.html'), elsewhere('frame.html')]) {
          await once(inner, 'load', () => inner.src = url);
        }
        same([inner.contentDocument, length], [null, 1]);
        """,
        files={"frame.html": page()},
    ),
    Feature(
        "frame_is_removed",
        """
        const inner = attach({src: elsewhere('frame.html')});
        same(await from(inner.contentWindow), 'ready');
        const window = inner.contentWindow;
        inner.remove();
        same([window.closed, length, inner.contentWindow], [true, 0, null]);
        """,
        files={"frame.html": page(READY)},
    ),
    Feature(
        "frame_removed_while_it_loads",
        """
        const inner = attach({src: elsewhere('frame.html')});
        await requested('frame.html');
        inner.remove();
        same([length, await wordOfFrame({src: elsewhere('frame.html')})], [0, 'ready']);
        """,
        files={"frame.html": page(READY)},
    ),
    Feature(
        "frames_added_and_removed_quickly",
        """
        for (let number = 0; number < 10; number++) attach({src: elsewhere('frame.html?' + number)}).remove();
        same([length, await wordOfFrame({src: elsewhere('frame.html')})], [0, 'ready']);
        """,
        files={"frame.html": page(READY)},
    ),
    Feature(
        "frame_is_put_elsewhere_in_the_tree",
        """
        const inner = await frame({src: elsewhere('frame.html')});
        inner.contentWindow.postMessage('', '*');
        same(await from(inner.contentWindow), 1);
        await once(inner, 'load', () => element('div').append(inner));
        inner.contentWindow.postMessage('', '*');
        same(await from(inner.contentWindow), 1);
        """,
        files={"frame.html": COUNTING},
    ),
    Feature(
        "frame_keeps_its_state_when_it_is_moved",
        """
        need(Element.prototype.moveBefore, 'moveBefore');
        const inner = await frame({src: elsewhere('frame.html')});
        inner.contentWindow.postMessage('', '*');
        same(await from(inner.contentWindow), 1);
        element('div').moveBefore(inner, null);
        inner.contentWindow.postMessage('', '*');
        same(await from(inner.contentWindow), 2);
        """,
        files={"frame.html": COUNTING},
    ),
    Feature(
        "frame_size_and_its_change",
        """
        const seen = [];
        addEventListener('message', ({data}) => seen.push(data.join('x')));
        const inner = attach({src: elsewhere('frame.html'), width: 200, height: 100, style: 'border: 0'});
        await until(() => seen.includes('200x100'));
        inner.width = 250;
        await until(() => seen.includes('250x100'));
        """,
        files={"frame.html": SIZE},
    ),
    Feature(
        "frame_loads_lazily",
        """
        const inner = attach({src: 'frame.html', loading: 'lazy'});
        await nextFrame();
        same((await requests('frame.html')).length, 0);
        await once(inner, 'load', () => inner.scrollIntoView());
        same(inner.contentDocument.title, 'inner');
        """,
        html='<div style="height: 20000px"></div>',
        files={"frame.html": page(title="inner")},
    ),
    Feature(
        "frame_animation_frames_and_observers",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'visible')",
        files={
            "frame.html": page("""
            await nextFrame();
            await wait('an intersection', new Promise(resolve =>
              new IntersectionObserver(entries => entries.at(-1).isIntersecting && resolve()).observe(document.body)));
            parent.postMessage(document.visibilityState, '*');
            """),
        },
    ),
    Feature(
        "frame_out_of_sight_has_no_frames",
        """
        same(await wordOfFrame({src: elsewhere('frame.html'), style: 'position: absolute; top: 9000px'}), 'not seen');
        """,
        files={
            "frame.html": page("""
            const [entry] = await wait('an intersection', new Promise(resolve =>
              new IntersectionObserver(resolve).observe(document.body)));
            parent.postMessage(entry.isIntersecting ? 'seen' : 'not seen', '*');
            """),
        },
    ),
    Feature(
        "frame_timers",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'in time')",
        files={
            "frame.html": page("""
            const began = performance.now();
            for (let number = 0; number < 5; number++) await sleep(5);
            parent.postMessage(tempo((performance.now() - began) / 5), '*');
            """),
        },
    ),
    Feature(
        "frame_focus",
        """
        const inner = await frame({src: elsewhere('frame.html')});
        await until(() => document.hasFocus());
        inner.focus();
        same([await from(inner.contentWindow), document.activeElement === inner], ['focus', true]);
        window.focus();
        same(await from(inner.contentWindow), 'blur');
        """,
        files={
            "frame.html": page(
                "for (const type of ['focus', 'blur']) addEventListener(type, () => parent.postMessage(type, '*'))"
            ),
        },
    ),
    Feature(
        "frame_refused_by_its_server",
        """
        for (const file of ['denied.html', 'policy.html'])
          same((await frame({src: elsewhere(file)})).contentDocument, null);
        same(length, 2);
        """,
        files={
            "denied.html": Response(page(READY), headers={"X-Frame-Options": "DENY"}),
            "policy.html": Response(page(READY), headers={"Content-Security-Policy": "frame-ancestors 'none'"}),
        },
    ),
    Feature(
        "frame_that_is_not_there",
        "const inner = await frame({src: 'http://127.0.0.1:1/'}); same([inner.contentDocument, length], [null, 1])",
    ),
    Feature(
        "frame_credentialless",
        """
        need('credentialless' in HTMLIFrameElement.prototype, 'credentialless iframes');
        same(await wordOfFrame({src: 'frame.html', credentialless: ''}), true);
        """,
        files={"frame.html": page("parent.postMessage(window.credentialless)")},
    ),
    Feature(
        "object_and_embed",
        """
        const load = (name, attribute) => {
          const part = document.createElement(name);
          part[attribute] = elsewhere('frame.html');
          document.body.append(part);
          return wait(name, message());
        };
        same([await load('object', 'data'), await load('embed', 'src')], ['ready', 'ready']);
        """,
        files={"frame.html": page(READY)},
    ),
    Feature(
        "document_domain",
        """
        const heard = message();
        const inner = attach({src: sibling('frame.html')});
        await heard;
        document.domain = location.hostname;
        same(inner.contentDocument.title, 'inner');
        """,
        headers={"Origin-Agent-Cluster": "?0"},
        files={
            "frame.html": Response(
                page(
                    "document.domain = location.hostname.replace('sibling.', ''); parent.postMessage('', '*')",
                    title="inner",
                ),
                headers={"Origin-Agent-Cluster": "?0"},
            )
        },
    ),
    Feature("origin_agent_cluster", "tell([originAgentCluster, isSecureContext, crossOriginIsolated])"),
    Feature(
        "frame_goes_to_the_top",
        """
        if (step) return same(document.referrer, 'http://127.0.0.1:' + location.port + '/');
        await loaded();
        attach({src: elsewhere('frame.html?') + encodeURIComponent(here('?step=1')),
                sandbox: 'allow-scripts allow-same-origin allow-top-navigation'});
        await wait('the navigation of the top', never);
        """,
        files={"frame.html": page("top.location = decodeURIComponent(location.search.slice(1))")},
    ),
)
