"""A connection that is cut comes back by itself, and what was known is what is there: on the mock and on Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from urllib.parse import urlsplit

import pytest

from cdp_typed import ConnectionLost, connect_sync
from cdp_typed.protocol import page, runtime, target
from supervisor import (
    BlockedByDialog,
    CallLost,
    CallTimeout,
    CDPSupervisor,
    DialogBeingAnswered,
    NotRunning,
    PendingDialog,
    SupervisorSnapshot,
)
from tests.support.servers.cutting import Cut, CuttingProxy
from tests.support.stages.stages import (
    ENDLESS,
    Stage,
    has_begun,
    is_loaded,
    open_as_another_client,
    open_page,
    send_as_another_client,
)

PATIENCE_S = 20.0
"""No correct run comes near it."""


@pytest.fixture
def proxy(stage: Stage) -> Iterator[CuttingProxy]:
    with CuttingProxy(urlsplit(stage.cdp_url).port or 0) as running:
        yield running


@pytest.fixture
def supervisor(stage: Stage, proxy: CuttingProxy) -> Iterator[CDPSupervisor]:
    """A running supervisor behind the proxy."""
    with CDPSupervisor(proxy.url(stage.cdp_url), call_timeout_s=PATIENCE_S) as running:
        yield running


def is_back(now: SupervisorSnapshot) -> bool:
    return now.state == "ready" and now.epoch == 2


def keep_away(supervisor: CDPSupervisor, proxy: CuttingProxy) -> SupervisorSnapshot:
    """Cut the connection, and let no other one through."""
    proxy.refuses = True
    proxy.cut()
    return supervisor.wait_for(lambda now: now.state == "reconnecting", timeout_s=PATIENCE_S)


def alert(supervisor: CDPSupervisor) -> PendingDialog:
    with pytest.raises(BlockedByDialog) as blocked:
        supervisor.evaluate("alert('hello')")
    return blocked.value.dialog


@pytest.mark.parametrize("how", ["reset", "end"])
def test_pages_frames_and_the_current_page_are_the_same_after_a_cut(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor, how: Cut
) -> None:
    open_as_another_client(stage, f"{stage.own}/plain")
    before = open_page(supervisor, f"{stage.own}/frames")

    proxy.cut(how)

    after = supervisor.wait_for(is_back, timeout_s=PATIENCE_S)
    assert [info.target_id for info in after.pages] == [info.target_id for info in before.pages]
    assert [info.is_current for info in after.pages] == [info.is_current for info in before.pages]
    assert not any(info.stale for info in after.pages)
    assert _frames(after) == _frames(before)
    assert not any(frame.stale for frame in after.frame_tree.children)
    inner = next(frame for frame in after.frame_tree.children if frame.is_oopif)
    assert inner.session_id not in {frame.session_id for frame in before.frame_tree.children}
    assert supervisor.evaluate("document.title", inner.frame_id).value == "Inner"
    assert supervisor.evaluate("document.title").value == "Frames"


def _frames(now: SupervisorSnapshot) -> list[tuple[str, str | None, str, str, bool, bool]]:
    top = now.frame_tree.top
    assert top is not None
    return [
        (frame.frame_id, frame.parent_id, frame.url, frame.name, frame.is_oopif, frame.is_loading)
        for frame in (top, *now.frame_tree.children)
    ]


def test_a_call_in_flight_ends_at_once_and_may_have_run(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, ENDLESS)
        supervisor.wait_for(has_begun)
        proxy.refuses = True
        proxy.cut()

        error = call.exception(PATIENCE_S)

    assert isinstance(error, CallLost)
    assert isinstance(error, ConnectionLost)
    assert error.maybe_executed


def test_while_the_browser_is_away_what_is_known_is_shown_as_stale_and_calls_wait(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    before = open_page(supervisor, f"{stage.own}/frames")

    away = keep_away(supervisor, proxy)

    assert away.reason
    assert supervisor.is_running
    assert [(info.target_id, info.stale) for info in away.pages] == [(info.target_id, True) for info in before.pages]
    assert _frames(away) == _frames(before)
    assert all(frame.stale for frame in away.frame_tree.children)
    with pytest.raises(CallTimeout, match="being opened again") as caught:
        supervisor.evaluate("document.title", timeout_s=0.1)
    assert not caught.value.maybe_executed
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, "document.title")
        proxy.refuses = False

        assert call.result(PATIENCE_S).value == "Frames"


def test_a_frame_and_a_page_that_went_away_meanwhile_are_gone_and_new_ones_are_there(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    (created,) = open_as_another_client(stage, f"{stage.own}/plain")
    before = open_page(supervisor, f"{stage.own}/frames")
    supervisor.wait_for(lambda now: len(now.pages) == 2, timeout_s=PATIENCE_S)
    current = next(info.target_id for info in before.pages if info.is_current)
    proxy.refuses = True
    proxy.cut()

    with connect_sync(stage.cdp_url) as browser:
        browser.attach(current).send(runtime.Evaluate(expression="document.getElementById('inner').remove()"))
        browser.send(target.CloseTarget(target_id=target.TargetID(created)))
    (opened,) = open_as_another_client(stage, f"{stage.own}/plain")
    proxy.refuses = False

    after = supervisor.wait_for(
        lambda now: is_back(now) and [frame.name for frame in now.frame_tree.children] == ["local"],
        timeout_s=PATIENCE_S,
    )
    assert {info.target_id for info in after.pages} == {current, opened}


def test_console_lines_are_not_repeated(stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    supervisor.evaluate("console.log('one'); console.log('two')")
    supervisor.wait_for(lambda now: len(now.console) == 2, timeout_s=PATIENCE_S)

    proxy.cut()
    supervisor.wait_for(is_back, timeout_s=PATIENCE_S)
    supervisor.evaluate("console.log('three')")

    now = supervisor.wait_for(lambda now: any(line.text == "three" for line in now.console), timeout_s=PATIENCE_S)
    assert [line.text for line in now.console] == ["one", "two", "three"]


@pytest.mark.usefixtures("soon_unresponsive")
def test_a_dialog_that_was_open_stays_pending_until_its_page_answers_again(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    """No client can answer it any more: the session that it was announced to is gone. The ways out are as measured."""
    open_page(supervisor, f"{stage.own}/plain")
    before = alert(supervisor)

    proxy.cut()

    now = supervisor.wait_for(is_back, timeout_s=PATIENCE_S)
    (dialog,) = now.pending_dialogs
    assert (dialog.id, dialog.stale, dialog.answerable) == (before.id, True, False)
    assert [info.status for info in now.pages] == ["unresponsive"]
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("1+1")

    supervisor.send(page.Reload())

    now = supervisor.wait_for(lambda now: not now.pending_dialogs and is_loaded(now), timeout_s=PATIENCE_S)
    (record,) = now.recent_dialogs
    assert (record.id, record.closed_by) == (dialog.id, "remote")
    assert supervisor.evaluate("document.title").value == "Plain"


@pytest.mark.usefixtures("soon_unresponsive")
def test_a_call_to_a_page_that_a_dialog_froze_meanwhile_says_that_a_dialog_may_be_open(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    """No browser announces a dialog again that opened while we were away."""
    if stage.is_embedder:
        pytest.skip("its dialogs are bridged, and a bridged one freezes no page")
    open_page(supervisor, f"{stage.own}/plain")
    with stage.supervisor() as other:
        keep_away(supervisor, proxy)
        alert(other)
        proxy.refuses = False
        supervisor.wait_for(
            lambda now: is_back(now) and [info.status for info in now.pages] == ["unresponsive"], timeout_s=PATIENCE_S
        )

        with pytest.raises(CallTimeout, match="a dialog from before may be open on it") as caught:
            supervisor.evaluate("1+1", timeout_s=0.1)

        assert (caught.value.cause, caught.value.maybe_executed) == ("unresponsive", False)


def test_a_dialog_that_somebody_else_answered_meanwhile_is_closed_when_we_are_back(
    stage: Stage, proxy: CuttingProxy, supervisor: CDPSupervisor
) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with stage.supervisor() as other:
        alert(supervisor)
        other.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=PATIENCE_S)
        keep_away(supervisor, proxy)
        other.respond_to_dialog("accept")
    proxy.refuses = False

    now = supervisor.wait_for(is_back, timeout_s=PATIENCE_S)
    assert now.pending_dialogs == ()
    assert [record.closed_by for record in now.recent_dialogs] == ["remote"]
    assert supervisor.evaluate("1+1").value == 2


def test_a_browser_that_stays_away_ends_the_supervisor_with_the_reason(stage: Stage, proxy: CuttingProxy) -> None:
    with CDPSupervisor(proxy.url(stage.cdp_url), reconnect_attempts=3) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        before = proxy.dials
        proxy.refuses = True
        proxy.cut()

        now = supervisor.wait_for(lambda now: now.state == "lost", timeout_s=PATIENCE_S)

        assert now.reason.startswith("4 failures within 120 s; the last: ")
        assert not supervisor.is_running
        with pytest.raises(NotRunning, match="4 failures"):
            supervisor.evaluate("1+1")
    assert proxy.dials - before == 3


def test_without_attempts_a_lost_connection_is_final(stage: Stage, proxy: CuttingProxy) -> None:
    with CDPSupervisor(proxy.url(stage.cdp_url), reconnect_attempts=0) as supervisor:
        proxy.cut()

        supervisor.wait_for(lambda now: now.state == "lost", timeout_s=PATIENCE_S)

    assert proxy.dials == 1


def test_stopping_while_the_browser_is_away_leaves_nothing(stage: Stage, proxy: CuttingProxy) -> None:
    with CDPSupervisor(proxy.url(stage.cdp_url)) as supervisor:
        keep_away(supervisor, proxy)

    assert not supervisor.is_running


def test_an_address_is_asked_for_anew_at_each_dial(stage: Stage, proxy: CuttingProxy) -> None:
    """Signed addresses expire: what was right at the start is not right for ever."""
    given: list[str] = []

    def address() -> str:
        given.append(proxy.url(stage.cdp_url))
        return given[-1]

    with CDPSupervisor(address) as supervisor:
        proxy.cut()
        supervisor.wait_for(is_back, timeout_s=PATIENCE_S)

    assert len(given) == 2


def test_a_browser_that_ended_is_lost_at_once_when_its_address_says_so(stage: Stage, proxy: CuttingProxy) -> None:
    """Another browser on the same port does not know the path."""
    wrong = stage.cdp_url.rpartition("/")[0] + "/00000000-0000-4000-8000-00000000dead"
    addresses = iter([stage.cdp_url, wrong])
    with CDPSupervisor(lambda: proxy.url(next(addresses, wrong))) as supervisor:
        proxy.cut()

        now = supervisor.wait_for(lambda now: now.state == "lost", timeout_s=PATIENCE_S)

        assert "404" in now.reason
    assert send_as_another_client(stage, target.GetTargets())


def test_a_connection_that_says_nothing_any_more_is_given_up_and_opened_again(
    stage: Stage, proxy: CuttingProxy
) -> None:
    """TCP stands, but not a byte comes or goes: only the clocks of the connection can tell (here, quicker ones)."""
    with CDPSupervisor(proxy.url(stage.cdp_url), call_timeout_s=PATIENCE_S, ping_interval_s=1.0) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(supervisor.evaluate, ENDLESS)
            supervisor.wait_for(has_begun)
            proxy.cut("silence")

            assert isinstance(call.exception(PATIENCE_S), CallLost)
        supervisor.wait_for(lambda now: now.state == "ready" and now.epoch > 1, timeout_s=PATIENCE_S)
        assert supervisor.evaluate("document.title").value == "Plain"


def test_stopping_while_an_answer_is_under_way_ends_it(
    stage: Stage, proxy: CuttingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fate of the answer is not known; the caller is not kept waiting for it."""
    monkeypatch.setattr("cdp_typed.transport.keepalive.CLOSE_TIMEOUT", 0.5)  # nobody answers our goodbye
    with CDPSupervisor(proxy.url(stage.cdp_url), call_timeout_s=PATIENCE_S) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        alert(supervisor)
        proxy.cut("silence")
        with ThreadPoolExecutor(2) as pool:
            answering = [pool.submit(supervisor.respond_to_dialog, "accept") for _ in range(2)]
            done, under_way = wait(answering, PATIENCE_S, FIRST_COMPLETED)
            assert [type(future.exception()) for future in done] == [DialogBeingAnswered]

            supervisor.stop()

            assert [type(future.exception(PATIENCE_S)) for future in under_way] == [NotRunning]
