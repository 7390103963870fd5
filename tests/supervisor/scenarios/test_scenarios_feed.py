"""Consoles, blockers and changes as a user meets them: on the mock and on real Chromium."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cdp_typed import CalledFromLoopThread
from cdp_typed.protocol import runtime
from supervisor import (
    AsyncSupervisor,
    BlockedByDialog,
    CDPSupervisor,
    Change,
    InvalidConfig,
    PausedByDebugger,
    SupervisorSnapshot,
    UnknownBlocker,
)
from tests.support.stages.stage_names import REAL_STAGES
from tests.support.stages.stages import Stage, open_page

ON_CHROMIUM = pytest.mark.parametrize("stage", REAL_STAGES, indirect=True)


def has_blocker(now: SupervisorSnapshot, kind: str) -> bool:
    return any(blocker.kind == kind for blocker in now.blockers)


def test_a_console_message_says_where_in_which_frame_and_with_what(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = next(frame for frame in open_page(supervisor, f"{stage.own}/frames").frame_tree.children if frame.is_oopif)
    cursor = supervisor.console_since(0).cursor

    supervisor.evaluate("console.warn('count', 42)", inner.frame_id)
    supervisor.wait_for_change("console", since=0)

    (message,) = supervisor.console_since(cursor).messages
    assert (message.level, message.text, message.frame_id) == ("warning", "count 42", inner.frame_id)
    assert [(argument.type, argument.text, argument.value) for argument in message.arguments] == [
        ("string", "count", "count"),
        ("number", "42", 42),
    ]
    assert supervisor.snapshot().console_counts == {"warning": 1}
    assert supervisor.console_since(message.seq).messages == ()


def test_changes_are_read_from_a_cursor_waited_for_and_told(stage: Stage, supervisor: CDPSupervisor) -> None:
    told: list[Change] = []
    listener = supervisor.on_change(told.append)
    cursor = supervisor.snapshot().cursor
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(supervisor.wait_for_change, "dialog_closed", since=cursor)
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("alert('hello')")
        supervisor.respond_to_dialog("accept")
        closed = waiting.result(10)

    news = supervisor.changes_since(cursor)
    listener.close()
    assert [(change.kind, change.text) for change in news.changes] == [
        ("dialog_opened", "alert: hello"),
        ("dialog_closed", "accepted by agent"),
    ]
    assert (closed, news.missed, news.cursor) == (news.changes[-1], 0, supervisor.snapshot().cursor)
    assert tuple(told) == news.changes
    supervisor.evaluate("console.log('more')")
    supervisor.wait_for_change("console", since=cursor)
    assert len(told) == 2


def test_waiting_for_a_change_ends_at_its_deadline_and_refuses_an_unknown_kind(supervisor: CDPSupervisor) -> None:
    with pytest.raises(TimeoutError):
        supervisor.wait_for_change("dialog_opened", timeout_s=0.2)
    with pytest.raises(InvalidConfig, match="kind='dialog' is not allowed; expected one of link, page_opened"):
        supervisor.wait_for_change("dialog")  # type: ignore[arg-type]  # the mistake


def test_a_callback_that_fails_or_calls_back_harms_nobody(
    supervisor: CDPSupervisor, caplog: pytest.LogCaptureFixture
) -> None:
    refused: list[type[Exception]] = []

    def calls_back(change: Change) -> None:
        try:
            supervisor.evaluate("1+1")
        except CalledFromLoopThread as error:
            refused.append(type(error))

    def fails(change: Change) -> None:
        raise ZeroDivisionError("mine")

    supervisor.on_change(calls_back)
    failing = supervisor.on_change(fails)
    with caplog.at_level(logging.ERROR):
        supervisor.evaluate("console.log(1)")
        supervisor.wait_for_change("console", since=0)
        supervisor.evaluate("console.log(2)")
        supervisor.wait_for(lambda now: len(now.console) == 2)

    assert refused == [CalledFromLoopThread] * failing.failures
    assert failing.failures >= 2
    assert [record.getMessage() for record in caplog.records] == [
        "a callback for changes failed; its further failures are only counted"
    ]


def test_a_debugger_statement_is_seen_and_resumed(stage: Stage) -> None:
    with stage.supervisor(call_timeout_s=10, watch_debugger=True) as supervisor:
        with pytest.raises(PausedByDebugger) as paused:
            supervisor.evaluate("debugger; 'on'")
        assert supervisor.snapshot().blockers == (paused.value.blocker,)
        assert supervisor.evaluate("1+1", await_promise=False).value == 2
        with pytest.raises(PausedByDebugger):
            supervisor.evaluate("1+1")

        supervisor.resume_script(paused.value.blocker.id)

        supervisor.wait_for(lambda now: not now.blockers)
        assert supervisor.evaluate("1+1").value == 2


@ON_CHROMIUM
def test_a_file_chooser_is_seen_and_gets_its_files(stage: Stage, supervisor: CDPSupervisor, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello")
    with pytest.raises(UnknownBlocker, match="file_chooser: no such blocker; there are: none"):
        supervisor.choose_files([tmp_path / "note.txt"])
    with pytest.raises(InvalidConfig, match="several paths, not one text"):
        supervisor.choose_files("note.txt")
    open_page(supervisor, f"{stage.own}/plain")
    for name in ("first", "second"):
        make = f"document.body.innerHTML = '<input type=file id={name}>'; {name}.click()"
        supervisor.send(runtime.Evaluate(expression=make, user_gesture=True))
        supervisor.wait_for(lambda now: has_blocker(now, "file_chooser"))

        supervisor.choose_files([tmp_path / "note.txt"])

        assert supervisor.evaluate(f"{name}.files[0].name").value == "note.txt"
        assert supervisor.snapshot().blockers == ()


@ON_CHROMIUM
def test_a_file_chooser_of_a_cross_origin_iframe_is_seen_and_gets_its_files(
    stage: Stage, supervisor: CDPSupervisor, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("hello")
    inner = next(frame for frame in open_page(supervisor, f"{stage.own}/frames").frame_tree.children if frame.is_oopif)
    make = "document.body.innerHTML = '<input type=file id=pick>'; pick.click()"

    supervisor.send(runtime.Evaluate(expression=make, user_gesture=True), inner.frame_id)

    now = supervisor.wait_for(lambda now: has_blocker(now, "file_chooser"))
    assert now.blockers[0].frame_id == inner.frame_id
    supervisor.choose_files([tmp_path / "note.txt"])
    assert supervisor.evaluate("pick.files[0].name", inner.frame_id).value == "note.txt"


@ON_CHROMIUM
def test_a_download_is_seen_from_its_beginning_to_its_end(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    cursor = supervisor.snapshot().cursor
    link = "const a = document.createElement('a'); a.download = 'note.txt'; a.href = 'data:text/plain,hello'; a.click()"

    supervisor.send(runtime.Evaluate(expression=link, user_gesture=True))

    opened = supervisor.wait_for_change("blocker_opened", since=cursor)
    assert opened.text == "download: note.txt"
    ended = supervisor.wait_for_change("blocker_closed", since=cursor)
    assert ended.subject == opened.subject


def test_requests_that_fail_are_kept_where_asked_for(stage: Stage) -> None:
    with stage.supervisor(call_timeout_s=10, watch_requests=True) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        supervisor.evaluate(f"fetch('{stage.own}/missing')", await_promise=False)

        change = supervisor.wait_for_change("request_failed", since=0)

        (request,) = supervisor.snapshot().failed_requests
        assert (request.url, request.status, request.error) == (f"{stage.own}/missing", 404, "")
        assert change.subject == request.url


def test_the_same_is_there_to_await(stage: Stage) -> None:
    async def play() -> None:
        async with AsyncSupervisor(stage.cdp_url, call_timeout_s=10) as supervisor:
            told: list[str] = []
            supervisor.on_change(lambda change: told.append(change.kind))
            await supervisor.evaluate("console.log('hello')")
            change = await supervisor.wait_for_change("console", since=0)
            assert supervisor.console_since(0).messages[0].text == "hello"
            assert change in supervisor.changes_since(0).changes
            assert told == ["console"]
            for ending in (supervisor.choose_files([]), supervisor.cancel_download(), supervisor.resume_script("b-9")):
                with pytest.raises(UnknownBlocker):
                    await ending

    asyncio.run(play())
