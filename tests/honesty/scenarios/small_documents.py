"""Scenarios of what scripts find in an empty page: its elements, its window, its media and its storage."""

from __future__ import annotations

from typing import Any, Final

from tests.honesty.player import Play, Tab
from tests.honesty.scenarios.registry import Calls, evaluations, scenario, scenarios_of_calls

EVALUATIONS: Final[dict[str, Calls]] = {
    "objects_of_the_browser": evaluations(
        *("window", "this", "document", "document.body", "document.documentElement", "document.activeElement"),
        *("navigator", "localStorage", "document.body.style", "getComputedStyle(document.body)", "document.fonts"),
        *("matchMedia('print')", "getSelection()", "new DataTransfer()", "screen", "screen.orientation"),
        *("navigator.connection", "navigator.clipboard", "navigator.geolocation", "window.chrome", "Symbol('a')"),
        *("document.createElement('div')", "[document.body, window]", "({a: Symbol('a'), b: document})"),
    ),
    "objects_of_the_browser_by_value": evaluations(
        *("window", "document.body", "navigator", "localStorage", "[window]", "Symbol('a')", "[Symbol('a')]"),
        *("window.chrome", "({window, document})", "throw window", "(() => { throw Symbol('a') })()"),
        returnByValue=True,
    ),
    "promises_of_objects_of_the_browser": evaluations(
        *("Promise.resolve(window)", "Promise.resolve(document.body)", "Promise.resolve([Symbol('a')])"),
        *("Promise.reject(window)", "document.fonts.ready", "scrollTo(0, 5)", "document.hasStorageAccess()"),
        returnByValue=True,
        awaitPromise=True,
    ),
    "consoles_that_show_the_window": evaluations(
        *("console.log(window)", "console.log([window], {a: document.body, b: document})", "console.error('%s', this)"),
        *("console.log(Symbol('a'), [Symbol('b')])", "console.log({a: () => 1, b: parseInt})"),
    ),
    "what_is_deleted": evaluations(
        *("delete window.Node", "typeof Node", "Node", "'Node' in window", "window.Node", "delete window.nothing"),
        *("window.a = 1; delete window.a", "typeof a", "window.Node = 5; Node", "try { Text; 1 } catch (e) { e.name }"),
    ),
    "timers_have_one_row_of_numbers": evaluations(
        *("setTimeout(() => 1, 9000)", "setTimeout(() => 1, 9000)", "setTimeout(window.nothing, 1)"),
        *("setTimeout(null)", "[setTimeout(() => 1, 9000), setTimeout(() => 1, 9000)]"),
        returnByValue=True,
    ),
    "this_of_a_script": evaluations(
        *("this === window", "(() => this === window)()", "this.a = 1; a", "this.nothing()", "typeof this"),
        "({f: () => this === window}).f()",
    ),
    "elements_that_a_script_appends": evaluations(
        "const one = document.body.appendChild(document.createElement('div')); one",
        *("document.querySelector('div') === one", "document.querySelector('p:hover')", "document.querySelector('p')"),
        *("document.querySelector('#one')", "one.tagName", "one.textContent", "document.body.textContent", "one.id"),
        *("one.style.backgroundColor = 'red'; one.style.backgroundColor", "document.body.appendChild(one) === one"),
        *("getComputedStyle(document.body).backgroundColor", "document.activeElement.tagName", "typeof one.value"),
        *("const two = document.body.appendChild(document.createElement('p')); two === one", "scrollY"),
        *("document.querySelector('div:hover')", "document.body.offsetHeight"),
    ),
}
scenarios_of_calls(__name__, EVALUATIONS)
for _path, _expressions in {
    "/with-local": ("#local", "iframe#local", "div#local", "#local.a", ".a", "p", "#other", "a", "html", "iframe"),
    "/links": ("#near", "a#near", "input#near", "input#nothing", "body", "#nothing", "iframe", "p[title]", "a"),
    "/form": ("#one", "input#one", "a#one", "select", "#one#many", "input"),
}.items():
    scenarios_of_calls(
        __name__,
        {f"selectors_on_{_path[1:]}": evaluations(*(f"document.querySelector('{each}')" for each in _expressions))},
        path=_path,
    )

MEDIA: Final = (
    *("print", "screen", "all", "(prefers-color-scheme: dark)", "(prefers-color-scheme: light)"),
    *("(prefers-reduced-motion: reduce)", "(prefers-reduced-motion: no-preference)", "(forced-colors: active)"),
    *("(forced-colors: none)", "(prefers-contrast: more)", "(prefers-contrast: no-preference)"),
)


async def _values(tab: Tab, *expressions: str, on: str | None = None) -> None:
    for expression in expressions:
        await tab.client.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True}, on=on or tab.session
        )


@scenario
async def emulated_media(play: Play) -> None:
    tab = await play.tab("/plain")
    queries = [f"matchMedia('{query}').matches" for query in MEDIA]
    await _values(tab, *queries, "window.kept = matchMedia('print'); kept.matches")
    emulated: tuple[dict[str, Any], ...] = (
        {"media": "print"},
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
        {"media": "print", "features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
        {"features": [{"name": "prefers-contrast", "value": "more"}, {"name": "nothing", "value": "more"}]},
        {"features": [{"name": "prefers-color-scheme", "value": "nothing"}]},
        {"media": "tv"},
    )
    for params in emulated:
        await tab.call("Emulation.setEmulatedMedia", params)
        await _values(tab, "kept.matches", *queries)
    await tab.call("Emulation.setEmulatedMedia", {"media": "print"})
    await tab.navigate(f"{play.own}/second")
    await _values(tab, *queries)
    await tab.call("Emulation.setEmulatedMedia")
    await _values(tab, *queries)
    await tab.call("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
    await tab.call("Emulation.setEmulatedMedia")
    await _values(tab, "matchMedia('(forced-colors: active)').matches")  # it stays until the page navigates


@scenario
async def media_that_another_session_emulates(play: Play) -> None:
    tab = await play.tab("/plain")
    client = await play.client()
    other = await play.attach(client, tab.target)
    await other.call("Emulation.setEmulatedMedia", {"media": "print"})
    await _values(tab, "matchMedia('print').matches")
    await _values(other, "matchMedia('print').matches")
    await other.call("Target.detachFromTarget", {"sessionId": other.session})
    await _values(tab, "matchMedia('print').matches")


@scenario
async def emulated_sizes(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.disable")  # the number of its events `Page.frameResized` varies
    sizes = (
        *("[innerWidth, innerHeight]", "devicePixelRatio", "[document.body.offsetWidth, document.body.offsetHeight]"),
        *("[document.documentElement.clientWidth, document.documentElement.clientHeight]", "window.innerWidth < 600"),
    )
    metrics: tuple[dict[str, Any], ...] = (
        {"width": 500, "height": 400, "deviceScaleFactor": 0, "mobile": False},
        {"width": 640, "height": 300, "deviceScaleFactor": 2, "mobile": False},
    )
    for params in metrics:
        await tab.call("Emulation.setDeviceMetricsOverride", params)
        await _values(tab, *sizes, "scrollY", "matchMedia('screen').matches")
    await tab.call("Page.enable")
    await tab.navigate(f"{play.own}/second")
    await _values(tab, *sizes, "scrollY")
    await tab.navigate("about:blank")
    await _values(tab, *sizes)
    await tab.call("Page.disable")
    await tab.call("Emulation.clearDeviceMetricsOverride")
    await _values(tab, "innerWidth === 500", "devicePixelRatio", "document.body.offsetWidth === innerWidth - 16")


@scenario
async def storage_of_pages(play: Play) -> None:
    one, two = await play.tab("/plain"), await play.tab("/second")
    items = ("localStorage.k", "sessionStorage.k", "localStorage.length", "localStorage.getItem('k')")
    await _values(one, *items, "localStorage.setItem('k', 1)", "sessionStorage.k = 's'", *items)
    await _values(two, *items, "localStorage.k += 'x'", "sessionStorage.k = 't'")
    await _values(one, *items)
    await one.navigate(f"{play.other}/inner")
    await _values(one, *items, "localStorage.k = 'other'", *items)
    await one.navigate(f"{play.own}/second")
    await _values(one, *items)
    for address in ("about:blank", "data:text/html,<title>x</title>"):
        await one.navigate(address)
        await _values(
            one, "try { localStorage } catch (error) { error.name + error.message }", "typeof sessionStorage", "k = 1"
        )
        await one.value("localStorage.k")
    await _values(two, "localStorage.removeItem('k')", *items, "localStorage.l = 2", "localStorage.clear()", *items)
    await _values(two, "sessionStorage.clear()", "sessionStorage.length")


@scenario
async def storage_of_iframes(play: Play) -> None:
    tab = await play.tab("/with-local")
    local = tab.client
    tree = await tab.call("Page.getFrameTree")
    inner = tree["frameTree"]["childFrames"][0]["frame"]["id"]
    world = await tab.call("Page.createIsolatedWorld", {"frameId": inner})
    await _values(tab, "localStorage.k = 'top'", "sessionStorage.k = 'top'")
    for expression in ("localStorage.k", "sessionStorage.k", "localStorage.clear()", "sessionStorage.clear()"):
        params = {"expression": expression, "contextId": world["executionContextId"]}
        await local.call("Runtime.evaluate", params, on=tab.session)
    await _values(tab, "localStorage.k", "sessionStorage.k")


@scenario
async def a_document_in_all_worlds(play: Play) -> None:
    tab = await play.tab("/plain")
    world = await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": "w"})
    await _values(
        tab, "window.a = 1; document.body.appendChild(document.createElement('p')); setTimeout(() => 1, 9000)"
    )
    for expression in (
        *(
            "document.querySelector('p')",
            "typeof a",
            "setTimeout(() => 1, 9000)",
            "localStorage.k = 1",
            "this === window",
        ),
        *("document.body.style.backgroundColor = 'red'", "delete window.Node", "typeof Node"),
    ):
        await tab.call("Runtime.evaluate", {"expression": expression, "contextId": world["executionContextId"]})
    await _values(tab, "document.body.style.backgroundColor", "localStorage.k", "setTimeout(() => 1, 9000)")
    await _values(tab, "localStorage.clear()", "'Node' in window", "typeof Node")


@scenario
async def functions_on_objects_of_the_browser(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in ("document.body", "window", "document", "localStorage"):
        made = await tab.value(expression)
        on = {"objectId": made["result"]["result"]["objectId"]}
        for function in (
            *("function() { return this }", "() => this", "function() { return this === window }"),
            *("function(x) { return x }", "(x) => x === document.body"),
        ):
            await tab.call("Runtime.callFunctionOn", {"functionDeclaration": function, "arguments": [on], **on})
        await tab.call("DOM.setFileInputFiles", {"files": [], **on})
        await tab.call("Runtime.releaseObject", on)
    made = await tab.value("this")
    on = {"objectId": made["result"]["result"]["objectId"]}
    nested = "function() { return [1].map(function() { return this })[0] }"
    for function in ("function() { return this.innerWidth > 0 }", "function() { return this.nothing }", nested):
        await tab.call("Runtime.callFunctionOn", {"functionDeclaration": function, **on})


@scenario
async def listeners_for_input(play: Play) -> None:
    tab = await play.tab("/plain")
    await _values(
        tab,
        "addEventListener('keydown', event => event.preventDefault(), true)",
        "document.addEventListener('touchstart', () => { window.touched = true })",
        "window.touched",
        "document.addEventListener('mousemove', event => { window.moved = true })",
    )
    await tab.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 5, "y": 5})
    await tab.navigate(f"{play.own}/second")
    await tab.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 5, "y": 5})
    await _values(tab, "window.moved")


@scenario
async def elements_after_a_navigation(play: Play) -> None:
    tab = await play.tab("/plain")
    await _values(
        tab, "document.body.appendChild(document.createElement('div'))", "document.querySelector('div').tagName"
    )
    await _values(tab, "document.body.style.backgroundColor = 'red'", "delete window.Node", "typeof Node")
    await tab.navigate(f"{play.own}/second")
    await _values(
        tab,
        "document.querySelector('div')",
        "document.body.style.backgroundColor",
        "setTimeout(() => 1, 9000)",
        "'Node' in window",
    )
    await tab.call("Page.reload")
    await tab.loaded()
    await _values(tab, "document.querySelector('div')", "setTimeout(() => 1, 9000)")
