"""Scripts: modules, import maps, loading order, integrity, errors; WebAssembly."""

from __future__ import annotations

import base64

from evals.web_platform.feature import Feature, javascript, page
from tests.support.servers.sites import Response

ADD = "AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags="
"""A WebAssembly module that exports `add`."""
BYTES = f"const bytes = Uint8Array.from(atob('{ADD}'), letter => letter.charCodeAt(0));"

FEATURES = (
    Feature(
        "module_script",
        "await until(() => window.part); same(part, 'part of /module_script/part.js')",
        html='<script type="module">import {part} from "./part.js"; window.part = part</script>',
        files={"part.js": "export const part = 'part of ' + new URL(import.meta.url).pathname"},
    ),
    Feature(
        "module_dynamic_import",
        "same((await import('./part.js')).default, 'part')",
        files={"part.js": "export default 'part'"},
    ),
    Feature(
        "module_import_map",
        "same((await import('library/part')).default, 'part'); same((await import('single')).default, 'part')",
        html='<script type="importmap">{"imports": {"library/": "./", "single": "./part"}}</script>',
        files={"part": javascript("export default 'part'")},
    ),
    Feature(
        "module_of_json",
        "same((await import('./value.json', {with: {type: 'json'}})).default, {value: 1})",
        files={"value.json": '{"value": 1}'},
    ),
    Feature(
        "module_of_css",
        """
        document.adoptedStyleSheets = [(await import('./style.css', {with: {type: 'css'}})).default];
        same(getComputedStyle(document.body).color, 'rgb(255, 0, 0)');
        """,
        files={"style.css": "body { color: red }"},
    ),
    Feature(
        "module_top_level_await",
        "same((await import('./part.js')).value, 'content')",
        files={
            "part.js": "export const value = await (await fetch('content.txt')).text()",
            "content.txt": "content",
        },
    ),
    Feature(
        "module_circle",
        "same((await import('./a.js')).both(), 'ab')",
        files={
            "a.js": "import {b} from './b.js'; export const a = () => 'a'; export const both = () => a() + b()",
            "b.js": "import {a} from './a.js'; export const b = () => a() && 'b'",
        },
    ),
    Feature("module_that_is_not_there", "same(await refusal(import('./missing.js')), 'TypeError')"),
    Feature(
        "module_of_the_wrong_type",
        "same(await refusal(import('./part.txt')), 'TypeError')",
        files={"part.txt": "export default 1"},
    ),
    Feature(
        "module_of_another_origin",
        """
        same((await import(elsewhere('open.js'))).default, 'open');
        same(await refusal(import(elsewhere('closed.js'))), 'TypeError');
        """,
        files={
            "open.js": javascript("export default 'open'", Access_Control_Allow_Origin="*"),
            "closed.js": "export default 'closed'",
        },
    ),
    Feature(
        "module_preload",
        """
        await once(element('link', {rel: 'modulepreload', href: 'part.js'}), 'load');
        same((await import('./part.js')).default, 'part');
        same((await requests('part.js')).length, 1);
        """,
        files={"part.js": "export default 'part'"},
    ),
    Feature(
        "script_order",
        "await loaded(); same(order, ['parsed', 'end', 'deferred', 'module', 'DOMContentLoaded'])",
        html="""
        <script>window.order = []; addEventListener('DOMContentLoaded', () => order.push('DOMContentLoaded'))</script>
        <script defer src="deferred.js"></script><script type="module">order.push('module')</script>
        <script nomodule>order.push('nomodule')</script><script src="parsed.js"></script>
        <script>order.push('end')</script>
        """,
        files={"deferred.js": "order.push('deferred')", "parsed.js": "order.push('parsed')"},
    ),
    Feature(
        "script_async_and_inserted",
        """
        await once(element('script', {src: 'inserted.js'}), 'load');
        same(inserted, 'inserted.js');
        """,
        files={"inserted.js": "window.inserted = document.currentScript.getAttribute('src')"},
    ),
    Feature(
        "script_document_write",
        "same(written, 'in place')",
        html="""<script>document.write('<script>window.written = "in place"<' + '/script>')</script>""",
    ),
    Feature(
        "script_integrity",
        """
        const load = integrity => {
          const script = element('script', {src: 'part.js', integrity});
          return Promise.race([once(script, 'load'), once(script, 'error')]);
        };
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('window.part = 1'));
        const right = 'sha256-' + btoa(String.fromCharCode(...new Uint8Array(digest)));
        same([(await load(right)).type, (await load('sha256-' + 'A'.repeat(43) + '=')).type], ['load', 'error']);
        """,
        files={"part.js": "window.part = 1"},
    ),
    Feature(
        "script_nosniff",
        """
        await once(element('script', {src: 'text'}), 'error');
        """,
        files={"text": Response("1", headers={"Content-Type": "text/plain", "X-Content-Type-Options": "nosniff"})},
    ),
    Feature(
        "script_error",
        """
        addEventListener('error', event => event.preventDefault());
        const event = await once(window, 'error', () => element('script', {src: 'broken.js'}));
        same([event.message, event.lineno, event.error.message], ['Uncaught Error: on purpose', 2, 'on purpose']);
        """,
        files={"broken.js": "\nthrow new Error('on purpose')"},
    ),
    Feature(
        "script_error_of_another_origin",
        """
        addEventListener('error', event => event.preventDefault());
        const event = await once(window, 'error', () => element('script', {src: elsewhere('broken.js')}));
        same([event.message, event.lineno, event.error], ['Script error.', 0, null]);
        """,
        files={"broken.js": "throw new Error('on purpose')"},
    ),
    Feature(
        "script_syntax_error",
        """
        addEventListener('error', event => event.preventDefault());
        const event = await once(window, 'error', () => element('script', {src: 'broken.js'}));
        same(event.error.name, 'SyntaxError');
        """,
        files={"broken.js": "this is no script"},
    ),
    Feature(
        "unhandled_rejection",
        """
        addEventListener('unhandledrejection', event => event.preventDefault());
        const promise = Promise.reject(new Error('on purpose')), rejected = await once(window, 'unhandledrejection');
        const handled = once(window, 'rejectionhandled');
        await sleep(0);
        promise.catch(() => {});
        same([rejected.reason.message, (await handled).promise === promise], ['on purpose', true]);
        """,
    ),
    Feature(
        "report_error",
        """
        addEventListener('error', event => event.preventDefault());
        same((await once(window, 'error', () => reportError(new Error('reported')))).error.message, 'reported');
        """,
    ),
    Feature(
        "eval_and_function",
        "same([eval('1 + 1'), new Function('return 2')(), (0, eval)('typeof window')], [2, 2, 'object'])",
    ),
    Feature("debugger_statement", "debugger; same(1, 1)"),
    Feature(
        "javascript_url",
        """
        element('a', {href: 'javascript:void(window.visited = true)'}).click();
        await until(() => window.visited);
        """,
    ),
    Feature("wasm_instantiate", BYTES + "same((await WebAssembly.instantiate(bytes)).instance.exports.add(2, 3), 5)"),
    Feature(
        "wasm_streaming",
        """
        const {instance} = await WebAssembly.instantiateStreaming(fetch('add.wasm'));
        same(instance.exports.add(2, 3), 5);
        """,
        files={"add.wasm": Response(base64.b64decode(ADD))},
    ),
    Feature(
        "wasm_streaming_of_the_wrong_type",
        "same(await refusal(WebAssembly.compileStreaming(fetch('add.txt'))), 'TypeError')",
        files={"add.txt": "no wasm"},
    ),
    Feature(
        "wasm_module_to_a_worker",
        BYTES
        + """
        const worker = new Worker('worker.js');
        worker.postMessage(await WebAssembly.compile(bytes));
        same(await message(worker), 5);
        """,
        files={
            "worker.js": """
            onmessage = async ({data}) => postMessage((await WebAssembly.instantiate(data)).exports.add(2, 3));
            """,
        },
    ),
    Feature(
        "scripts_in_a_cross_site_frame",
        "same(await wordOfFrame({src: elsewhere('frame.html')}), 'part')",
        files={
            "frame.html": page("parent.postMessage((await import('./part.js')).default, '*')"),
            "part.js": "export default 'part'",
        },
    ),
)
