"""`events`: patterns over the protocol's events, one JSON line each, and every way it can end."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial

import pytest

from cdp_typed.cli.events import WireEvents, matching
from cdp_typed.errors import CDPError, SessionDetached, TargetCrashed
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import Refusal, ThreadedMockServer
from cdp_typed.protocol import dom, runtime, target
from cdp_typed.protocol.registry import EVENTS
from cdp_typed.recording.taps import Direction
from tests.cdp_typed.cli.conftest import Run, refused
from tests.support.servers.inspector import inspector

NOWHERE = "127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "the following arguments are required: PATTERN"),
        (("Pgae.*",), "no event matches 'Pgae.*'"),
        (("Page.loadEventFird",), "no event matches 'Page.loadEventFird'; did you mean 'Page.loadEventFired'"),
        (("Page.*", "--count", "0"), "argument --count: a number of events above 0 is expected, not '0'"),
        (("Page.*", "--count", "-1"), "argument --count: a number of events above 0 is expected, not '-1'"),
    ],
)
def test_a_mistake_is_found_before_anything_is_sent(run: Run, words: tuple[str, ...], complaint: str) -> None:
    code, out, err = run("events", NOWHERE, *words)

    assert (code, out) == (2, "")
    assert complaint in err


def test_an_inspector_of_node_tells_its_events(run: Run) -> None:
    with inspector() as node:
        code, out, err = run("events", node.http_url, "Runtime.executionContextCreated", "--count", "1")

    assert (code, err, json.loads(out)["params"]["context"]["id"]) == (0, "", 1)


def test_patterns_choose_each_event_once_and_domains_that_make_the_page_wait_must_be_named() -> None:
    assert matching(["Page.frameA*", "Log.*", "Page.frameAttached"]) == ("Log.entryAdded", "Page.frameAttached")
    everything = matching(["*"])
    assert len(everything) > 200
    assert {"Fetch.requestPaused", "Debugger.paused"}.isdisjoint(everything)
    assert matching(["*", "Fetch.*"]) == tuple(
        method for method in EVENTS if method in everything or method.startswith("Fetch.")
    )


def test_events_are_printed_one_line_each(run: Run, mock: ThreadedMockServer) -> None:
    code, out, err = run("events", mock.url, "Target.targetCreated", "--count", "1")

    assert (code, err) == (0, "")
    (line,) = out.splitlines()
    assert json.loads(line)["method"] == "Target.targetCreated"
    assert json.loads(line)["params"]["targetInfo"]["url"] == "about:blank"
    assert mock.browser.received(target.AttachToTarget) == ()


def test_browser_and_page_are_heard_and_only_their_domains_enabled(run: Run, mock: ThreadedMockServer) -> None:
    patterns = ("Target.targetCreated", "Runtime.executionContextCreated", "Log.*")

    code, out, _ = run("events", mock.url, *patterns, "--timeout", "0.3")

    assert code == 0
    assert {json.loads(line)["method"] for line in out.splitlines()} == {*patterns[:2]}
    enabled = [call.method for call in mock.browser.calls if call.method.endswith(".enable")]
    assert enabled == ["Log.enable", "Runtime.enable"]


def test_a_domain_that_cannot_be_enabled_is_noted_and_an_error_when_it_is_the_only_one(
    run: Run, mock: ThreadedMockServer
) -> None:
    mock.browser.on(dom.Enable, Refusal(-32000, "Not \x1b today"))

    code, out, err = run("events", mock.url, "DOM.*", "Log.*", "Input.*", "--timeout", "0.2")

    assert (code, out) == (0, "")
    assert err.splitlines() == [
        "cdp-typed: note: Input cannot be enabled; its events come only when another command asks for them",
        r"cdp-typed: note: DOM was not enabled: DOM.enable: Not \x1b today [-32000]",
    ]
    only_dom = run("events", mock.url, "DOM.*")
    assert only_dom == refused("DOM.enable: Not \\x1b today [-32000]", 1)


@pytest.mark.parametrize(
    ("end", "error"), [("close", "connection lost: .*"), ("crash", "the target of session .* crashed")]
)
def test_the_end_of_the_browser_and_the_crash_of_the_page_end_it_with_1(
    run: Run, mock: ThreadedMockServer, end: str, error: str
) -> None:
    page = mock.browser.pages[0].id
    timer = threading.Timer(0.3, mock.browser.close if end == "close" else partial(mock.browser.crash, page))
    timer.start()

    code, out, err = run("events", mock.url, "Log.*", "--target", page)

    timer.join()
    assert (code, out) == (1, "")
    assert re.fullmatch(f"cdp-typed: error: {error}\n", err)


@pytest.mark.parametrize(
    ("direction", "data"),
    [
        ("sent", b'{"method": "Log.entryAdded"}'),
        ("received", b"{"),
        ("received", b"[" * 100_000),
        ("received", b"[]"),
        ("received", b'{"id": 1, "result": {}}'),
        ("received", b'{"method": "Page.loadEventFired", "params": {}, "sessionId": "S"}'),
        ("received", b'{"method": "Log.entryAdded", "params": {}, "sessionId": "T"}'),
        ("received", b'{"method": "Target.detachedFromTarget", "params": {"sessionId": "T"}}'),
        ("received", b'{"method": "Target.detachedFromTarget", "params": []}'),
        ("received", b'{"method": "Inspector.targetCrashed", "params": {}}'),
    ],
)
async def test_what_is_no_event_of_this_watch_is_left_alone(direction: Direction, data: bytes) -> None:
    events = WireEvents(["Log.entryAdded"], "S")

    events.see(direction, data)
    for params in (b"{}", b'{"brandNew": ["\\ud800"]}'):
        events.see("received", b'{"method": "Log.entryAdded", "sessionId": "S", "params": ' + params + b"}")

    assert await events.next() == {"method": "Log.entryAdded", "params": {}}
    assert await events.next() == {"method": "Log.entryAdded", "params": {"brandNew": ["\\ud800"]}}


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'{"method": "Target.detachedFromTarget", "params": {"sessionId": "S"}}', SessionDetached),
        (b'{"method": "Inspector.targetCrashed", "params": {}, "sessionId": "S"}', TargetCrashed),
    ],
)
async def test_the_end_of_its_session_ends_a_watch_after_what_came_before(data: bytes, error: type[CDPError]) -> None:
    events = WireEvents(["Log.entryAdded"], "S")

    events.see("received", b'{"method": "Log.entryAdded", "params": {}, "sessionId": "S"}')
    events.see("received", data)

    assert (await events.next())["method"] == "Log.entryAdded"
    with pytest.raises(error):
        await events.next()


@contextmanager
def watching(url: str, *patterns: str) -> Generator[subprocess.Popen[str], None, None]:
    """A process of its own, as in a terminal."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cdp_typed", "events", url, *patterns],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_ctrl_c_ends_it_quietly(mock: ThreadedMockServer) -> None:
    with watching(mock.url, "Target.targetCreated") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)

        assert process.wait(10) == 130
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


def test_a_closed_pipe_ends_it_quietly_at_the_next_event(mock: ThreadedMockServer) -> None:
    with watching(mock.url, "Target.targetCreated") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        mock.browser.open_page("http://localhost/")

        assert process.wait(10) == 0
        assert process.stderr.read() == ""


def test_chromium_tells_of_a_console_message(chromium: LaunchedBrowser) -> None:
    """Live: the line is there while the watching goes on. The page's lone surrogate arrives as visible text."""
    from cdp_typed import connect

    async def open_page_and_watch() -> str:
        async with connect(chromium.ws_url) as browser, browser.new_page() as tab:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "cdp_typed", "events", chromium.ws_url, "Runtime.*", "--target", tab.target_id,
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert process.stdout is not None
            try:
                first = json.loads(await process.stdout.readline())
                assert first["method"] == "Runtime.executionContextCreated"
                await tab.send(runtime.Evaluate(expression="console.log('\\ud800 \\u202e')"))
                return (await process.stdout.readline()).decode()
            finally:
                process.kill()
                await process.communicate()

    line = asyncio.run(open_page_and_watch())

    assert line.isascii()
    assert json.loads(line)["method"] == "Runtime.consoleAPICalled"
    assert json.loads(line)["params"]["args"] == [{"type": "string", "value": "\\ud800 \u202e"}]
