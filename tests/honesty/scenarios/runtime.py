"""Scenarios of scripts: contexts, console, exceptions; and of refused messages."""

from __future__ import annotations

from tests.honesty.player import Play
from tests.honesty.scenarios.registry import scenario


@scenario
async def values(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in ("1 + 1", "'text'", "true", "null", "undefined", "document.title", "[1, 2]", "({a: 1})", "-0"):
        await tab.value(expression)
        await tab.call("Runtime.evaluate", {"expression": expression, "returnByValue": True})


@scenario
async def exceptions(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in ("throw new Error('no')", "throw 'text'", "nowhere"):
        await tab.value(expression)


@scenario
async def scripts_of_a_console(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in ("const x = 1; x", "const x = 2; x", "let x = 4", "Promise.resolve(5)", "var x"):
        await tab.call("Runtime.evaluate", {"expression": expression, "replMode": True, "awaitPromise": True})
    for expression in ("const x = 6", "let z = 7", "let z = 8"):
        await tab.value(expression)


@scenario
async def an_exception_that_nobody_catches(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("setTimeout(() => { throw new Error('late') }, 0); 'armed'")
    await tab.event("Runtime.exceptionThrown")


@scenario
async def console_calls(play: Play) -> None:
    tab = await play.tab("/plain")
    for method in ("log", "info", "warn", "error", "debug"):
        await tab.value(f"console.{method}('said', 1, true, null)")
        await tab.event("Runtime.consoleAPICalled")


@scenario
async def the_console_is_replayed(play: Play) -> None:
    tab = await play.tab("/logging")
    await tab.value("console.warn('later', {a: 1})")
    await tab.value("setTimeout(() => { throw new TypeError('boom') }, 0); 'armed'")
    await tab.event("Runtime.exceptionThrown")
    await tab.call("Log.enable")
    await tab.value(f"fetch('{play.nowhere}/x').catch(e => 1)")
    await tab.event("Log.entryAdded")
    late = await play.attach(await play.client(), tab.target)
    await late.call("Runtime.enable")
    await late.value("console.log('now')")
    await late.event("Runtime.consoleAPICalled", where=lambda params: params["args"][0]["value"] == "now")


@scenario
async def an_isolated_world(play: Play) -> None:
    tab = await play.tab("/plain")
    tree = await tab.call("Page.getFrameTree")
    wanted = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "tools"}
    world = await tab.call("Page.createIsolatedWorld", wanted)
    await tab.value("window.mine = 1")
    await tab.call("Runtime.evaluate", {"expression": "window.mine", "contextId": world["executionContextId"]})
    await tab.navigate(f"{play.own}/second")
    await tab.call("Runtime.evaluate", {"expression": "1", "contextId": world["executionContextId"]})


@scenario
async def functions_of_clients_in_a_world(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Runtime.addBinding", {"name": "everywhere"})
    await tab.call("Runtime.addBinding", {"name": "inside", "executionContextName": "w"})
    world = await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": "w"})
    number = world["executionContextId"]
    await tab.call("Runtime.addBinding", {"name": "here", "executionContextId": number})
    await tab.call("Runtime.evaluate", {"expression": "everywhere('a'); inside('b'); here('c')", "contextId": number})
    await tab.value("typeof inside + typeof here")
    await tab.navigate(f"{play.own}/second")
    await tab.value("typeof everywhere + typeof here")


@scenario
async def runtime_disabled_and_enabled(play: Play) -> None:
    tab = await play.tab("/with-local")
    await tab.call("Runtime.disable")
    await tab.value("console.log('unheard')")
    await tab.call("Runtime.enable")
    for method in ("Runtime.discardConsoleEntries", "Runtime.disable", "Runtime.enable"):
        await tab.call(method)


@scenario
async def objects_and_functions(play: Play) -> None:
    tab = await play.tab("/plain")
    evaluated = await tab.call("Runtime.evaluate", {"expression": "({a: 1})"})
    place = {"objectId": evaluated["result"]["objectId"]}
    for declaration in ("function () { return this.a }", "() => { return }", "1"):
        await tab.call("Runtime.callFunctionOn", {"functionDeclaration": declaration, **place})
    await tab.call("Runtime.releaseObject", place)
    await tab.call("Runtime.releaseObject", place)
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "function () { return 1 }", **place})


@scenario
async def refused_by_the_browser(play: Play) -> None:
    client = await play.client()
    await client.call("Foo.bar")
    await client.call("Page.enable")
    await client.call("Runtime.evaluate", {"expression": "1"})
    await client.call("Target.createTarget")
    await client.call("Target.createTarget", {"url": 7})
    await client.call("Target.attachToTarget", {"targetId": "nowhere", "flatten": True})
    await client.call("Target.closeTarget", {"targetId": "nowhere"})
    await client.call("Target.getTargetInfo", {"targetId": "nowhere"})
    await client.call("Target.activateTarget", {"targetId": "nowhere"})
    await client.call("Target.detachFromTarget", {"sessionId": "nowhere"})
    await client.call("Target.detachFromTarget")
    await client.call("Runtime.evaluate", {"expression": "1"}, on="nowhere")


@scenario
async def refused_by_a_page(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Foo.bar")
    await tab.call("Page.foo")
    await tab.call("Page.navigate")
    await tab.call("Page.navigate", {"url": 7})
    await tab.call("Page.navigate", {"url": "nowhere"})
    await tab.call("Page.navigate", {"url": f"{play.own}/", "frameId": "nowhere"})
    await tab.call("Runtime.evaluate")
    await tab.call("Runtime.evaluate", {"expression": "1", "contextId": 999})
    await tab.call("Runtime.evaluate", {"expression": "1", "uniqueContextId": "1.1"})
    await tab.call("Runtime.evaluate", {"expression": "1", "contextId": 1, "uniqueContextId": "1.1"})
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 1"})
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "1", "objectId": "nowhere"})
    await tab.call("Page.createIsolatedWorld", {"frameId": "nowhere"})
    await tab.call("Page.handleJavaScriptDialog")
    await tab.call("Page.handleJavaScriptDialog", {"accept": "yes"})
    await tab.call("Debugger.setBreakpointsActive", {"active": True})
    await tab.call("CSS.getComputedStyleForNode", {"nodeId": 1})
    await tab.call("Fetch.continueRequest", {"requestId": "nowhere"})


@scenario
async def refused_by_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    for method, params in (
        ("Page.handleJavaScriptDialog", {"accept": True}),
        ("Page.close", {}),
        ("Page.bringToFront", {}),
        ("Page.getNavigationHistory", {}),
        ("Target.getBrowserContexts", {}),
    ):
        await tab.client.call(method, params, on=tab.frames[0])


@scenario
async def refused_as_no_message(play: Play) -> None:
    """Parameters that are no object."""
    tab = await play.tab("/plain")
    await tab.call("Runtime.evaluate", {"expression": None})
    await tab.call("Runtime.evaluate", {"expression": "1", "returnByValue": "yes"})
    await tab.call("Runtime.evaluate", {"expression": "1", "unknown": 1})


@scenario
async def every_kind_of_console_message(play: Play) -> None:
    tab = await play.tab("/plain")
    for call in (
        "log('%s', [1, 'x'], {a: null})",
        "log('%s %d %s', [1, 'x'], 2, true, null)",
        "log()",
        "info('i')",
        "debug('d')",
        "warn('w')",
        "error('e')",
        "trace()",
        "trace('t')",
        "assert(false)",
        "assert(1 > 2, 'as')",
        "assert(true)",
        "dir({a: 1})",
        "dirxml(1)",
        "table([1])",
        "group()",
        "group('g')",
        "groupCollapsed('g')",
        "groupEnd()",
        "count()",
        "count('k')",
        "count('k')",
        "countReset('k')",
        "count('k')",
        "clear()",
        "log(new Error('z'))",
        "log({a: undefined, b: {}, c: [1], d: () => 1, e: true, f: 6})",
        f"log(['{'a' * 60}{'b' * 60}'])",
    ):
        await tab.value(f"console.{call}")
