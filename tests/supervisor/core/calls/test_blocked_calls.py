"""A dialog and the calls that it stops: which are ended, which are not sent, which run on."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page, runtime
from supervisor.core.vocabulary import command_tags, errors, inputs, requests
from supervisor.core.vocabulary.effects import Forget, Send
from tests.support.core.play import (
    INNER,
    PAGE,
    TOP,
    Core,
    answer,
    attached,
    children_announced,
    closed,
    confirmed,
    context,
    evaluate,
    frame,
    frame_tree_reply,
    opening,
    sent,
    told,
    tree,
    value,
    with_oopif,
    with_page,
)

REPLY = command_tags.CallReply("call")
PRESSED = input_.DispatchMouseEvent(type="mousePressed", x=1, y=2, button="left", click_count=1)
SHOT = requests.CallRequested(call_id="call", work=page.CaptureScreenshot(), frame_id=None, timeout_s=5.0)
GO = requests.CallRequested(call_id="call", work=page.Navigate(url="http://c.test/"), frame_id=None, timeout_s=5.0)


def press(frame_id: str | None = None) -> requests.CallRequested:
    return requests.CallRequested(call_id="call", work=PRESSED, frame_id=frame_id, timeout_s=30.0)


def sends(work: input_.DispatchMouseEvent | runtime.Evaluate) -> list[Send]:
    return [Send(command=work, session_id=PAGE, tag=REPLY)]


def test_a_dialog_that_an_expression_opens_ends_its_call_at_once() -> None:
    core = with_page().after(evaluate("alert(1)"))

    effects = core.play(opening())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=True)}
    assert Forget(REPLY) in effects
    assert core.play(inputs.CommandSucceeded(REPLY, value(1))) == []


REFUSED = CommandError(-32000, "no", method="Page.handleJavaScriptDialog", session=PAGE)
ENDED_BY_DIALOG = {
    # The page's own session never answers input that does this, although the page's scripts run on.
    "input makes an iframe of another process open one": (with_oopif().after(press()), [opening(frame_id=INNER)]),
    "a policy's answer to it fails": (
        with_page("auto_accept").after(evaluate("confirm(1)"), opening("1", "confirm")),
        [inputs.CommandFailed(command_tags.DialogAnswer("d-1"), REFUSED)],
    ),
    # Chromium answers `Page.navigate` on a blocked page; a beforeunload dialog holds the answer back.
    "the navigation that was sent under another one opens it": (
        with_page().after(opening(), GO),
        [closed(False), opening("", "beforeunload")],
    ),
}


@pytest.mark.parametrize(("core", "received"), ENDED_BY_DIALOG.values(), ids=ENDED_BY_DIALOG)
def test_a_call_ends_with_a_dialog_when(core: Core, received: list[inputs.Input]) -> None:
    effects = core.play(*received)

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=True)}


@pytest.mark.parametrize(
    ("core", "call"),
    [
        (with_page().after(opening()), evaluate()),
        (with_page().after(opening()), SHOT),
        (with_oopif().after(opening(frame_id=INNER)), press()),
    ],
    ids=["expression", "picture", "input under the dialog of an iframe"],
)
def test_a_call_below_an_open_dialog_is_not_sent(core: Core, call: requests.CallRequested) -> None:
    effects = core.play(call)

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=False)}
    assert not sent(effects)


def test_a_navigation_is_sent_although_a_dialog_is_open() -> None:
    assert [send.command for send in sent(with_page().after(opening()).play(GO))] == [GO.work]


def test_once_the_dialog_is_answered_calls_run_again() -> None:
    core = with_page().after(opening(), answer(), closed(), confirmed())
    command = runtime.Evaluate(expression="1", unique_context_id="context-top", await_promise=True)

    assert sent(core.play(evaluate("1"))) == sends(command)


def test_input_waits_for_a_dialog_that_is_being_answered() -> None:
    core = with_page().after(opening(), answer())

    assert not sent(core.play(press()))
    assert sent(core.play(closed(), confirmed())) == sends(PRESSED)


def test_a_dialog_that_a_policy_answers_ends_no_call() -> None:
    core = with_page("auto_accept").after(evaluate("confirm(1)"))

    assert not told(core.play(opening("1", "confirm")))
    core.play(closed(), confirmed())
    assert "call" in told(core.play(inputs.CommandSucceeded(REPLY, value(1))))


def popup(origin: str) -> Core:
    """A page that calls into an empty popup that it opened."""
    opened = attached("s-2", "popup", url="about:blank", opener=TOP)
    return with_page().after(opened, context("s-2", "popup", "in-popup", origin), evaluate("popup.alert(1)"))


OF_INNER, OF_POPUP = opening(frame_id=INNER), opening(session="s-2", frame_id="popup")
ENDED: dict[str, tuple[Core, inputs.Input, list[str]]] = {
    "the page runs on while an iframe in another process shows a dialog": (
        with_oopif().after(evaluate("1"), evaluate("alert(1)", INNER, call="inner")),
        OF_INNER,
        ["inner"],
    ),
    "two OOPIFs of one site in a page share a process and its dialogs": (
        with_oopif().after(
            attached("s-2", "inner-2", kind="iframe", parent=PAGE, parent_frame=TOP, url="http://b.test/two"),
            context("s-2", "inner-2", "context-2"),
            evaluate("1", "inner-2"),
        ),
        OF_INNER,
        ["call"],
    ),
    "a popup's dialog blocks the opener that called for it": (
        with_page().after(attached("s-2", "popup", url="http://a.test/p", opener=TOP), evaluate("popup.alert(1)")),
        OF_POPUP,
        ["call"],
    ),
    "so does that of an empty popup of the opener's origin": (popup("http://a.test"), OF_POPUP, ["call"]),
    "but not of another origin": (popup("http://b.test"), OF_POPUP, []),
    "nor of none": (popup("://"), OF_POPUP, []),
    "a dialog in another tab blocks nothing here": (
        with_page().after(attached("s-2", "popup", url="http://a.test/p"), evaluate("1")),
        OF_POPUP,
        [],
    ),
    "a dialog whose frame is unknown counts for its page": (
        with_page().after(evaluate("1")),
        opening(frame_id="unheard-of"),
        ["call"],
    ),
}


@pytest.mark.parametrize(("core", "opens", "ended"), ENDED.values(), ids=ENDED)
def test_which_calls_a_dialog_ends(core: Core, opens: inputs.Input, ended: list[str]) -> None:
    assert list(told(core.play(opens))) == ended


def test_the_dialog_of_another_tab_is_not_in_the_way_of_input() -> None:
    core = with_page().after(
        attached("session-other", "frame-other"),
        context("session-other", "frame-other", "context-other"),
        frame_tree_reply("session-other", tree(frame("frame-other", "http://b.test/"))),
        children_announced("session-other"),
        opening(session="session-other", frame_id="frame-other"),
    )

    assert sent(core.play(press(TOP))) == sends(PRESSED)
