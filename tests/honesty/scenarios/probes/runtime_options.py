"""Scenarios of the options of Runtime's commands."""

from __future__ import annotations

from typing import Any, Final

from tests.honesty.player import Params, Play, Tab
from tests.honesty.scenarios.registry import Calls, Scenario, evaluations, register, scenario, scenarios_of_calls

KINDS: Final = ("1", "'a'", "null", "undefined", "NaN", "-0", "Infinity", "[]", "[1, [2]]", "({a: {b: 1}})", "() => 1")


def functions(*declarations: str, **options: Any) -> Calls:
    """Return a call of `Runtime.callFunctionOn` for each declaration, in the page's first context."""
    return [("Runtime.callFunctionOn", {"functionDeclaration": text, **options}) for text in declarations]


EVALUATIONS: Final[dict[str, Calls]] = {
    "values_that_are_returned": evaluations(*KINDS, returnByValue=True),
    "objects_that_are_returned": evaluations("({a: 1})", "[1, 2]", "() => 1", "new Error('no')"),
    "errors_that_are_returned_by_value": evaluations("new Error('no')", "new TypeError('no')", returnByValue=True),
    "a_promise_that_is_awaited": evaluations(
        "Promise.resolve(1)", "Promise.resolve({a: 1})", "Promise.resolve()", "1", "({a: 1})", awaitPromise=True
    ),
    "a_promise_that_is_awaited_by_value": evaluations(
        "Promise.resolve(1)", "Promise.resolve([{a: 1}])", "Promise.resolve()", awaitPromise=True, returnByValue=True
    ),
    "a_promise_that_is_rejected": evaluations(
        "Promise.reject(new Error('no'))", "Promise.reject('no')", "Promise.reject()", awaitPromise=True
    ),
    "a_promise_that_is_not_awaited": evaluations("Promise.resolve(1)"),
    "exceptions_that_are_silent": evaluations("throw new Error('no')", "nowhere", "1", silent=True),
    "exceptions_by_value": evaluations("throw new Error('no')", "throw {a: 1}", "throw 1", returnByValue=True),
    "exceptions_of_every_kind": evaluations(
        "throw new TypeError('no')", "throw null", "throw undefined", "throw 1", "throw [1]", "throw {a: 1}"
    ),
    "names_that_are_not_there": evaluations("nowhere", "nowhere.more", "nowhere()", "typeof nowhere", "window.nowhere"),
    "members_of_nothing": evaluations("null.a", "undefined.a", "(void 0).a", "window.nowhere.more"),
    "calls_of_what_is_no_function": evaluations("(1)()", "window.nowhere()", "document.title()", "'a'()"),
    "values_without_side_effects": evaluations(
        "1 + 1", "document.title", "location.href", "({a: 1}).a", "[1, 2].length", throwOnSideEffect=True
    ),
    "side_effects_that_are_refused": evaluations(
        "window.a = 1", "document.title = 'x'", "alert(1)", "console.log(1)", "Math.random()", throwOnSideEffect=True
    ),
    "text_that_is_no_script": evaluations("1 +", "(", "}", "'", "if", "", " ", ";", "// nothing"),
    "a_group_of_objects": [
        *evaluations("({a: 1})", "[1]", objectGroup="mine"),
        ("Runtime.releaseObject", {"objectId": "1.77.1"}),
    ],
    "operators_on_values": evaluations(
        *("1 + '1'", "'3' * '4'", "1 / 0", "0 / 0", "2 ** 10", "7 % 3", "-7 % 3", "'a' < 'b'", "null == undefined"),
        *("null === undefined", "NaN === NaN", "!''", "!!'a'", "1 && 2", "0 || 'a'", "true ? 1 : 2", "7 / 2"),
        *("2 ** 0.5", "var q = 3", "1 + 1; 2", "document.title = 'new'"),
    ),
    "types_of_values": evaluations(
        "typeof 1", "typeof 'a'", "typeof null", "typeof undefined", "typeof (() => 1)", "typeof {}", "typeof window"
    ),
    "texts_with_escapes": evaluations(
        "'\\n\\t\\u00e4\\x41'", "'\u20ac\U0001f600'", '"it\'s"', "`plain`", "'a' + 'b'", "'\\\\'"
    ),
    "numbers_of_every_form": evaluations(
        "1.5", "1e3", "0.1 + 0.2", "1e21", "-1", "9007199254740993", "1e-7", "100000000000000000000", "-1e400"
    ),
    "contexts_that_are_not_there": [
        *evaluations("1", contextId=0),
        *evaluations("1", contextId=999999),
        *evaluations("1", uniqueContextId=""),
        *evaluations("1", uniqueContextId="x"),
        *evaluations("1", uniqueContextId="1.2.3"),
    ],
    "bindings_added_and_removed": [
        ("Runtime.addBinding", {"name": "tell"}),
        *evaluations("tell('a')", "typeof tell", "tell()", "tell(1)", "tell('a', 'b')"),
        ("Runtime.removeBinding", {"name": "tell"}),
        *evaluations("typeof tell", "tell('b')"),
        ("Runtime.removeBinding", {"name": "never"}),
        ("Runtime.addBinding", {"name": "a", "executionContextName": "w", "executionContextId": 1}),
    ],
    "objects_that_are_not_there": [
        ("Runtime.releaseObject", {"objectId": "x"}),
        ("Runtime.releaseObject", {"objectId": ""}),
        ("Runtime.releaseObject", {"objectId": "1.2.3"}),
        *functions("() => 1", objectId=""),
        *functions("() => 1", objectId="1.77.999"),
    ],
    "variables_between_calls": evaluations(
        *("var a = 1", "a", "window.a", "let b = 2", "b", "window.b", "const c = 3; c", "c"),
        *("d = 4", "window.d", "window.e = 5; e"),
    ),
    "enabled_twice_on_one_session": [
        (method, {}) for method in ("Runtime.enable", "Page.enable", "Runtime.disable", "Runtime.disable")
    ],
    "terminated_where_nothing_runs": [("Runtime.terminateExecution", {}), *evaluations("1 + 1", "1 + 1")],
}
scenarios_of_calls(__name__, EVALUATIONS)


async def context_of(tab: Tab) -> int:
    """Return the number of the page's own context, in a new document."""
    await tab.call("Runtime.disable")
    enabled = tab.start("Runtime.enable")
    created = await tab.event("Runtime.executionContextCreated")
    await tab.client.answer(enabled)
    number: int = created["context"]["id"]
    return number


async def call_all(tab: Tab, *declarations: str, **options: Any) -> None:
    """Call each function in the page's own context."""
    context = await context_of(tab)
    for declaration in declarations:
        params = {"functionDeclaration": declaration, "executionContextId": context, **options}
        await tab.call("Runtime.callFunctionOn", params)


FUNCTIONS: Final = {
    "functions_in_a_context": ("() => 1", "function () { return 1 }", "function named() { return 1 }"),
    "functions_that_return_nothing": ("() => {}", "function () {}", "() => undefined", "() => null"),
    "texts_that_are_no_functions": ("1", "", "({a: 1})", "undefined", "1; 2", "'() => 1'", "nowhere"),
}


def called_in_turn(*declarations: str) -> Scenario:
    async def play_functions(play: Play) -> None:
        await call_all(await play.tab("/plain"), *declarations)

    return play_functions


for _name, _declarations in FUNCTIONS.items():
    register(_name, __name__, called_in_turn(*_declarations))


@scenario
async def functions_with_arguments(play: Play) -> None:
    values: list[Params] = [{"value": 1}, {"value": "a"}, {"unserializableValue": "-0"}, {}]
    tab = await play.tab("/plain")
    await call_all(tab, "(a, b, c, d) => [a, b, typeof c, typeof d]", "(a) => a", arguments=values, returnByValue=True)


@scenario
async def functions_that_throw(play: Play) -> None:
    tab = await play.tab("/plain")
    await call_all(tab, "() => { throw new Error('no') }", "() => nowhere", "() => { throw 1 }")
    await call_all(tab, "() => { throw new Error('no') }", silent=True)


@scenario
async def functions_that_promise(play: Play) -> None:
    tab = await play.tab("/plain")
    await call_all(
        tab, "() => Promise.resolve(1)", "() => Promise.reject('no')", "() => 2", awaitPromise=True, returnByValue=True
    )


@scenario
async def functions_of_a_context_that_is_gone(play: Play) -> None:
    tab = await play.tab("/plain")
    context = await context_of(tab)
    await tab.navigate(f"{play.own}/second")
    for method in ("Runtime.callFunctionOn", "Runtime.evaluate"):
        given = {"functionDeclaration": "() => 1", "executionContextId": context}
        await tab.call(method, given if method.endswith("On") else {"expression": "1", "contextId": context})


@scenario
async def functions_named_twice(play: Play) -> None:
    """An object and a context; two contexts."""
    tab = await play.tab("/plain")
    context = await context_of(tab)
    held = (await tab.call("Runtime.evaluate", {"expression": "({a: 1})"}))["result"]["objectId"]
    for place in (
        {"objectId": held, "executionContextId": context},
        {"executionContextId": context, "uniqueContextId": "1.1"},
        {"executionContextId": 999999},
        {"uniqueContextId": "x"},
    ):
        await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", **place})


@scenario
async def objects_of_a_document_that_is_gone(play: Play) -> None:
    tab = await play.tab("/plain")
    held = (await tab.call("Runtime.evaluate", {"expression": "({a: 1})"}))["result"]["objectId"]
    await tab.navigate(f"{play.own}/second")
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "objectId": held})
    await tab.call("Runtime.releaseObject", {"objectId": held})


@scenario
async def objects_of_a_group(play: Play) -> None:
    tab = await play.tab("/plain")
    evaluated = ("({a: 1})", "mine"), ("({a: 2})", "yours"), ("Promise.resolve({a: 3})", "mine"), ("throw {}", "mine")
    held: list[str] = []
    for expression, group in evaluated:
        params = {"expression": expression, "objectGroup": group, "awaitPromise": True}
        held.append((await tab.call("Runtime.evaluate", params))["result"]["objectId"])
    function = {"functionDeclaration": "function () { return this }"}
    places = {"objectId": held[0]}, {"objectId": held[1]}, {"objectId": held[1], "objectGroup": "mine"}
    replies = [await tab.call("Runtime.callFunctionOn", function | place) for place in places]
    held += [reply["result"]["objectId"] for reply in replies]
    for group in ("mine", "mine", "never", ""):
        await tab.call("Runtime.releaseObjectGroup", {"objectGroup": group})
    for object_id in held:
        await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "objectId": object_id})


@scenario
async def objects_of_another_session(play: Play) -> None:
    tab = await play.tab("/plain")
    late = await play.attach(await play.client(), tab.target)
    held = (await tab.call("Runtime.evaluate", {"expression": "({a: 1})"}))["result"]["objectId"]
    await late.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "objectId": held})
    await late.call("Runtime.releaseObject", {"objectId": held})


@scenario
async def objects_of_another_target(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    held = (await tab.value("({a: 1})", on=tab.frames[0]))["result"]["result"]["objectId"]
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "(x) => x", "objectId": held})
    await tab.client.call("Page.navigateToHistoryEntry", {"entryId": 1}, on=tab.frames[0])


@scenario
async def objects_given_to_a_function(play: Play) -> None:
    tab = await play.tab("/plain")
    held = (await tab.call("Runtime.evaluate", {"expression": "({a: 1})"}))["result"]["objectId"]
    for argument in ({"objectId": held}, {"objectId": "x"}, {"value": {"a": 2}}, {"value": [1]}, {"value": None}):
        params = {"functionDeclaration": "(x) => x", "objectId": held, "arguments": [argument], "returnByValue": True}
        await tab.call("Runtime.callFunctionOn", params)


@scenario
async def what_a_function_is_called_on(play: Play) -> None:
    tab = await play.tab("/plain")
    held = (await tab.call("Runtime.evaluate", {"expression": "({a: 1, b: {c: 2}})"}))["result"]["objectId"]
    for declaration in (
        "function () { return this.a }",
        "function () { return this.b }",
        "function () { return this.z }",
    ):
        await tab.call("Runtime.callFunctionOn", {"functionDeclaration": declaration, "objectId": held})


@scenario
async def evaluated_by_the_unique_id_of_a_context(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Runtime.disable")
    enabled = tab.start("Runtime.enable")
    created = await tab.event("Runtime.executionContextCreated")
    await tab.client.answer(enabled)
    unique = created["context"]["uniqueId"]
    await tab.call("Runtime.evaluate", {"expression": "1 + 1", "uniqueContextId": unique})
    await tab.call("Runtime.callFunctionOn", {"functionDeclaration": "() => 2", "uniqueContextId": unique})
    await tab.navigate(f"{play.own}/second")
    await tab.call("Runtime.evaluate", {"expression": "1 + 1", "uniqueContextId": unique})


@scenario
async def variables_of_a_world(play: Play) -> None:
    """Worlds share the document, and no variables."""
    tab = await play.tab("/plain")
    world = await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": "w"})
    inside = {"contextId": world["executionContextId"]}
    for expression in ("var a = 1", "a", "document.title", "document.title = 'New'", "window.mine = 1", "mine"):
        await tab.call("Runtime.evaluate", {"expression": expression, **inside})
    for expression in ("typeof a", "document.title", "window.mine"):
        await tab.value(expression)


@scenario
async def console_of_a_world(play: Play) -> None:
    tab = await play.tab("/plain")
    world = await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": "w"})
    inside = {"contextId": world["executionContextId"]}
    await tab.call("Runtime.evaluate", {"expression": "console.log('inside')", **inside})
    await tab.event("Runtime.consoleAPICalled")


@scenario
async def console_values_of_every_kind(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in ("undefined", "null", "-0", "NaN", "'a', 'b'", "[1, 2]", "({a: 1})", "() => 1"):
        await tab.value(f"console.log({expression})")
        await tab.event("Runtime.consoleAPICalled")


@scenario
async def one_world_made_twice(play: Play) -> None:
    """A second one of the same name in the same frame is another one, or the same."""
    tab = await play.tab("/plain")
    for name in ("w", "w", "v", ""):
        await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": name})
    await tab.call("Page.createIsolatedWorld", {"frameId": tab.target})
    await tab.call("Page.createIsolatedWorld", {"frameId": tab.target, "worldName": "u", "grantUniveralAccess": True})
