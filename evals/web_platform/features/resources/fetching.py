"""Requests of scripts: fetch in every mode, XMLHttpRequest, beacons."""

from __future__ import annotations

from evals.web_platform.feature import Feature, Held, page
from tests.support.servers.sites import Response

FEATURES = (
    Feature("fetch_get", "same(await text('content.txt'), 'content')", files={"content.txt": "content"}),
    Feature(
        "fetch_post_json",
        """
        const seen = await json('echo', {
          method: 'POST', headers: {'Content-Type': 'application/json', 'X-Custom': 'custom'}, body: '{"a": 1}',
        });
        same([seen.method, seen.body, seen.headers['x-custom'], seen.headers['content-type']],
             ['POST', '{"a": 1}', 'custom', 'application/json']);
        """,
    ),
    Feature(
        "fetch_request_headers",
        """
        const {headers} = await json('echo');
        tell(JSON.parse(JSON.stringify(headers).replaceAll(':' + location.port, ':PORT')));
        """,
    ),
    Feature(
        "fetch_form_data",
        """
        const data = new FormData();
        data.append('name', 'value');
        data.append('file', new File(['content'], 'file.txt', {type: 'text/plain'}));
        const {body, headers} = await json('echo', {method: 'POST', body: data});
        same(headers['content-type'].split(';')[0], 'multipart/form-data');
        same(['name="name"', 'filename="file.txt"', 'content'].map(part => body.includes(part)), [true, true, true]);
        """,
    ),
    Feature(
        "fetch_url_encoded",
        """
        const {body, headers} = await json('echo', {method: 'POST', body: new URLSearchParams({a: '1', b: 'ä &'})});
        same([body, headers['content-type']],
             ['a=1&b=%C3%A4+%26', 'application/x-www-form-urlencoded;charset=UTF-8']);
        """,
    ),
    Feature(
        "fetch_no_cors",
        """
        const reply = await fetch(elsewhere('content.txt'), {mode: 'no-cors'});
        same([reply.type, reply.status, await reply.text()], ['opaque', 0, '']);
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "fetch_cors",
        """
        const reply = await fetch(elsewhere('echo?cors'));
        same([reply.type, reply.headers.get('X-Exposed')], ['cors', 'exposed']);
        same((await reply.json()).headers.origin, location.origin);
        """,
    ),
    Feature(
        "fetch_cors_refused",
        """
        same(await refusal(fetch(elsewhere('content.txt'))), 'TypeError');
        same(await refusal(fetch(elsewhere('content.txt'), {mode: 'same-origin'})), 'TypeError');
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "fetch_cors_preflight",
        """
        await json(elsewhere('echo?cors'), {method: 'PUT', headers: {'X-Custom': 'custom'}});
        same((await requests('echo')).map(request => request.method), ['OPTIONS', 'PUT']);
        """,
    ),
    Feature(
        "fetch_cors_preflight_refused",
        """
        same(await refusal(fetch(elsewhere('echo'), {method: 'PUT'})), 'TypeError');
        same((await requests('echo')).map(request => request.method), ['OPTIONS']);
        """,
    ),
    Feature(
        "fetch_credentials",
        """
        document.cookie = 'own=1';
        const cookies = [];
        for (const credentials of ['omit', 'same-origin', 'include'])
          cookies.push((await json('echo', {credentials})).headers.cookie ?? null);
        same(cookies, [null, 'own=1', 'own=1']);
        """,
    ),
    Feature(
        "fetch_credentials_of_a_sibling_origin",
        """
        document.cookie = `shared=1; domain=${location.hostname}`;
        const cookies = [];
        for (const credentials of ['omit', 'same-origin', 'include'])
          cookies.push((await json(sibling('echo?cors'), {credentials})).headers.cookie ?? null);
        same(cookies, [null, null, 'shared=1']);
        """,
    ),
    Feature(
        "fetch_redirects",
        """
        const followed = await fetch('moved');
        same([await followed.text(), followed.redirected, new URL(followed.url).pathname.split('/').at(-1)],
             ['content', true, 'content.txt']);
        same(await refusal(fetch('moved', {redirect: 'error'})), 'TypeError');
        same((await fetch('moved', {redirect: 'manual'})).type, 'opaqueredirect');
        """,
        files={"moved": Response(status=302, headers={"Location": "content.txt"}), "content.txt": "content"},
    ),
    Feature(
        "fetch_redirects_keep_or_drop_the_body",
        """
        const seen = [];
        for (const status of [301, 303, 307, 308]) {
          const {method, body} = await json(`moved-${status}`, {method: 'POST', body: 'body'});
          seen.push([status, method, body]);
        }
        same(seen, [[301, 'GET', ''], [303, 'GET', ''], [307, 'POST', 'body'], [308, 'POST', 'body']]);
        """,
        files={
            f"moved-{status}": Response(status=status, headers={"Location": "echo"}) for status in (301, 303, 307, 308)
        },
    ),
    Feature(
        "fetch_aborted_before_and_while_it_runs",
        """
        same(await refusal(fetch('held', {signal: AbortSignal.abort()})), 'AbortError');
        const controller = new AbortController();
        const reply = await fetch('held', {signal: controller.signal});
        const reader = reply.body.getReader();
        same(new TextDecoder().decode((await reader.read()).value), 'first');
        controller.abort();
        same(await refusal(reader.read()), 'AbortError');
        await more();
        """,
        files={"held": Held(("first", "second"))},
    ),
    Feature(
        "fetch_timeout",
        """
        same(await refusal(fetch('held', {signal: AbortSignal.timeout(0)})), 'TimeoutError');
        await more();
        """,
        files={"held": Held(("first", "second"))},
    ),
    Feature(
        "fetch_in_pieces",
        """
        const reader = (await fetch('held')).body.pipeThrough(new TextDecoderStream()).getReader();
        const heard = [];
        for (let piece; !(piece = await reader.read()).done; await more()) heard.push(piece.value);
        same(heard, ['first', 'second', 'third']);
        """,
        files={"held": Held(("first", "second", "third"))},
    ),
    Feature(
        "fetch_keepalive",
        """
        same(await text('content.txt', {keepalive: true}), 'content');
        same(await refusal(fetch('echo', {method: 'POST', keepalive: true, body: 'a'.repeat(70000)})), 'TypeError');
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "fetch_later",
        """
        need(window.fetchLater, 'fetchLater');
        fetchLater('later', {activateAfter: 0});
        await requested('later');
        """,
        files={"later": ""},
    ),
    Feature(
        "fetch_cache_modes",
        """
        const counts = [];
        for (const cache of ['default', 'default', 'force-cache', 'no-store', 'reload', 'no-cache', 'only-if-cached']) {
          await text('content.txt', {cache, mode: 'same-origin'});
          counts.push((await requests('content.txt')).length);
        }
        same(counts, [1, 1, 1, 2, 3, 4, 4]);
        """,
        files={"content.txt": Response("content", headers={"Cache-Control": "max-age=600"})},
    ),
    Feature(
        "fetch_revalidation",
        """
        await text('content.txt');
        await text('content.txt');
        same((await requests('content.txt')).map(request => request.headers['if-modified-since'] ?? null),
             [null, 'Thu, 29 Feb 2024 00:00:00 GMT']);
        """,
        files={
            "content.txt": Response(
                "content", headers={"Cache-Control": "no-cache", "Last-Modified": "Thu, 29 Feb 2024 00:00:00 GMT"}
            )
        },
    ),
    Feature(
        "fetch_status",
        """
        const none = await fetch('none'), missing = await fetch('missing');
        same([none.status, await none.text(), missing.status, missing.ok], [204, '', 404, false]);
        """,
        files={"none": Response(status=204)},
    ),
    Feature(
        "fetch_integrity",
        "same(await refusal(fetch('content.txt', {integrity: 'sha256-' + 'A'.repeat(43) + '='})), 'TypeError')",
        files={"content.txt": "content"},
    ),
    Feature(
        "fetch_referrer",
        """
        const origin = location.origin + '/', seen = [];
        for (const referrerPolicy of ['no-referrer', 'origin', 'strict-origin-when-cross-origin', 'unsafe-url'])
          seen.push((await json(elsewhere('echo?cors'), {referrerPolicy})).headers.referer ?? null);
        same(seen, [null, origin, origin, location.href]);
        """,
    ),
    Feature(
        "fetch_of_data_and_blob_urls",
        """
        same(await text('data:text/plain,content'), 'content');
        const url = URL.createObjectURL(new Blob(['content']));
        same(await text(url), 'content');
        same(await text(url, {headers: {Range: 'bytes=1-3'}}), 'ont');
        URL.revokeObjectURL(url);
        same(await refusal(fetch(url)), 'TypeError');
        """,
    ),
    Feature("fetch_of_nobody", "same(await refusal(fetch('http://127.0.0.1:1/')), 'TypeError')"),
    Feature(
        "fetch_with_a_body_that_is_read_twice",
        """
        const reply = await fetch('content.txt'), copy = reply.clone();
        same([await reply.text(), await copy.text()], ['content', 'content']);
        same(await refusal(() => reply.text()), 'TypeError');
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "fetch_in_a_cross_site_frame",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'content')",
        files={"frame.html": page("parent.postMessage(await text('content.txt'), '*')"), "content.txt": "content"},
    ),
    Feature(
        "fetch_many",
        """
        const all = await Promise.all(Array.from({length: 30}, (_, index) => json('echo?' + index)));
        same(all.map(({query}) => Number(query)), Array.from({length: 30}, (_, index) => index));
        """,
    ),
    Feature(
        "xhr_asynchronous",
        """
        const request = new XMLHttpRequest(), heard = [];
        for (const type of ['loadstart', 'progress', 'load', 'loadend'])
          request.addEventListener(type, () => heard.push(type));
        request.open('GET', 'content.txt');
        request.setRequestHeader('X-Custom', 'custom');
        await once(request, 'loadend', () => request.send());
        same([request.responseText, heard], ['content', ['loadstart', 'progress', 'load', 'loadend']]);
        same((await requests('content.txt'))[0].headers['x-custom'], 'custom');
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "xhr_synchronous",
        """
        const request = new XMLHttpRequest();
        request.open('POST', 'echo', false);
        request.send('body');
        same([request.status, JSON.parse(request.responseText).body], [200, 'body']);
        """,
    ),
    Feature(
        "xhr_response_types",
        """
        const load = async (file, responseType) => {
          const request = Object.assign(new XMLHttpRequest(), {responseType: ''});
          request.open('GET', file);
          request.responseType = responseType;
          await once(request, 'load', () => request.send());
          return request.response;
        };
        same((await load('value.json', 'json')).value, 1);
        same((await load('value.json', 'arraybuffer')).byteLength, 12);
        same((await load('value.json', 'blob')).size, 12);
        same((await load('page.html', 'document')).title, 'page');
        """,
        files={"value.json": '{"value": 1}', "page.html": page(title="page")},
    ),
    Feature(
        "xhr_upload_progress",
        """
        const request = new XMLHttpRequest();
        let sent = 0;
        request.upload.onprogress = event => sent = event.loaded;
        request.open('POST', 'echo');
        await once(request, 'load', () => request.send('a'.repeat(100000)));
        same([sent, JSON.parse(request.response).body.length], [100000, 100000]);
        """,
    ),
    Feature(
        "xhr_abort_timeout_and_error",
        """
        const start = (file, work = () => {}) => {
          const request = new XMLHttpRequest();
          request.open('GET', file);
          work(request);
          request.send();
          return request;
        };
        const aborted = start('held');
        same((await once(aborted, 'abort', () => aborted.abort())).type, 'abort');
        same((await once(start('held', request => request.timeout = 20), 'timeout')).type, 'timeout');
        same((await once(start('http://127.0.0.1:1/'), 'error')).type, 'error');
        await more();
        await more();
        """,
        files={"held": Held(("", "second"))},
    ),
    Feature(
        "beacon",
        """
        same(navigator.sendBeacon('beacon', new URLSearchParams({a: '1'})), true);
        const seen = await requested('beacon');
        same([seen.method, seen.body], ['POST', 'a=1']);
        """,
        files={"beacon": ""},
    ),
    Feature(
        "link_ping",
        """
        element('a', {href: '#there', ping: 'ping'}).click();
        same((await requested('ping')).body, 'PING');
        """,
        files={"ping": ""},
    ),
)
