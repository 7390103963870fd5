"""Crashes, and the life of a supervisor itself: on the mock and on real Chromium."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cdp_typed import CommandError, ConnectionLost, TargetCrashed
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import browser, page
from supervisor import (
    BlockedByDialog,
    CalledFromLoopThread,
    CallTimeout,
    CDPSupervisor,
    FrameGone,
    NotRunning,
    SupervisorRegistry,
)
from tests.support.runs.deadlines import LATE_S
from tests.support.stages.stages import (
    ENDLESS,
    Stage,
    freeze_unseen,
    has_begun,
    is_loaded,
    open_page,
    send_as_another_client,
)


def test_an_uncaught_exception_is_in_the_console(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    supervisor.evaluate("setTimeout(() => { throw new Error('boom') }, 0)")

    now = supervisor.wait_for(lambda now: bool(now.console), timeout_s=20)
    assert now.console[0].level == "exception"
    assert now.console[0].text.startswith("Error: boom")


def test_a_crashed_page_fails_calls_at_once_and_lives_again_after_a_reload(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    with pytest.raises(TargetCrashed):
        supervisor.send(page.Crash())
    assert [info.status for info in supervisor.snapshot().pages] == ["crashed"]
    with pytest.raises(TargetCrashed):
        supervisor.evaluate("1+1")

    supervisor.send(page.Reload())
    supervisor.wait_for(lambda now: now.pages[0].status == "ok" and is_loaded(now), timeout_s=10)
    assert supervisor.evaluate("document.title").value == "Plain"


def test_a_call_that_is_never_answered_ends_with_its_own_deadline(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    with pytest.raises(CallTimeout) as caught:
        supervisor.evaluate(ENDLESS, timeout_s=0.2)

    assert (caught.value.timeout_s, caught.value.maybe_executed) == (0.2, True)
    assert supervisor.evaluate("1+1").value == 2


def test_a_command_that_the_browser_refuses_is_its_own_error(stage: Stage, supervisor: CDPSupervisor) -> None:
    with pytest.raises(CommandError, match="Cannot navigate to invalid URL"):
        supervisor.send(page.Navigate(url="not a url"))


@pytest.mark.usefixtures("soon_unresponsive")
def test_a_dialog_from_before_us_does_not_hang_the_start(stage: Stage) -> None:
    """No client can answer it any more, so its page has the status `unresponsive`."""
    target_id = freeze_unseen(stage)

    with stage.supervisor() as supervisor:
        now = supervisor.snapshot()

    assert {info.target_id: info.status for info in now.pages}[target_id] == "unresponsive"
    assert now.pending_dialogs == ()


def test_losing_the_browser_ends_calls_and_is_shown(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, ENDLESS)
        supervisor.wait_for(has_begun)
        send_as_another_client(stage, browser.Close())

        with pytest.raises((ConnectionLost, FrameGone)):
            call.result(5)

    now = supervisor.wait_for(lambda now: now.state == "reconnecting", timeout_s=20)
    assert now.reason


def test_starting_and_stopping_twice_is_fine(stage: Stage) -> None:
    supervisor = stage.supervisor()
    with pytest.raises(NotRunning, match="not started"):
        supervisor.snapshot()
    assert supervisor.start() is supervisor.start()
    assert supervisor.is_running
    assert repr(supervisor) == "<CDPSupervisor ready>"

    supervisor.stop()
    supervisor.stop()

    assert not supervisor.is_running
    assert repr(supervisor) == "<CDPSupervisor stopped>"
    with pytest.raises(NotRunning, match="stopped"):
        supervisor.evaluate("1+1")
    assert supervisor.start().is_running
    supervisor.stop()


def test_what_was_known_at_the_end_stays_readable(stage: Stage) -> None:
    with CDPSupervisor(stage.cdp_url, call_timeout_s=10) as supervisor:
        before = open_page(supervisor, f"{stage.own}/plain")

    after = supervisor.snapshot()
    assert (after.state, after.reason, supervisor.status().state) == ("stopped", "stopped", "stopped")
    assert [page.url for page in after.pages] == [page.url for page in before.pages]
    assert supervisor.changes_since(before.cursor).changes[-1].text == "stopped"


def test_stopping_ends_calls_in_flight(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, ENDLESS)
        supervisor.wait_for(has_begun)

        supervisor.stop()

        with pytest.raises(NotRunning):
            call.result(5)


def test_answering_does_not_queue_behind_other_calls(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = next(f for f in open_page(supervisor, f"{stage.own}/frames").frame_tree.children if f.is_oopif)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(supervisor.evaluate, ENDLESS, timeout_s=LATE_S) for _ in range(8)]
        supervisor.wait_for(lambda now: len(now.console) == 8)
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("alert(1)", inner.frame_id)

        supervisor.respond_to_dialog("accept")

        supervisor.stop()
        for call in calls:
            with pytest.raises(NotRunning):
                call.result(5)


def test_a_blocking_call_from_the_loop_thread_is_refused(stage: Stage, supervisor: CDPSupervisor) -> None:
    async def mistaken() -> None:
        supervisor.evaluate("1+1")

    with pytest.raises(CalledFromLoopThread):
        LOOP_THREAD.run(mistaken(), 5)


def test_two_supervisors_share_one_thread(stage: Stage) -> None:
    with stage.supervisor(), stage.supervisor():
        assert sum(thread.name == "cdp-typed loop" for thread in threading.enumerate()) == 1

    assert not any(thread.name == "cdp-typed loop" for thread in threading.enumerate())


def test_the_registry_keeps_one_supervisor_per_task_and_replaces_one_that_was_stopped(stage: Stage) -> None:
    registry = SupervisorRegistry()
    with ThreadPoolExecutor(4) as pool:
        started = [pool.submit(registry.get_or_start, "task", stage.cdp_url) for _ in range(4)]
    (first,) = {future.result() for future in started}
    other = registry.get_or_start("other", stage.cdp_url)
    assert registry.get("task") is first is not other

    changed = registry.get_or_start("task", stage.cdp_url, dialog_policy="auto_dismiss")
    assert changed is registry.get("task") is not first
    assert not first.is_running

    other.stop()
    again = registry.get_or_start("other", stage.cdp_url)
    assert again is not other
    assert again.is_running

    assert registry.stop("other")
    assert not registry.stop("other")
    registry.stop_all()
    assert registry.get("task") is None
    assert not changed.is_running


@pytest.mark.thorough
def test_a_page_that_answers_nothing_is_told_from_one_that_is_slow(
    stage: Stage, supervisor: CDPSupervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.core.calls.responsiveness.CHECK_AFTER_S", 0.2)
    open_page(supervisor, f"{stage.own}/plain")
    with pytest.raises(CallTimeout) as slow:
        supervisor.evaluate("new Promise(() => {})", timeout_s=2.7)
    assert slow.value.cause == "slow"

    with pytest.raises(CallTimeout) as stuck:
        supervisor.evaluate("while (true) {}", timeout_s=3)

    assert stuck.value.cause == "unresponsive"
    assert [blocker.kind for blocker in supervisor.snapshot().blockers] == ["unresponsive"]
    supervisor.terminate()
    supervisor.wait_for(lambda now: not now.blockers)
    assert supervisor.evaluate("1+1").value == 2
