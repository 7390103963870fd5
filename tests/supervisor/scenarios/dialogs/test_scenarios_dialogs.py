"""Dialogs, wherever they open: on the mock and on real Chromium."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page
from supervisor import (
    AmbiguousDialog,
    BlockedByDialog,
    CDPSupervisor,
    DialogAction,
    DialogAlreadyClosed,
    DialogPolicy,
    DialogUnanswerable,
    FrameInfo,
    InvalidConfig,
    NoDialogOpen,
    PendingDialog,
    SupervisorSnapshot,
    UnknownDialog,
)
from tests.support.runs.deadlines import LATE_S
from tests.support.stages.stages import Stage, is_loaded, open_as_another_client, open_page


def blocked_by(supervisor: CDPSupervisor, expression: str, frame_id: str | None = None) -> PendingDialog:
    """The dialog that an expression opens; the call itself must come back at once."""
    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate(expression, frame_id, timeout_s=LATE_S)
    assert caught.value.maybe_executed
    return caught.value.dialog


def frame_named(now: SupervisorSnapshot, name: str) -> FrameInfo:
    return next(frame for frame in now.frame_tree.children if frame.name == name)


def is_open(now: SupervisorSnapshot) -> bool:
    return bool(now.pending_dialogs)


def test_an_alert_ends_the_call_that_opens_it_and_is_answered(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    dialog = blocked_by(supervisor, "alert('hello')")
    assert (dialog.type, dialog.message, dialog.url) == ("alert", "hello", f"{stage.own}/plain")
    assert supervisor.snapshot().pending_dialogs == (dialog,)

    receipt = supervisor.respond_to_dialog("accept", dialog_id=dialog.id)
    assert (receipt.dialog_id, receipt.closed_by, receipt.accepted) == (dialog.id, "agent", True)
    assert supervisor.evaluate("1+1").value == 2
    (record,) = supervisor.snapshot().recent_dialogs
    assert (record.id, record.closed_by, record.message) == (dialog.id, "agent", "hello")


@pytest.mark.parametrize(
    ("opens", "action", "text", "value"),
    [
        ("confirm('sure?')", "accept", None, True),
        ("confirm('sure?')", "dismiss", None, False),
        ("prompt('name?', 'nobody')", "accept", "Ada \u2603", "Ada \u2603"),
        ("prompt('name?', 'nobody')", "accept", "", ""),
        ("prompt('name?', 'nobody')", "accept", None, "nobody"),
        ("prompt('name?', 'nobody')", "dismiss", None, None),
    ],
)
def test_the_page_gets_back_what_was_answered(
    stage: Stage, supervisor: CDPSupervisor, opens: str, action: DialogAction, text: str | None, value: object
) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    dialog = blocked_by(supervisor, f"window.answer = {opens}")

    supervisor.respond_to_dialog(action, text, dialog.id)

    assert supervisor.evaluate("window.answer").value == value


def test_a_call_while_a_dialog_is_open_is_refused_at_once_and_not_run(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    dialog = blocked_by(supervisor, "alert('hello')")

    with pytest.raises(BlockedByDialog) as caught:
        supervisor.evaluate("window.ran = 1", timeout_s=LATE_S)
    assert (caught.value.dialog, caught.value.maybe_executed) == (dialog, False)

    supervisor.respond_to_dialog("accept")
    assert supervisor.evaluate("window.ran").type == "undefined"


@pytest.mark.parametrize(
    ("policy", "asks", "value"),
    [
        ("auto_accept", "confirm('sure?')", True),
        ("auto_dismiss", "confirm('sure?')", False),
        ("auto_accept", "prompt('name?', 'nobody')", "nobody"),
    ],
)
def test_a_policy_answers_for_the_agent(stage: Stage, policy: DialogPolicy, asks: str, value: object) -> None:
    with stage.supervisor(dialog_policy=policy) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")

        assert supervisor.evaluate(asks).value == value
        records = [(record.closed_by, record.accepted) for record in supervisor.snapshot().recent_dialogs]
        assert records == [("auto_policy", policy == "auto_accept")]


def test_the_watchdog_dismisses_a_forgotten_dialog(stage: Stage) -> None:
    with stage.supervisor(dialog_timeout_s=0.2) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        blocked_by(supervisor, "window.answer = confirm('sure?')")

        now = supervisor.wait_for(lambda now: bool(now.recent_dialogs), timeout_s=20)

        assert [(record.closed_by, record.accepted) for record in now.recent_dialogs] == [("watchdog", False)]
        assert supervisor.evaluate("window.answer").value is False


@pytest.mark.parametrize(
    ("path", "message", "after", "value"),
    [("early", "early?", "window.answer", True), ("late", "late", "document.title", "Late")],
    ids=["of a script that runs while the page loads", "when the page has loaded"],
)
def test_a_dialog_of_a_page_that_comes(
    stage: Stage, supervisor: CDPSupervisor, path: str, message: str, after: str, value: object
) -> None:
    supervisor.send(page.Navigate(url=f"{stage.own}/{path}"))
    (dialog,) = supervisor.wait_for(is_open, timeout_s=10).pending_dialogs
    assert (dialog.message, dialog.url) == (message, f"{stage.own}/{path}")

    # On Qt the request of a bridged dialog can come before the news of its document.
    supervisor.wait_for(lambda now: now.pages[0].url == f"{stage.own}/{path}", timeout_s=10)
    supervisor.respond_to_dialog("accept", dialog_id=dialog.id)

    assert supervisor.evaluate(after).value == value


def test_a_navigation_that_meets_beforeunload_comes_back_with_the_dialog(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    """Stay, then leave. Without a user's gesture Chromium shows no such dialog."""
    open_page(supervisor, f"{stage.own}/staying")
    for kind in ("mousePressed", "mouseReleased"):
        supervisor.send(input_.DispatchMouseEvent(type=kind, x=5, y=5, button="left", click_count=1))

    def leave() -> PendingDialog:
        with pytest.raises(BlockedByDialog) as caught:
            supervisor.send(page.Navigate(url=f"{stage.own}/plain"))
        assert caught.value.dialog.type == "beforeunload"
        return caught.value.dialog

    supervisor.respond_to_dialog("dismiss", dialog_id=leave().id)
    assert supervisor.evaluate("document.title").value == "Staying"

    supervisor.respond_to_dialog("accept", dialog_id=leave().id)
    supervisor.wait_for(lambda now: now.pages[0].url == f"{stage.own}/plain" and is_loaded(now), timeout_s=10)
    assert supervisor.evaluate("document.title").value == "Plain"


def test_a_navigation_away_closes_the_dialog_and_is_recorded(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    dialog = blocked_by(supervisor, "confirm('sure?')")

    open_page(supervisor, f"{stage.own}/local")

    now = supervisor.snapshot()
    assert now.pending_dialogs == ()
    assert [(record.id, record.closed_by, record.accepted) for record in now.recent_dialogs] == [
        (dialog.id, "remote", False)
    ]
    assert supervisor.evaluate("document.title").value == "Local"


def test_a_dialog_in_a_same_process_iframe_names_its_frame(stage: Stage, supervisor: CDPSupervisor) -> None:
    local = frame_named(open_page(supervisor, f"{stage.own}/frames"), "local")

    dialog = blocked_by(supervisor, "alert('in the iframe')", local.frame_id)

    assert (dialog.frame_id, dialog.url) == (local.frame_id, f"{stage.own}/local")
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("1+1")
    supervisor.respond_to_dialog("accept")
    assert supervisor.evaluate("1+1").value == 2


def test_a_dialog_in_an_oopif_is_answered_and_the_page_runs_on_meanwhile(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    inner = frame_named(open_page(supervisor, f"{stage.own}/frames"), "inner")

    dialog = blocked_by(supervisor, "window.answer = prompt('card?')", inner.frame_id)

    assert (dialog.frame_id, dialog.url) == (inner.frame_id, f"{stage.other}/inner")
    assert (dialog.session_id == inner.session_id) is dialog.bridged
    assert supervisor.evaluate("document.title").value == "Frames"
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("1+1", inner.frame_id)
    supervisor.respond_to_dialog("accept", "4242", dialog.id)
    assert supervisor.evaluate("window.answer", inner.frame_id).value == "4242"


def test_a_dialog_that_somebody_else_answered_is_recorded_as_such(stage: Stage, supervisor: CDPSupervisor) -> None:
    with stage.supervisor() as other:
        open_page(supervisor, f"{stage.own}/plain")
        dialog = blocked_by(supervisor, "window.answer = prompt('name?')")
        other.wait_for(is_open, timeout_s=20)

        other.respond_to_dialog("accept", "Grace")

        now = supervisor.wait_for(lambda now: bool(now.recent_dialogs), timeout_s=20)
    (record,) = now.recent_dialogs
    assert (record.id, record.closed_by, record.accepted, record.user_input) == (dialog.id, "remote", True, "Grace")
    with pytest.raises(DialogAlreadyClosed):
        supervisor.respond_to_dialog("accept", dialog_id=dialog.id)


def test_two_tabs_show_a_dialog_each_and_an_answer_must_say_which(stage: Stage, supervisor: CDPSupervisor) -> None:
    """Asked for in tabs that are known: what a tab asks while it is opened may, in Chromium, come before we listen."""
    tabs = open_as_another_client(stage, "about:blank", "about:blank")
    supervisor.wait_for(
        lambda now: {page.target_id for page in now.pages if page.status == "ok"} >= {*tabs}, timeout_s=30
    )
    blocked_by(supervisor, "alert('late')", tabs[0])
    blocked_by(supervisor, "confirm('early?')", tabs[1])
    now = supervisor.wait_for(lambda now: len(now.pending_dialogs) == 2, timeout_s=30)

    with pytest.raises(AmbiguousDialog):
        supervisor.respond_to_dialog("accept")
    early = next(dialog for dialog in now.pending_dialogs if dialog.message == "early?")
    late = next(dialog for dialog in now.pending_dialogs if dialog.message == "late")
    assert early.target_id != late.target_id
    supervisor.respond_to_dialog("dismiss", dialog_id=early.id)
    assert [dialog.id for dialog in supervisor.snapshot().pending_dialogs] == [late.id]
    supervisor.respond_to_dialog("accept")


def test_answers_that_cannot_be_given_say_why(stage: Stage, supervisor: CDPSupervisor) -> None:
    with pytest.raises(NoDialogOpen):
        supervisor.respond_to_dialog("accept")
    with pytest.raises(UnknownDialog, match=r"dialog 'd-9' is not open; open: none"):
        supervisor.respond_to_dialog("accept", dialog_id="d-9")
    with pytest.raises(InvalidConfig, match=r"action='perhaps' is not allowed; expected one of accept, dismiss"):
        supervisor.respond_to_dialog("perhaps")  # type: ignore[arg-type]


def test_of_two_dialogs_in_one_tab_the_second_is_shown_as_unanswerable(stage: Stage, supervisor: CDPSupervisor) -> None:
    """Chromium cancels the first and takes no answer for the second; a navigation is the way out."""
    inner = frame_named(open_page(supervisor, f"{stage.own}/frames"), "inner")
    blocked_by(supervisor, "alert('first')", inner.frame_id)
    blocked_by(supervisor, "alert('second')")

    now = supervisor.wait_for(lambda now: bool(now.recent_dialogs), timeout_s=20)
    assert [(record.message, record.closed_by) for record in now.recent_dialogs] == [("first", "remote")]
    assert [(dialog.message, dialog.answerable) for dialog in now.pending_dialogs] == [("second", False)]
    with pytest.raises(DialogUnanswerable):
        supervisor.respond_to_dialog("accept")

    open_page(supervisor, f"{stage.own}/plain")
    assert supervisor.evaluate("document.title").value == "Plain"
