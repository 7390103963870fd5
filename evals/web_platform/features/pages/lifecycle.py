"""Events of a page's life: loading, visibility, unloading, printing."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page

FEATURES = (
    Feature(
        "visibility",
        """
        same([document.visibilityState, document.hidden], ['visible', false]);
        same([document.prerendering, document.wasDiscarded], [false, false]);
        """,
    ),
    Feature(
        "visibility_over_time",
        """
        const heard = [];
        for (const type of ['visibilitychange', 'freeze', 'resume'])
          document.addEventListener(type, () => heard.push(type));
        for (const type of ['focus', 'blur', 'pagehide']) addEventListener(type, () => heard.push(type));
        await loaded();
        await sleep(100);
        same(heard, []);
        """,
    ),
    Feature(
        "loading_events",
        """
        await loaded();
        same(order, ['loading', 'interactive', 'DOMContentLoaded', 'complete', 'load', 'pageshow false']);
        """,
        html="""<script>
        window.order = [document.readyState];
        document.addEventListener('readystatechange', () => order.push(document.readyState));
        for (const type of ['DOMContentLoaded', 'load']) addEventListener(type, () => order.push(type));
        addEventListener('pageshow', event => order.push('pageshow ' + event.persisted));
        </script>""",
    ),
    Feature(
        "leaving_events",
        """
        if (step) return tell(JSON.parse(sessionStorage.heard));
        const heard = [], note = event => {
          heard.push(event.type + ' ' + document.visibilityState);
          sessionStorage.heard = JSON.stringify(heard);
        };
        for (const type of ['beforeunload', 'pagehide', 'unload']) addEventListener(type, note);
        document.addEventListener('visibilitychange', note);
        await go(1);
        """,
    ),
    Feature(
        "before_unload_without_a_gesture",
        """
        if (step) return same(sessionStorage.asked, 'true');
        addEventListener('beforeunload', event => {
          sessionStorage.asked = true;
          event.preventDefault();
          event.returnValue = 'stay';
        });
        await go(1);
        """,
    ),
    Feature(
        "leaving_beacon",
        """
        if (step) return same((await requested('beacon')).body, 'left');
        addEventListener('pagehide', () => navigator.sendBeacon('beacon', 'left'));
        await go(1);
        """,
        files={"beacon": ""},
    ),
    Feature(
        "leaving_fetch",
        """
        if (step) return same((await requested('kept')).body, 'left');
        addEventListener('pagehide', () => fetch('kept', {method: 'POST', body: 'left', keepalive: true}));
        await go(1);
        """,
        files={"kept": ""},
    ),
    Feature(
        "leaving_synchronous_request",
        """
        if (step) tell(sessionStorage.refused ?? 'nothing');
        addEventListener('pagehide', () => {
          const request = new XMLHttpRequest();
          request.open('GET', 'echo', false);
          try { request.send() } catch (error) { sessionStorage.refused = error.name }
        });
        await go(1);
        """,
    ),
    Feature(
        "leaving_of_a_frame",
        """
        const inner = attach({src: elsewhere('frame.html')});
        same(await from(inner.contentWindow), 'ready');
        const channel = once(window, 'message');
        inner.src = elsewhere('other.html');
        same((await channel).data, 'pagehide');
        """,
        files={
            "frame.html": page(
                "addEventListener('pagehide', () => parent.postMessage('pagehide', '*'));"
                "parent.postMessage('ready', '*')"
            ),
            "other.html": page(),
        },
    ),
    Feature(
        "printing_styles",
        """
        const query = matchMedia('print');
        same([query.matches, getComputedStyle(document.getElementById('text')).display], [false, 'block']);
        """,
        html='<style>@media print { #text { display: none } }</style><p id="text">Text</p>',
    ),
    Feature(
        "console_reads_nothing",
        """
        const read = [];
        const trap = new Proxy({}, {
          get: (_, name) => void read.push('get ' + String(name)),
          ownKeys: () => (read.push('keys'), []),
        });
        const getter = Object.defineProperty({}, 'id', {get: () => read.push('id'), enumerable: true});
        const error = Object.defineProperty(new Error('text'), 'stack', {get: () => read.push('stack')});
        for (const value of [trap, getter, error])
          for (const kind of ['log', 'debug', 'error', 'table']) console[kind](value);
        await sleep(50);
        tell(read);
        """,
    ),
    Feature(
        "console_of_everything",
        """
        console.group('group');
        console.assert(false, 'asserted');
        console.count();
        console.time('timer');
        console.timeEnd('timer');
        console.trace('%s %o', 'text', {a: 1});
        console.groupEnd();
        console.clear();
        console.log('\\ud800', Symbol('symbol'), 10n, window, document.body);
        """,
    ),
    Feature(
        "names_of_the_window",
        """
        const names = Object.getOwnPropertyNames(window).sort();
        let hash = 0;
        for (const letter of names.join()) hash = (hash * 31 + letter.charCodeAt(0)) | 0;
        tell([names.length, hash, Object.getOwnPropertyNames(document).sort(), Object.getOwnPropertyNames(navigator)]);
        """,
    ),
    Feature(
        "functions_of_the_window",
        """
        const describe = name => {
          const {writable, enumerable, configurable, value} = Object.getOwnPropertyDescriptor(window, name);
          return [name, value.name, value.length, String(value), Function.prototype.toString.call(value),
                  writable, enumerable, configurable, 'prototype' in value, Object.getOwnPropertyNames(value)];
        };
        tell(['alert', 'confirm', 'prompt', 'print', 'open', 'fetch', 'setTimeout'].map(describe));
        """,
    ),
    Feature(
        "descriptions_of_the_browser",
        """
        const names = ['userAgent', 'language', 'languages', 'platform', 'webdriver', 'cookieEnabled', 'onLine',
                       'vendor', 'pdfViewerEnabled', 'maxTouchPoints', 'doNotTrack', 'hardwareConcurrency'];
        const details = ['architecture', 'platformVersion', 'uaFullVersion'];
        tell([names.map(name => navigator[name]), typeof window.chrome, navigator.plugins.length,
              await navigator.userAgentData?.getHighEntropyValues(details)]);
        """,
    ),
    Feature(
        "stack_of_an_error",
        """
        const depth = count => count ? depth(count - 1) : new Error('text').stack;
        same([depth(30).split('\\n').length, Error.stackTraceLimit], [11, 10]);
        """,
    ),
    Feature(
        "stack_of_calls",
        """
        let depth = 0;
        const fall = () => { depth++; fall(); };
        same([await refusal(fall), depth > 5000], ['RangeError', true]);
        """,
    ),
)
