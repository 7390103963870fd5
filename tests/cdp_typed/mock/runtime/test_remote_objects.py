"""Remote objects: `Runtime.callFunctionOn` with them, and Chromium 156's errors."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.runtime.playwright import decoded, encoded
from tests.cdp_typed.mock.raw_client import Client, Params

CALL = "(utilityScript, ...args) => utilityScript.evaluate(...args)"


def held(client: Client, page: str, expression: str = "({a: 1, b: [2]})") -> str:
    """Return the id of an object of the page."""
    return str(client.result("Runtime.evaluate", {"expression": expression}, page)["result"]["objectId"])


def called(client: Client, page: str, declaration: str, **params: Any) -> Params:
    return dict(client.result("Runtime.callFunctionOn", {"functionDeclaration": declaration, **params}, page)["result"])


def refused(client: Client, page: str, declaration: str, **params: Any) -> str:
    return str(client.error("Runtime.callFunctionOn", {"functionDeclaration": declaration, **params}, page)["message"])


def utility(client: Client, page: str, *values: Any) -> Any:
    """Call a function as Playwright does; return its result in Playwright's format."""
    script = "(() => new (module.exports.UtilityScript())(globalThis, false))()"
    shown = client.result("Runtime.evaluate", {"expression": script}, page)["result"]
    assert (shown["className"], shown["description"]) == ("UtilityScript", "UtilityScript")
    object_id = shown["objectId"]
    arguments = [{"objectId": object_id}, *({} if value is UNSET else {"value": value} for value in values)]
    return called(client, page, CALL, objectId=object_id, arguments=arguments, returnByValue=True).get("value")


def test_playwright_evaluates_functions_and_expressions(client: Client, page: str) -> None:
    assert utility(client, page, True, True, "(x) => x + 1", 1, 41) == 42
    assert utility(client, page, UNSET, True, "6 * 7", 1, {"v": "null"}) == 42
    assert utility(client, page, UNSET, True, "undefined", 0) == {"v": "undefined"}


def test_playwright_hears_of_what_the_mock_does_not_know(client: Client, page: str) -> None:
    assert called(client, page, CALL, executionContextId=1)["className"] == "MockError"
    assert (
        called(
            client,
            page,
            CALL,
            executionContextId=1,
            arguments=[{}, {}, {}, {"value": "1"}, {"value": 9}, {"value": {"h": 0}}],
        )["className"]
        == "MockError"
    )


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (1, 1),
        ("text", "text"),
        (False, False),
        (None, {"v": "null"}),
        (UNSET, {"v": "undefined"}),
        (float("inf"), {"v": "Infinity"}),
        (float("-inf"), {"v": "-Infinity"}),
        ([1, None], {"a": [1, {"v": "null"}], "id": 1}),
        ({"k": [True]}, {"o": [{"k": "k", "v": {"a": [True], "id": 1}}], "id": 1}),
    ],
)
def test_values_in_playwrights_form(value: Any, form: Any) -> None:
    assert encoded(value) == form
    assert decoded(form) == value


def test_not_a_number_in_playwrights_form() -> None:
    assert encoded(float("nan")) == {"v": "NaN"}
    assert str(decoded({"v": "NaN"})) == "nan"


def test_an_argument_of_another_form_is_not_guessed() -> None:
    with pytest.raises(Unsupported, match="Playwright's utility script"):
        decoded({"h": 0})


def test_playwright_gets_references_to_objects_of_the_browser(client: Client, page: str) -> None:
    assert utility(client, page, False, True, "window", 0) == "ref: <Window>"
    assert utility(client, page, False, True, "document", 0) == "ref: <Document>"
    assert utility(client, page, False, True, "[document.body]", 0) == {"a": ["ref: <Node>"], "id": 1}
    with pytest.raises(AssertionError, match="what Playwright makes of a Navigator"):
        utility(client, page, False, True, "({a: navigator, b: matchMedia('print'), c: screen})", 0)
