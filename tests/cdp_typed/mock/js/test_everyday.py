"""Expressions that programs send every day: the mock gives what Chromium gives, or refuses.

`everyday.json` has Chromium's answers, of a page `/every/day?a=1&b=two#part` beside `/data`, which is the only one of
its browser context. An answer without a value depends on the machine or the moment: only its type counts. `sent` tells
how often the code of each project has the expression; the 200 that have it are the most frequent ones. They, and the
others that are `alone`, may change more than variables: each gets a new page. `mock` says which the mock refuses.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import CommandError, Session, connect
from cdp_typed.helpers import goto, new_context
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer, Page
from cdp_typed.mock.js.global_names import NAMES
from cdp_typed.mock.js.library.functions import FUNCTIONS
from cdp_typed.protocol import page, storage
from tests.support.servers.sites import Response, Sites

EVERYDAY: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("everyday.json").read_text(encoding="utf-8"))
ANSWERS: dict[str, dict[str, Any]] = {expression: entry["chromium"] for expression, entry in EVERYDAY.items()}
TITLE, DATA = "Everyday page", '{"a": 1}'
PATH = "/every/day?a=1&b=two#part"
ALONE = frozenset(expression for expression, entry in EVERYDAY.items() if "sent" in entry or "alone" in entry)
NEVER_SETTLED = frozenset(
    expression
    for expression in ANSWERS
    if expression.startswith("new Promise(") and ("{}" in expression or "getCurrentPosition" in expression)
)
REFUSED = frozenset(expression for expression, entry in EVERYDAY.items() if entry.get("mock") == "refuses")


async def _answer(tab: Session, expression: str) -> dict[str, Any]:
    options = {"expression": expression, "returnByValue": True, "awaitPromise": expression not in NEVER_SETTLED}
    try:
        reply = await tab.send_raw("Runtime.evaluate", options)
    except CommandError as error:
        return {"error": error.message}
    if (details := reply.get("exceptionDetails")) is not None:
        return {"thrown": details["exception"].get("description", details["text"]).partition("\n")[0]}
    return {name: value for name, value in reply["result"].items() if name != "className"}


async def _prepare(tab: Session) -> None:
    """Accept the dialogs of the page."""
    await tab.send(page.Enable())
    accept = page.HandleJavaScriptDialog(accept=True)
    tab.listen(lambda _, dialog: tab.send_nowait(accept), page.JavascriptDialogOpening)


def _comparable(answers: dict[str, dict[str, Any]], site: str) -> dict[str, dict[str, Any]]:
    """Name the port, and leave out the values that `everyday.json` leaves out."""
    port = f":{site.rpartition(':')[2]}"
    for expression, answer in answers.items():
        if "type" in ANSWERS[expression] and "value" not in ANSWERS[expression]:
            answers[expression] = {name: answer[name] for name in ANSWERS[expression] if name in answer} or answer
    return dict(json.loads(json.dumps(answers).replace(port, ":PORT")))


async def test_the_mock_answers_as_chromium_or_refuses() -> None:
    site = "http://127.0.0.1:8000"
    pages = {f"{site}/every/day?a=1&b=two": Page(title=TITLE), f"{site}/data": Page(body=DATA)}
    given: dict[str, dict[str, Any]] = {}
    async with MockServer(pages) as mock, connect(mock.url) as browser:
        waiting = sorted(ANSWERS, key=lambda expression: expression in ALONE)
        while waiting:
            async with new_context(browser) as context, context.new_page() as tab:
                await _prepare(tab)
                await goto(tab, f"{site}{PATH}")
                while waiting:
                    expression = waiting.pop(0)
                    given[expression] = await _answer(tab, expression)
                    # After a refusal, a document does not know what that script may have defined.
                    if expression in ALONE or "MockError" in str(given[expression].get("thrown")):
                        break

    answers = _comparable(given, site)
    refused = {expression for expression, answer in answers.items() if "MockError" in str(answer.get("thrown"))}
    assert {expression: answer for expression, answer in answers.items() if expression not in refused} == {
        expression: answer for expression, answer in ANSWERS.items() if expression not in refused
    }
    assert refused == REFUSED


@pytest.mark.thorough
async def test_chromium_still_answers_so(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/every/day"] = f"<!doctype html><link rel=icon href=data:,><title>{TITLE}</title>"
    sites.pages["/data"] = Response(DATA, headers={"Content-Type": "application/json"})

    site = sites.remote("")
    given: dict[str, dict[str, Any]] = {}
    async with connect(chromium.http_url) as browser, new_context(browser) as context, context.new_page() as tab:
        await _prepare(tab)
        await goto(tab, f"{site}{PATH}")
        for expression in sorted(ANSWERS, key=lambda expression: expression in ALONE):
            if expression in ALONE:
                await tab.send(storage.ClearDataForOrigin(origin=site, storage_types="all"))
                await goto(tab, "about:blank")
                await goto(tab, f"{site}{PATH}")
            given[expression] = await _answer(tab, expression)

    assert _comparable(given, site) == ANSWERS


async def test_a_page_that_another_may_cover_does_not_say_whether_it_is_visible() -> None:
    expressions = ("document.visibilityState", "document.hidden", "document.hasFocus()")
    async with (
        MockServer() as mock,
        connect(mock.url) as browser,
        new_context(browser) as context,
        context.new_page() as tab,
    ):
        alone = [await _answer(tab, expression) for expression in expressions]
        async with context.new_page():
            beside = [await _answer(tab, expression) for expression in expressions]

    assert [answer["value"] for answer in alone] == ["visible", False, True]
    assert ["MockError" in str(answer) for answer in beside] == [True, True, True]


_ALL_NAMES = """
    const names = [];
    for (let holder = globalThis; holder; holder = Object.getPrototypeOf(holder))
        names.push(...Object.getOwnPropertyNames(holder));
    names"""


@pytest.mark.thorough
async def test_no_name_that_chromium_has_is_undefined(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = ""
    async with connect(chromium.http_url) as browser, new_context(browser) as context, context.new_page() as tab:
        await goto(tab, sites.remote("/"))
        names = await tab.send_raw("Runtime.evaluate", {"expression": _ALL_NAMES, "returnByValue": True})

    assert set(names["result"]["value"]) - NAMES - set(FUNCTIONS) == {"Infinity", "NaN", "undefined"}
