"""Expressions that programs send every day: the mock gives what Chromium gives, or refuses.

`everyday.json` has Chromium's answers, of a page `/every/day?a=1&b=two#part` beside `/data`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import Session, connect
from cdp_typed.helpers import goto, new_context
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer, Page
from tests.support.servers.sites import Response, Sites

ANSWERS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("everyday.json").read_text(encoding="utf-8"))
TITLE, DATA = "Everyday page", '{"a": 1}'
REFUSED = frozenset(
    """location.pathname.split('/').pop
typeof localStorage === 'undefined'
navigator.userAgent.length > 0
navigator.language.length > 0
document.hasFocus()
document.visibilityState
document.hidden
document.querySelector('h1') === null
document.body.innerText
window.scrollY
window.innerWidth > 0
localStorage.getItem('nothing')
performance.now() > 0
Date.now() > 0
new Date(0).toISOString()
/a(b)/.test('ab')
'a1b2'.replace(/[0-9]/g, '')
(async () => 1)()
(async () => { await null; return 2 })()
await 1
'ab'.match(/b/).index
new URL(location.href).pathname
new URLSearchParams(location.search).get('a')""".splitlines()
)


async def _answer(tab: Session, expression: str) -> dict[str, Any]:
    options = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    reply = await tab.send_raw("Runtime.evaluate", options)
    if "exceptionDetails" in reply:
        return {"thrown": reply["result"]["description"].partition("\n")[0]}
    return {name: value for name, value in reply["result"].items() if name != "className"}


def _named_port(answers: dict[str, dict[str, Any]], site: str) -> dict[str, dict[str, Any]]:
    return dict(json.loads(json.dumps(answers).replace(f":{site.rpartition(':')[2]}", ":PORT")))


async def test_the_mock_answers_as_chromium_or_refuses() -> None:
    site = "http://127.0.0.1:8000"
    pages = {f"{site}/every/day?a=1&b=two": Page(title=TITLE), f"{site}/data": Page(body=DATA)}
    given: dict[str, dict[str, Any]] = {}
    async with MockServer(pages) as mock, connect(mock.url) as browser:
        for expression in ANSWERS:  # after a refusal, a document does not know what that script may have defined
            async with browser.new_page() as tab:
                await goto(tab, f"{site}/every/day?a=1&b=two#part")
                given[expression] = await _answer(tab, expression)

    answers = _named_port(given, site)
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
    async with (
        connect(chromium.http_url) as browser,
        new_context(browser) as context,
        context.new_page() as tab,
    ):
        await goto(tab, f"{site}/every/day?a=1&b=two#part")
        given = {expression: await _answer(tab, expression) for expression in ANSWERS}

    assert _named_port(given, site) == ANSWERS
