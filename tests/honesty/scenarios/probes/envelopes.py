"""Scenarios of messages that are no calls, or calls with parameters that are none."""

from __future__ import annotations

import json
from typing import Final

from tests.honesty.player import AUTO_ATTACH, Play
from tests.honesty.scenarios.registry import Calls, Scenario, register, scenario, scenarios_of_calls

NO_CALLS: Final = {
    "text_that_is_no_json": ["", "x", "{", "}", '{"id": 1001', "{id: 1002}", "{'id': 1003}"],
    "json_that_is_no_object": ["[]", "1", '"a"', "null", "true", '[{"id": 1001, "method": "Nothing.atAll"}]'],
    "calls_without_an_id": ['{"method": "Nothing.atAll"}', "{}", '{"params": {}}'],
    "ids_that_are_no_integers": [
        f'{{"id": {number}, "method": "Nothing.atAll"}}' for number in ('"1001"', "1001.5", "null", "true", "[]", "{}")
    ],
    "ids_at_the_ends": [
        f'{{"id": {number}, "method": "Nothing.atAll"}}'
        for number in ("-1", "2147483647", "-2147483648", "2147483648", "9007199254740993")
    ],
    "ids_written_as_fractions": [
        f'{{"id": {number}, "method": "Nothing.atAll"}}' for number in ("1001.0", "1e3", "1.1e4")
    ],
    "methods_that_are_no_strings": [
        f'{{"id": 1001, "method": {method}}}' for method in ("7", "null", "true", "[]", "{}")
    ],
    "calls_without_a_method": ['{"id": 1001}', '{"id": 1002, "params": {}}'],
    "methods_of_no_domain": [
        f'{{"id": 1001, "method": "{method}"}}'
        for method in (
            "none",
            ".x",
            "x.",
            ".",
            "Target.",
            "target.getTargets",
            "Target.GetTargets",
            " Target.getTargets",
        )
    ],
    "sessions_that_are_no_strings": [
        f'{{"id": 1001, "method": "Nothing.atAll", "sessionId": {session}}}' for session in ("7", "true", "[]", "{}")
    ],
    "properties_that_no_message_has": [
        '{"id": 1001, "method": "Nothing.atAll", "jsonrpc": "2.0"}',
        '{"id": 1002, "method": "Nothing.atAll", "ID": 1}',
        '{"jsonrpc": "2.0"}',
    ],
    "properties_that_come_twice": [
        '{"id": 1001, "id": 1002, "method": "Nothing.atAll"}',
        '{"id": 1003, "method": "Nothing.atAll", "method": "Nothing.more"}',
    ],
    "blanks_around_a_message": [
        ' {"id": 1001, "method": "Nothing.atAll"}',
        '{"id": 1002, "method": "Nothing.atAll"}\n',
        '{ "id" :\t1003 , "method" : "Nothing.atAll" }',
    ],
    "text_after_a_message": [
        '{"id": 1001, "method": "Nothing.atAll"} x',
        '{"id": 1002, "method": "Nothing.atAll"}{"id": 1003, "method": "Nothing.atAll"}',
    ],
    "json_of_other_dialects": [
        '{"id": 1001, "method": "Nothing.atAll",}',
        '{"id": 01002, "method": "Nothing.atAll"}',
        '{"id": +1003, "method": "Nothing.atAll"}',
        '{"id": NaN, "method": "Nothing.atAll"}',
    ],
    "methods_written_with_escapes": [
        '{"id": 1001, "method": "\\u004eothing.atAll"}',
        '{"id": 1002, "method": "Nothing.\\n\\u00e4\\u20ac"}',
        '{"id": 1003, "method": "Nothing.\\ud83d\\ude00"}',
    ],
    "an_id_that_is_used_again": ['{"id": 1001, "method": "Nothing.atAll"}'] * 3,
    "a_session_that_is_null": ['{"id": 1001, "method": "Nothing.atAll", "sessionId": null}'],
}

REFUSED: Final[dict[str, Calls]] = {
    "parameters_of_another_type": [
        ("Page.navigate", {"url": []}),
        ("Page.navigate", {"url": None}),
        ("Page.navigate", {"url": "about:blank", "referrer": 1}),
        ("Page.setBypassCSP", {"enabled": 1}),
        ("Page.setBypassCSP", {"enabled": "true"}),
        ("Runtime.addBinding", {"name": True}),
    ],
    "numbers_that_are_no_integers": [
        ("Runtime.evaluate", {"expression": "1", "contextId": 1.5}),
        ("Runtime.evaluate", {"expression": "1", "contextId": "1"}),
        ("Runtime.evaluate", {"expression": "1", "contextId": 2**40}),
        ("Runtime.evaluate", {"expression": "1", "contextId": -1}),
        ("Page.navigateToHistoryEntry", {"entryId": 0.5}),
        ("Page.navigateToHistoryEntry", {"entryId": 10**6}),
    ],
    "parameters_inside_of_others": [
        ("Target.setAutoAttach", {**AUTO_ATTACH, "filter": [{"type": 7}]}),
        ("Fetch.enable", {"patterns": "x"}),
        ("Fetch.enable", {"patterns": [{"urlPattern": 1}]}),
        ("Fetch.enable", {"patterns": ["x"]}),
        ("Network.setCookies", {"cookies": [{}]}),
        ("Runtime.callFunctionOn", {"functionDeclaration": "() => 1", "arguments": [1]}),
    ],
    "parameters_that_are_left_out": [
        ("Page.addScriptToEvaluateOnNewDocument", {}),
        ("Page.createIsolatedWorld", {}),
        ("Runtime.callFunctionOn", {}),
        ("Runtime.addBinding", {}),
        ("Network.setCookie", {}),
        ("Target.setAutoAttach", {}),
        ("Target.setAutoAttach", {"autoAttach": True}),
        ("Input.dispatchMouseEvent", {}),
        ("Input.dispatchMouseEvent", {"type": "mousePressed"}),
    ],
    "parameters_that_nobody_knows": [
        ("Page.getFrameTree", {"unknown": 1}),
        ("Runtime.evaluate", {"expression": "1", "": 2}),
        ("Runtime.evaluate", {"expression": "1", "Expression": "2"}),
    ],
    "values_of_no_enumeration": [
        ("Page.setDownloadBehavior", {"behavior": "perhaps"}),
        ("Network.setCookie", {"name": "a", "value": "b", "url": "http://x.test/", "sameSite": "Never"}),
        ("Fetch.enable", {"patterns": [{"requestStage": "Later"}]}),
        ("Fetch.disable", {}),
    ],
    "optional_parameters_that_are_null": [
        ("Runtime.evaluate", {"expression": "1", "contextId": None}),
        ("Runtime.evaluate", {"expression": "1", "returnByValue": None}),
        ("Page.reload", {"loaderId": None}),
    ],
}


def texts_of_no_calls() -> None:
    """Register a scenario for each list of texts."""

    def of(texts: list[str]) -> Scenario:
        async def play_texts(play: Play) -> None:
            await (await play.client()).raw(*texts)

        return play_texts

    for name, texts in NO_CALLS.items():
        register(name, __name__, of(texts))


texts_of_no_calls()
scenarios_of_calls(__name__, REFUSED)


@scenario
async def a_message_deep_inside_of_itself(play: Play) -> None:
    client = await play.client()
    for depth in (50, 250, 500):
        inner = "[" * depth + "]" * depth
        await client.raw(f'{{"id": {1000 + depth}, "method": "Nothing.atAll", "params": {{"deep": {inner}}}}}')


@scenario
async def a_call_that_is_long(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value(f"'{'x' * 200_000}'")
    await tab.call("Runtime.evaluate", {"expression": "1", "unknown": "x" * 200_000})


@scenario
async def a_session_that_has_been_detached(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.call("Target.detachFromTarget", {"sessionId": tab.session})
    await tab.call("Runtime.evaluate", {"expression": "1"})
    await tab.call("Nothing.atAll")
    await tab.client.call("Target.detachFromTarget", {"sessionId": tab.session})


@scenario
async def a_session_of_another_client(play: Play) -> None:
    tab = await play.tab("/plain")
    other = await play.client()
    await other.call("Runtime.evaluate", {"expression": "1"}, on=tab.session)
    await other.call("Target.detachFromTarget", {"sessionId": tab.session})
    await tab.value("1 + 1")


@scenario
async def texts_on_a_page_of_its_own(play: Play) -> None:
    """A session of a page takes the same messages as the browser."""
    tab = await play.tab("/plain")
    for number, method in enumerate(("none", "Page.", "page.enable", "Browser.nothing", "Target.nothing")):
        call = {"id": 1001 + number, "method": method, "sessionId": tab.session}
        await tab.client.raw(json.dumps(call))


@scenario
async def texts_without_an_id_for_a_page(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.raw(
        json.dumps({"method": "Page.getFrameTree", "sessionId": tab.session}),
        json.dumps({"id": "x", "method": "Page.getFrameTree", "sessionId": tab.session}),
        json.dumps({"id": 1001, "sessionId": tab.session}),
    )
