"""Dedicated and shared workers, of every kind of source."""

from __future__ import annotations

from evals.web_platform.feature import Feature, javascript, page

HELLO = "postMessage('hello')"
PART = "export const part = 'part'"

FEATURES = (
    Feature("worker_url", "same(await message(new Worker('worker.js')), 'hello')", files={"worker.js": HELLO}),
    Feature(
        "worker_blob",
        """
        const source = URL.createObjectURL(new Blob(["postMessage('hello')"], {type: 'text/javascript'}));
        same(await message(new Worker(source)), 'hello');
        """,
    ),
    Feature("worker_data_url", "same(await message(new Worker('data:text/javascript,postMessage(1)')), 1)"),
    Feature(
        "worker_module",
        "same(await message(new Worker('worker.js', {type: 'module'})), 'part')",
        files={"worker.js": "import {part} from './part.js'; postMessage(part)", "part.js": PART},
    ),
    Feature(
        "worker_dynamic_import",
        "same(await message(new Worker('worker.js')), 'part')",
        files={"worker.js": "import('./part.js').then(({part}) => postMessage(part))", "part.js": PART},
    ),
    Feature(
        "worker_import_scripts",
        "same(await message(new Worker('worker.js')), 'hello')",
        files={"worker.js": "importScripts('part.js'); postMessage(part)", "part.js": "self.part = 'hello'"},
    ),
    Feature(
        "worker_nested",
        "same(await message(new Worker('worker.js')), 'hello')",
        files={
            "worker.js": "new Worker('inner.js').onmessage = event => postMessage(event.data)",
            "inner.js": HELLO,
        },
    ),
    Feature(
        "worker_nested_blob",
        "same(await message(new Worker('worker.js')), 'hello')",
        files={
            "worker.js": """
            const inner = new Worker(URL.createObjectURL(new Blob(["postMessage('hello')"])));
            inner.onmessage = event => postMessage(event.data);
            """,
        },
    ),
    Feature(
        "worker_both_ways_with_transfer",
        """
        const worker = new Worker('worker.js'), buffer = new Uint8Array([1, 2, 3]).buffer;
        worker.postMessage(buffer, [buffer]);
        same(buffer.byteLength, 0);
        same([...new Uint8Array(await message(worker))], [2, 4, 6]);
        """,
        files={
            "worker.js": """
            onmessage = ({data}) => {
              const doubled = new Uint8Array(data).map(value => value * 2).buffer;
              postMessage(doubled, [doubled]);
            };
            """,
        },
    ),
    Feature(
        "worker_with_a_port",
        """
        const worker = new Worker('worker.js'), {port1, port2} = new MessageChannel();
        worker.postMessage('take it', [port2]);
        same(await message(port1), 'through the port');
        """,
        files={"worker.js": "onmessage = event => event.ports[0].postMessage('through the port')"},
    ),
    Feature(
        "worker_many",
        """
        const workers = Array.from({length: 8}, () => new Worker('worker.js'));
        same(await Promise.all(workers.map(message)), Array(8).fill('hello'));
        """,
        files={"worker.js": HELLO},
    ),
    Feature(
        "worker_terminated_and_followed",
        """
        const endless = new Worker('endless.js');
        same(await message(endless), 'begun');
        endless.terminate();
        same(await message(new Worker('worker.js')), 'hello');
        """,
        files={"endless.js": "postMessage('begun'); for (;;) {}", "worker.js": HELLO},
    ),
    Feature(
        "worker_that_closes_itself",
        """
        const worker = new Worker('worker.js');
        same(await message(worker), 'last word');
        worker.postMessage('nobody hears');
        """,
        files={"worker.js": "postMessage('last word'); close()"},
    ),
    Feature(
        "worker_error",
        """
        const worker = new Worker('worker.js');
        const event = await once(worker, 'error');
        event.preventDefault();
        same([event.message, event.lineno], ['Uncaught Error: on purpose', 1]);
        """,
        files={"worker.js": "throw new Error('on purpose')"},
    ),
    Feature(
        "worker_that_is_not_there",
        "same((await once(new Worker('missing.js'), 'error')).type, 'error')",
    ),
    Feature(
        "worker_fetch",
        "same(await message(new Worker('worker.js')), 'content')",
        files={
            "worker.js": "fetch('content.txt').then(reply => reply.text()).then(postMessage)",
            "content.txt": "content",
        },
    ),
    Feature(
        "worker_synchronous_request",
        "same(await message(new Worker('worker.js')), 'content')",
        files={
            "worker.js": """
            const request = new XMLHttpRequest();
            request.open('GET', 'content.txt', false);
            request.send();
            postMessage(request.responseText);
            """,
            "content.txt": "content",
        },
    ),
    Feature(
        "worker_websocket",
        "const worker = new Worker('worker.js'); worker.postMessage(WEBSOCKETS); same(await message(worker), 'echo')",
        files={
            "worker.js": """
            onmessage = ({data}) => {
              const socket = new WebSocket(data);
              socket.onopen = () => socket.send('echo');
              socket.onmessage = event => postMessage(event.data);
            };
            """
        },
    ),
    Feature(
        "worker_timers",
        "same(await message(new Worker('worker.js')), 5)",
        files={
            "worker.js": "let ticks = 0; const timer = setInterval(() => ++ticks === 5 && postMessage(ticks), 5)",
        },
    ),
    Feature(
        "worker_indexeddb",
        "same(await message(new Worker('worker.js')), 'stored')",
        files={
            "worker.js": """
            const opening = indexedDB.open('database');
            opening.onupgradeneeded = () => opening.result.createObjectStore('store');
            opening.onsuccess = () => {
              const store = opening.result.transaction('store', 'readwrite').objectStore('store');
              store.put('stored', 'key');
              store.get('key').onsuccess = event => postMessage(event.target.result);
            };
            """,
        },
    ),
    Feature(
        "worker_broadcast_channel",
        """
        const channel = new BroadcastChannel('channel'), worker = new Worker('worker.js');
        const answer = message(channel);
        same(await message(worker), 'listening');
        const asking = setInterval(() => channel.postMessage('question'), 20);  // it may not be heard yet
        same(await answer, 'answer to question');
        clearInterval(asking);
        """,
        files={
            "worker.js": """
            const channel = new BroadcastChannel('channel');
            channel.onmessage = event => channel.postMessage('answer to ' + event.data);
            postMessage('listening');
            """,
        },
    ),
    Feature(
        "worker_draws_on_an_offscreen_canvas",
        """
        const offscreen = element('canvas').transferControlToOffscreen(), worker = new Worker('worker.js');
        worker.postMessage(offscreen, [offscreen]);
        same(await message(worker), [255, 0, 0, 255]);
        """,
        files={
            "worker.js": """
            onmessage = ({data}) => {
              const context = data.getContext('2d');
              context.fillStyle = 'red';
              context.fillRect(0, 0, 10, 10);
              postMessage([...context.getImageData(1, 1, 1, 1).data]);
            };
            """,
        },
    ),
    Feature(
        "worker_animation_frames",
        "same(typeof await message(new Worker('worker.js')), 'number')",
        files={"worker.js": "requestAnimationFrame(postMessage)"},
    ),
    Feature(
        "worker_in_a_frame",
        "same(await wordOfFrame({src: 'frame.html'}), 'hello')",
        files={
            "worker.js": HELLO,
            "frame.html": page("parent.postMessage(await message(new Worker('worker.js')), '*')"),
        },
    ),
    Feature(
        "worker_in_a_cross_site_frame",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'hello')",
        files={
            "worker.js": HELLO,
            "frame.html": page("parent.postMessage(await message(new Worker('worker.js')), '*')"),
        },
    ),
    Feature(
        "worker_blob_in_a_srcdoc_frame",
        """
        const script = `
        const source = URL.createObjectURL(new Blob(["postMessage('hello')"]));
        new Worker(source).onmessage = ({data}) => parent.postMessage(data);`;
        same(await wordOfFrame({srcdoc: `<script>${script}<` + '/script>'}), 'hello');
        """,
    ),
    Feature(
        "worker_csp_of_its_own",
        "same(await message(new Worker('worker.js')), 'EvalError')",
        files={
            "worker.js": javascript(
                "try { eval('1'); postMessage('evaluated') } catch (error) { postMessage(error.name) }",
                Content_Security_Policy="script-src 'self'",
            ),
        },
    ),
    Feature(
        "shared_worker",
        "same(await message(new SharedWorker('worker.js').port), 'client 1')",
        files={
            "worker.js": "let clients = 0; onconnect = ({ports: [port]}) => port.postMessage(`client ${++clients}`)"
        },
    ),
    Feature(
        "shared_worker_of_a_page_and_its_frame",
        """
        same(await message(new SharedWorker('worker.js').port), 'client 1');
        same(await wordOfFrame({src: 'frame.html'}), 'client 2');
        """,
        files={
            "worker.js": "let clients = 0; onconnect = ({ports: [port]}) => port.postMessage(`client ${++clients}`)",
            "frame.html": page("parent.postMessage(await message(new SharedWorker('worker.js').port))"),
        },
    ),
    Feature(
        "shared_worker_module",
        "same(await message(new SharedWorker('worker.js', {type: 'module'}).port), 'part')",
        files={
            "worker.js": "import {part} from './part.js'; onconnect = ({ports: [port]}) => port.postMessage(part)",
            "part.js": PART,
        },
    ),
    Feature(
        "shared_worker_blob",
        """
        const source = URL.createObjectURL(new Blob(['onconnect = ({ports: [port]}) => port.postMessage("hello")']));
        same(await message(new SharedWorker(source).port), 'hello');
        """,
    ),
    Feature(
        "shared_worker_in_a_cross_site_frame",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'hello')",
        files={
            "worker.js": "onconnect = ({ports: [port]}) => port.postMessage('hello')",
            "frame.html": page("parent.postMessage(await message(new SharedWorker('worker.js').port), '*')"),
        },
    ),
)
