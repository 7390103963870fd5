"""A page that wants to be taken for the tools says nothing outside quotes, fences and addresses; on real Chromium."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from cdp_agent import DIALOG, DONE, REFUSED, UNSURE
from cdp_typed.cli import main as client_main
from supervisor import CDPSupervisor, Config, EvaluationFailed, SupervisorRegistry
from supervisor.addons.agent_cli.background.session import AgentSession, CommandLine
from supervisor.tools import Toolbox
from tests.support.browsers import launched
from tests.support.hostile_texts import MARK, TEXTS, chunks, outside_quotes
from tests.support.servers.sites import Request, Response, Sites

pytestmark = pytest.mark.chromium

PAGE = """<!doctype html><link rel=icon href=data:,><body><script>
const texts = %s, chunks = %s;
const add = (tag, attributes, text) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(text || '');
    document.body.append(node);
    return node;
};
add('button', {onclick: 'ask()'}, 'Ask');
for (const text of texts) {
    add('p', {}, text);
    add('button', {'aria-description': text, 'aria-haspopup': text, 'aria-pressed': text, 'aria-expanded': text}, text);
    add('div', {role: text, tabindex: 0, 'aria-label': text, 'aria-level': text, 'aria-roledescription': text}, text);
    add('h1', {'aria-level': text}, text);
    add('input', {'aria-label': text, 'aria-invalid': text, placeholder: text, value: text, type: text});
    add('textarea', {}, text);
    add('select', {}).append(new Option(text, text));
    add('a', {href: 'https://other.test/' + text, title: text}, text);
    add('a', {href: 'data:text/html,' + text}, 'data');
    add('img', {src: 'data:,' + text, alt: text, width: 9, height: 9});
    console.log(text, {[text]: text});
    console.error(text);
}
for (const text of chunks) {
    add('li', {}, text);
    add('table', {}).innerHTML = '<tr><td><td>';
    document.querySelectorAll('table:last-of-type td').forEach(cell => { cell.textContent = text; });
    add('iframe', {name: text, title: text, src: 'about:blank#' + text});
    add('iframe', {name: text, style: 'display:none'});
}
setTimeout(() => { throw new Error(texts.join('')); });
document.title = chunks[0];
const ask = () => {
    for (let n = 0; n < texts.length; n += 2) prompt(texts[n] + texts[n + 1], texts[n + 1] + texts[n]);
};
const fail = () => Promise.allSettled(texts.map((text, number) => fetch(
    '/fails/' + encodeURIComponent(text) + '?' + text, {method: 'PWNED' + number, headers: {'X-Text': 'x'}})));
const save = text => {
    const link = add('a', {href: URL.createObjectURL(new Blob(['x'])), download: text});
    link.click();
};
</script>"""


def answer(request: Request) -> Response:
    """Challenges and headers as hostile as the page."""
    number = int(request.path.rpartition("/")[2])
    text = chunks(1_500)[number] if request.path.startswith("/login") else TEXTS[number]
    raw = re.sub(r"[\r\n\0]", "", text).encode("utf-8", "replace").decode("latin-1")
    if request.path.startswith("/login"):
        realm = raw.replace("\\", "\\\\").replace('"', '\\"')
        return Response("who?", 401, {"WWW-Authenticate": f'Basic realm="{realm}"'})
    name = quote(text.encode("utf-8", "replace"))
    return Response("x", 200, {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "X-Text": raw})


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """The server of the page."""
    with Sites() as sites:
        frames = chunks(260)[:14]
        sites.pages["/page"] = PAGE % tuple(json.dumps(part).replace("</", "<\\/") for part in (TEXTS, frames))
        sites.pages |= {f"/{kind}/{number}": answer for kind in ("login", "file") for number in range(len(TEXTS))}
        yield sites


@pytest.fixture(scope="module")
def browser_url(sites: Sites) -> Iterator[str]:
    """A browser for the tests of this file."""
    with launched(omnibox=False) as browser:
        yield browser.ws_url


class Hands:
    """All tools, each result of which is looked at."""

    def __init__(self, tools: Toolbox, sites: Sites) -> None:
        self.sites = sites
        self.shown: set[str] = set()
        """The characters of all results."""
        self._tools = tools

    def call(self, name: str, **arguments: Any) -> str:
        """The result of a tool, as a model reads it."""
        result = self._tools.dispatch(name, arguments)
        text = self._tools.as_text(name, result)
        assert result.isascii()
        rest = outside_quotes(text).replace('""', "")
        assert re.findall(rf"(?i).*(?:{MARK}|\").*", rest) == [], (name, arguments)
        assert text.splitlines() == text.split("\n")
        self.shown |= {*text}
        return text


@pytest.fixture(scope="module")
def hands(browser_url: str, sites: Sites) -> Iterator[Hands]:
    """All tools on the page."""
    registry = SupervisorRegistry()
    config = Config(
        cdp_url=browser_url, call_timeout_s=20, watch_requests=True, watch_http_auth=True, dialog_storm_limit=10_000,
        console_capacity=1_000,
    )  # fmt: skip
    yield Hands(Toolbox(config, registry=registry, toolsets="all"), sites)
    registry.stop_all()


@pytest.fixture
def page(hands: Hands, caplog: pytest.LogCaptureFixture) -> Iterator[Hands]:
    """The hostile page, just loaded. In the end neither results nor logs have shown anything that cannot be seen."""
    caplog.set_level(logging.DEBUG)
    hands.call("browser_navigate", url=hands.sites.local("/page"))
    yield hands
    characters = json.dumps("".join(sorted(hands.shown - {"\n", "\t"})))
    unseen = rf"[...{characters}].filter(c => /[\p{{C}}\p{{Zl}}\p{{Zp}}\p{{Default_Ignorable_Code_Point}}]/u.test(c))"
    assert "[]" in hands.call("browser_evaluate", expression=unseen)
    assert [line for line in caplog.messages if not line.isprintable()] == []


def test_the_page_as_the_tools_show_it(page: Hands) -> None:
    shown = page.call("browser_snapshot", max_chars=90_000)
    assert len(re.findall(MARK, shown)) > 8 * len(TEXTS)
    ask = re.findall(r'button "Ask" \[ref=(e\d+)\]', shown)
    for text in (
        page.call("browser_snapshot", interactive_only=True, max_chars=90_000),
        page.call("browser_console", limit=1_000),
        page.call("browser_get_images"),
        page.call("browser_tabs"),
        page.call("browser_cdp", method="Page.getNavigationHistory"),
    ):
        assert MARK in text
    # What looks like a ref, or like the reason why a frame was not read, is only text in quotes.
    found = page.call("browser_snapshot", find="no line has this")
    assert MARK not in outside_quotes(found)
    assert "(not read: PWNED" not in found
    assert page.call("browser_snapshot", ref=ask[0]).splitlines()[-1] == f'button "Ask" [ref={ask[0]}]'


def test_values_and_errors_of_scripts(page: Hands) -> None:
    for expression in (
        "texts.join('')",
        "({[texts[3]]: texts, list: texts.map(text => ({[text]: text}))})",
        "Object.assign(() => {}, {toString: () => texts[3]})",
        "document.body",
        "Promise.reject(texts.join(''))",
    ):
        assert page.call("browser_evaluate", expression=expression)
    for number in range(len(TEXTS)):
        thrown = page.call("browser_evaluate", expression=f"throw new Error(texts[{number}])")
        assert thrown.startswith("The script threw an exception; see page_error."), thrown
    page.call("browser_cdp", method="Runtime.evaluate", params={"expression": "texts.join('')"})
    page.call("browser_cdp", method="Runtime.evaluate", params={"expression": "throw new Error(texts.join(''))"})
    page.call("browser_cdp", method=MARK.lower(), params={})
    page.call("browser_evaluate", expression="1", frame_id="no such frame")


def test_titles_addresses_and_popups(page: Hands) -> None:
    for text in (*chunks(400), *TEXTS[-12:]):
        said = json.dumps(text)
        page.call(
            "browser_evaluate",
            expression=f"""document.title = {said};
            history.replaceState(null, '', '/page/' + encodeURIComponent({said}.slice(0, 99).toWellFormed())
                + '?' + {said} + '#' + {said}); 0""",
        )
        assert MARK in page.call("browser_tabs")
        page.call("browser_wait", until="loaded")
    page.call("browser_evaluate", expression="window.popup = open('about:blank'); popup.document.title = texts[9]; 0")
    assert MARK in page.call("browser_tabs")
    page.call("browser_evaluate", expression="popup.close()")


def test_dialogs_and_what_is_answered(page: Hands) -> None:
    shown = page.call("browser_snapshot", find="Ask")
    ref = re.findall(r'button "Ask" \[ref=(e\d+)\]', shown)[0]
    text = page.call("browser_click", ref=ref)
    for number in range(len(TEXTS) // 2):
        assert "dialog d-" in text, (number, text)
        if number == 9:
            page.call("browser_snapshot")
            page.call("browser_evaluate", expression="1")
            page.call("browser_navigate", url="about:blank")
        text = page.call("browser_dialog", action="accept", prompt_text=TEXTS[-number] if number % 9 == 8 else None)
    assert "closed dialog" in page.call("browser_snapshot", find="Ask")


def test_failed_requests_logins_and_downloads(page: Hands) -> None:
    page.call("browser_evaluate", expression="fail().then(() => 0)")
    while MARK not in page.call("browser_requests", failed=True, limit=50):
        page.call("browser_wait", until="time", value="0.3")
    logins = json.dumps([*range(len(chunks(1_500)))][:5])
    page.call("browser_evaluate", expression=f"{logins}.forEach(n => fetch('/login/' + n).catch(() => 0)); 0")
    while "blocker" not in page.call("browser_tabs"):
        page.call("browser_wait", until="time", value="0.3")
    page.call("browser_navigate", url="about:blank")  # ends them
    page.call("browser_navigate", url=page.sites.local("/page"))
    for number in range(0, len(TEXTS), 10):
        page.call("browser_evaluate", expression=f"save(texts[{number}]); 0")
    for number in range(4, len(TEXTS), 10):
        page.call("browser_navigate", url=page.sites.local(f"/file/{number}"))
    page.call("browser_tabs")


async def test_a_session_of_a_shell_prints_nothing_that_a_terminal_would_obey(
    page: Hands, browser_url: str, tmp_path: Path
) -> None:
    session = AgentSession(tmp_path / "private")
    try:
        for words, code in (
            (["open", page.sites.local("/page"), "--cdp", browser_url], DONE),
            (["look", "--max", "1000000"], DONE),
            (["eval", "texts.join('')"], DONE),
            (["eval", "({[texts[3]]: texts})"], DONE),
            (["eval", "throw new Error(texts.join(''))"], UNSURE),
            (["eval", "1", "--frame-id", MARK], REFUSED),
            (["eval", "prompt(texts.join(''), texts[7])"], DIALOG),
            (["dialog", "dismiss"], DONE),
        ):
            answer, _ = await session.answer(CommandLine(folder=str(tmp_path), words=words))

            assert answer.code == code, (words, answer.text[:500])
            page.shown |= {*answer.printed(as_json=False), *answer.printed(as_json=True)}
    finally:
        await session.close()


def test_the_command_line_of_the_client_neither(
    page: Hands, browser_url: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cdp_typed.cli.output._shows_unicode", lambda: True)
    page.call("browser_evaluate", expression="document.title = texts.slice(-30).join(' '); 0")
    for words, code in (
        (["targets"], 0),
        (["targets", "--json"], 0),
        (["call", "Runtime.evaluate", "--expression", "texts.join('')"], 0),
        (["call", "Runtime.evaluate", "--expression", "throw new Error(texts.join(''))"], 0),
        (["call", "Page.getNavigationHistory"], 0),
        (["call", "Runtime.callFunctionOn", "--functionDeclaration", MARK, "--objectId", MARK], 1),
        (["events", "Runtime.consoleAPICalled", "--count", "150"], 0),
    ):
        assert client_main([words[0], browser_url, *words[1:]]) == code

        said = capfd.readouterr()
        page.shown |= {*said.out, *said.err}
        if words == ["targets"]:
            rows = [re.split(r" {2,}", line) for line in said.out.splitlines()]
            assert all(len(row) in (3, 4) and row[1] in ("TYPE", "page", "iframe", "tab") for row in rows), rows
        elif words[0] == "events":
            assert all(json.loads(line)["method"].startswith("Runtime.") for line in said.out.splitlines())
        else:
            assert code or json.loads(said.out)


def test_the_text_of_an_exception_is_one_line(page: Hands, browser_url: str) -> None:
    with CDPSupervisor(browser_url) as supervisor, pytest.raises(EvaluationFailed) as failed:
        supervisor.evaluate("throw new Error(texts.slice(0, 100).join(''))")

    page.shown |= {*str(failed.value)}
    assert MARK in failed.value.text
    assert "\n" not in str(failed.value)
