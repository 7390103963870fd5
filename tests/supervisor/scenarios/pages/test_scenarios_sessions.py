"""A page with a second session, which a service in between may have: on the mock and on real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_typed.protocol import target
from supervisor import BlockedByDialog, CDPSupervisor
from tests.support.servers.dismissing import DismissingProxy
from tests.support.stages.stages import Stage, is_loaded, open_as_another_client, open_page


@pytest.fixture
def between(stage: Stage) -> Iterator[DismissingProxy]:
    with DismissingProxy(stage.cdp_url, dismisses=False) as proxy:
        yield proxy


@pytest.fixture
def supervisor(between: DismissingProxy) -> Iterator[CDPSupervisor]:
    with CDPSupervisor(between.url, call_timeout_s=20) as running:
        yield running


def attach_again(between: DismissingProxy, supervisor: CDPSupervisor) -> None:
    """The browser answers in order, so the page is attached again when this returns."""
    tab = supervisor.snapshot().pages[0].target_id
    between.intrude("Target.attachToTarget", targetId=tab, flatten=True)
    supervisor.send(target.GetTargets())


def test_what_two_sessions_tell_is_known_once(
    stage: Stage, between: DismissingProxy, supervisor: CDPSupervisor
) -> None:
    open_page(supervisor, f"{stage.own}/frames")
    before = supervisor.snapshot()

    attach_again(between, supervisor)

    supervisor.evaluate("console.log('once')")
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate("alert('hello')")
    now = supervisor.snapshot()
    assert [dialog.id for dialog in now.pending_dialogs] == [caught.value.dialog.id]
    assert supervisor.respond_to_dialog("accept").accepted
    now = supervisor.snapshot()
    assert [(record.message, record.closed_by) for record in now.recent_dialogs] == [("hello", "agent")]
    assert [line.text for line in now.console] == ["once"]
    assert (now.pages, now.frame_tree) == (before.pages, before.frame_tree)


def test_a_dialog_is_answered_on_the_other_session_when_its_own_ends(
    stage: Stage, between: DismissingProxy, supervisor: CDPSupervisor
) -> None:
    """The other one takes its place for everything else too."""
    before = open_page(supervisor, f"{stage.own}/frames")
    attach_again(between, supervisor)
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate("window.answer = confirm('sure?')")
    dialog = caught.value.dialog

    between.intrude("Target.detachFromTarget", sessionId=dialog.session_id)

    (kept,) = supervisor.wait_for(
        lambda now: now.pages[0].session_id != dialog.session_id, timeout_s=20
    ).pending_dialogs
    assert (kept.id, kept.answerable, kept.session_id == dialog.session_id) == (dialog.id, True, False)
    assert supervisor.respond_to_dialog("accept", dialog_id=dialog.id).accepted
    now = supervisor.wait_for(lambda now: now.frame_tree.total == 3 and is_loaded(now), timeout_s=20)
    assert now.pages[0].status == "ok"
    assert supervisor.evaluate("window.answer").value is True
    assert {(frame.frame_id, frame.is_oopif) for frame in now.frame_tree.children} == {
        (frame.frame_id, frame.is_oopif) for frame in before.frame_tree.children
    }
    for frame in now.frame_tree.children:
        assert supervisor.evaluate("location.href", frame.frame_id).value == frame.url


def test_a_tab_that_is_closed_ends_with_all_its_sessions(
    stage: Stage, between: DismissingProxy, supervisor: CDPSupervisor
) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    first = supervisor.snapshot().pages[0].target_id
    attach_again(between, supervisor)
    (other,) = open_as_another_client(stage, "about:blank")
    supervisor.wait_for(lambda now: len(now.pages) == 2, timeout_s=20)

    supervisor.send(target.CloseTarget(target_id=target.TargetID(first)))

    supervisor.wait_for(lambda now: [info.target_id for info in now.pages] == [other], timeout_s=20)
    assert supervisor.evaluate("1+1").value == 2
