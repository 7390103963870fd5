"""Service workers, their caches, and what they do to pages."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page

READY = """
addEventListener('install', () => skipWaiting());
addEventListener('activate', event => event.waitUntil(clients.claim()));
"""

REGISTER = """
const register = async (script = 'worker.js', options = {}) => {
  const registration = await navigator.serviceWorker.register(script, options);
  await wait('a controller', until(() => navigator.serviceWorker.controller));
  return registration;
};
"""

ANSWER = """
addEventListener('fetch', event => {
  if (event.request.url.endsWith('/answered')) event.respondWith(new Response('by the worker'));
});
"""

FEATURES = (
    Feature(
        "service_worker_answers",
        REGISTER
        + """
        await register();
        same(await text('answered'), 'by the worker');
        same((await requests('answered')).length, 0);
        """,
        files={"worker.js": READY + ANSWER},
    ),
    Feature(
        "service_worker_caches",
        REGISTER
        + """
        await register();
        same(await text('content.txt'), 'content');
        same((await requests('content.txt')).length, 1);
        """,
        files={
            "worker.js": READY
            + """
            addEventListener('install', event => event.waitUntil(
              caches.open('cache').then(cache => cache.add('content.txt'))));
            addEventListener('fetch', event => {
              if (event.request.url.endsWith('.txt')) event.respondWith(caches.match(event.request));
            });
            """,
            "content.txt": "content",
        },
    ),
    Feature(
        "service_worker_answers_a_navigation",
        REGISTER
        + """
        if (step) tell([document.title, performance.getEntriesByType('navigation')[0].workerStart > 0]);
        await register();
        await go(1);
        """,
        files={
            "worker.js": READY
            + """
            addEventListener('fetch', event => {
              if (event.request.mode !== 'navigate') return;
              event.respondWith(fetch(event.request).then(async reply =>
                new Response((await reply.text()).replace('<title>', '<title>by the worker: '), reply)));
            });
            """,
        },
    ),
    Feature(
        "service_worker_and_messages",
        REGISTER
        + """
        await register();
        const answer = message(navigator.serviceWorker);
        navigator.serviceWorker.startMessages();
        navigator.serviceWorker.controller.postMessage('question');
        same(await answer, 'answer to question');
        """,
        files={
            "worker.js": READY
            + "addEventListener('message', event => event.source.postMessage('answer to ' + event.data))",
        },
    ),
    Feature(
        "service_worker_states",
        """
        const registration = await navigator.serviceWorker.register('worker.js');
        const worker = registration.installing, states = [worker.state];
        worker.addEventListener('statechange', () => states.push(worker.state));
        await until(() => states.length === 4);
        same(states, ['installing', 'installed', 'activating', 'activated']);
        same([await registration.unregister(), await navigator.serviceWorker.getRegistration()], [true, undefined]);
        """,
        files={"worker.js": "addEventListener('install', () => {})"},
    ),
    Feature(
        "service_worker_module",
        REGISTER + "await register('worker.js', {type: 'module'}); same(await text('answered'), 'by the worker')",
        files={"worker.js": f"import './part.js'; {READY}", "part.js": ANSWER},
    ),
    Feature(
        "service_worker_imports_scripts",
        REGISTER + "await register(); same(await text('answered'), 'by the worker')",
        files={"worker.js": f"importScripts('part.js'); {READY}", "part.js": ANSWER},
    ),
    Feature(
        "service_worker_of_a_frame",
        REGISTER
        + """
        await register('worker.js');
        same(await wordOfFrame({src: 'frame.html'}), 'by the worker');
        """,
        files={"worker.js": READY + ANSWER, "frame.html": page("parent.postMessage(await text('answered'))")},
    ),
    Feature(
        "service_worker_in_a_cross_site_frame",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'by the worker')",
        files={
            "worker.js": READY + ANSWER,
            "frame.html": page(REGISTER + "await register(); parent.postMessage(await text('answered'), '*')"),
        },
    ),
    Feature(
        "service_worker_and_dedicated_worker",
        REGISTER
        + """
        await register('worker.js');
        same(await message(new Worker('dedicated.js')), 'by the worker');
        """,
        files={
            "worker.js": READY + ANSWER,
            "dedicated.js": "fetch('answered').then(reply => reply.text()).then(postMessage)",
        },
    ),
    Feature(
        "service_worker_streams",
        REGISTER + "await register(); same(await text('streamed'), 'piece 1, piece 2')",
        files={
            "worker.js": READY
            + """
            addEventListener('fetch', event => {
              if (!event.request.url.endsWith('/streamed')) return;
              event.respondWith(new Response(new ReadableStream({
                start(controller) {
                  for (const piece of ['piece 1, ', 'piece 2']) controller.enqueue(new TextEncoder().encode(piece));
                  controller.close();
                },
              })));
            });
            """,
        },
    ),
    Feature(
        "service_worker_is_updated",
        REGISTER
        + """
        const registration = await register();
        const found = once(registration, 'updatefound');
        await navigator.serviceWorker.register('worker.js?second');
        same((await found).type, 'updatefound');
        await until(() => navigator.serviceWorker.controller.scriptURL.endsWith('?second'));
        """,
        files={"worker.js": READY},
    ),
    Feature(
        "service_worker_navigation_preload",
        REGISTER
        + """
        if (step) same((await requests('')).at(-1).headers['service-worker-navigation-preload'], 'true');
        else await register(), await go(1);
        """,
        files={
            "worker.js": """
            addEventListener('install', () => skipWaiting());
            addEventListener('activate', event => event.waitUntil(
              registration.navigationPreload.enable().then(() => clients.claim())));
            addEventListener('fetch', event => {
              if (event.request.mode === 'navigate') event.respondWith(event.preloadResponse.then(reply => reply));
            });
            """,
        },
    ),
    Feature(
        "cache_storage",
        """
        const cache = await caches.open('cache');
        await cache.put('entry', new Response('content', {headers: {'X-Custom': 'custom'}}));
        const entry = await caches.match('entry');
        same([await entry.text(), entry.headers.get('X-Custom')], ['content', 'custom']);
        same(await caches.keys(), ['cache']);
        same([await caches.delete('cache'), await caches.has('cache')], [true, false]);
        """,
    ),
)
