"""A command that closes a page waits until no iframe of it shows a dialog."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed import Command
from cdp_typed.errors import CommandError, CommandTimeout
from cdp_typed.protocol import browser, page, target
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult, Disarm, Send
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
    detached,
    frame,
    frame_tree_reply,
    navigated,
    navigates,
    opening,
    sent,
    told,
    tree,
    with_oopif,
    with_page,
)

CLOSE_TARGET = target.CloseTarget(target_id=target.TargetID(TOP))
DISMISSAL = page.HandleJavaScriptDialog(accept=False)
DISMISS = Send(command=DISMISSAL, session_id=PAGE, tag=command_tags.DialogAnswer("d-1"), timeout_s=5.0)
DISMISSED = ("auto_policy", False, "its page was about to be closed")


def close(command: Command[Any] = CLOSE_TARGET) -> requests.CallRequested:
    return requests.CallRequested(call_id="close", work=command, frame_id=None, timeout_s=30.0)


def sending(command: Command[Any] = CLOSE_TARGET) -> Send:
    session_id = None if isinstance(command, target.CloseTarget) else PAGE
    return Send(command=command, session_id=session_id, tag=command_tags.CallReply("close"))


def with_dialog() -> Core:
    return with_oopif().after(opening("inner", "confirm", frame_id=INNER))


def recorded(core: Core) -> list[tuple[str, bool, str]]:
    return [(record.closed_by, record.accepted, record.note) for record in core.seen.recent_dialogs]


@pytest.mark.parametrize(
    "command",
    [CLOSE_TARGET, page.Close(), target.CloseTarget(target_id=target.TargetID(INNER)), browser.Close()],
    ids=lambda command: type(command).__name__,
)
def test_the_dialog_of_an_iframe_is_dismissed_first_and_the_browser_must_have_confirmed_it(
    command: Command[Any],
) -> None:
    core = with_dialog()

    assert sent(core.play(close(command))) == [DISMISS]
    assert sent(core.play(closed(False, frame_id=INNER))) == []
    assert sending(command) in core.play(confirmed())
    assert recorded(core) == [DISMISSED]


def test_a_dialog_that_opens_before_the_page_is_closed_is_dismissed_as_well() -> None:
    core = with_dialog().after(close())

    assert sending() not in core.play(opening("again", frame_id=INNER))
    assert recorded(core) == [DISMISSED]


def test_an_answer_under_way_is_waited_for() -> None:
    core = with_dialog().after(answer())

    assert sent(core.play(close())) == []
    assert sent(core.play(closed(True, frame_id=INNER), confirmed())) == [sending()]
    assert core.seen.recent_dialogs[0].closed_by == "agent"


def test_a_dismissal_without_an_answer_is_tried_again() -> None:
    timeout = CommandTimeout("Page.handleJavaScriptDialog", session=PAGE, timeout=5.0)

    effects = with_dialog().after(close()).play(inputs.CommandFailed(command_tags.DialogAnswer("d-1"), timeout))

    assert sent(effects) == [DISMISS]


def dispose(context_id: str) -> target.DisposeBrowserContext:
    return target.DisposeBrowserContext(browser_context_id=browser.BrowserContextID(context_id))


UNWATCH = Send(command=page.Disable(), session_id=PAGE)
OTHER = target.CloseTarget(target_id=target.TargetID("page-2"))
WITH_OTHER = with_dialog().after(
    attached("session-2", "page-2"),
    frame_tree_reply("session-2", tree(frame("page-2", "http://c.test/"))),
    children_announced("session-2"),
)
SENT: dict[str, tuple[Core, Command[Any], list[Send]]] = {
    "where the dialog takes no answer nobody is told of its end": (
        with_oopif().after(opening("top"), opening("inner", frame_id=INNER), closed(False, frame_id=TOP)),
        CLOSE_TARGET,
        [UNWATCH, sending()],
    ),
    "the dialog of the page itself is no danger": (with_oopif().after(opening("top")), CLOSE_TARGET, [sending()]),
    "other pages are left alone": (WITH_OTHER, OTHER, [sending(OTHER)]),
    "the end of a browser context is the end of its pages": (with_dialog(), dispose("context-a"), [DISMISS]),
    "that of another one is not": (with_dialog(), dispose("context-b"), [sending(dispose("context-b"))]),
}


@pytest.mark.parametrize(("core", "command", "sends"), SENT.values(), ids=SENT)
def test_what_is_sent_when_something_is_to_close(core: Core, command: Command[Any], sends: list[Send]) -> None:
    assert sent(core.play(close(command))) == sends


SILENT = "session-silent"
LEAVE = Send(command=page.Navigate(url="about:blank"), session_id=PAGE, tag=command_tags.BlankBeforeClose(TOP))
LEAVING = timers.BlankBeforeCloseDeadline(TOP)


def with_silent_iframe() -> Core:
    """A page with an iframe that has not answered since we attached: a dialog from before may be open there."""
    return with_page().after(attached(SILENT, INNER, kind="iframe", parent=PAGE, parent_frame=TOP))


NOT_ACTIVE = inputs.CommandFailed(
    command_tags.CallReply("close"),
    CommandError(-32000, "Not attached to an active page", method="Page.close", session=PAGE),
)
LEFT = (detached(SILENT, PAGE), navigates(TOP, "about:blank"))


def test_a_page_with_an_iframe_that_never_answered_is_left_before_it_is_closed() -> None:
    core = with_silent_iframe()

    assert core.play(close())[1:] == [LEAVE, Arm(LEAVING, 5.0)]
    gone = core.play(*LEFT)
    assert sent(gone) == [sending()]
    assert Disarm(LEAVING) in gone


def test_a_page_that_was_left_and_is_not_active_yet_is_asked_again_to_close() -> None:
    """The process of the new document tells of it before the browser has put it in place of the old one."""
    core = with_silent_iframe().after(close(page.Close()), *LEFT)

    assert core.play(NOT_ACTIVE) == [sending(page.Close())]
    done = inputs.CommandSucceeded(command_tags.CallReply("close"), None)
    assert told(core.play(done)) == {"close": CommandResult(None)}


def test_a_page_with_a_document_of_its_own_that_is_not_active_is_not_asked_again() -> None:
    assert isinstance(told(with_page().after(close(page.Close())).play(NOT_ACTIVE))["close"], CommandError)


@pytest.mark.parametrize(
    "failed",
    [
        inputs.TimerFired(LEAVING),
        inputs.CommandSucceeded(command_tags.BlankBeforeClose(TOP), navigated(error="net::ERR_ABORTED")),
        inputs.CommandFailed(command_tags.BlankBeforeClose(TOP), CommandError(-32000, "no", method="m", session=PAGE)),
    ],
)
def test_a_page_that_cannot_be_left_is_closed_while_we_are_told_nothing(failed: inputs.Input) -> None:
    core = with_silent_iframe().after(close())

    assert sent(core.play(failed)) == [UNWATCH, sending()]


def test_a_page_that_is_left_when_the_connection_goes_is_not_waited_for() -> None:
    core = with_silent_iframe().after(close())

    assert Disarm(LEAVING) in core.play(inputs.Disconnected("gone"))


def test_a_page_is_closed_after_the_answer_to_its_dialog_was_confirmed() -> None:
    """Chromium 156 may forget a `Page.close` that comes before."""
    core = with_page().after(opening(), answer(), closed())

    assert sent(core.play(close(page.Close()))) == []
    assert sent(core.play(confirmed())) == [sending(page.Close())]


def test_a_call_that_ended_meanwhile_closes_nothing() -> None:
    core = with_dialog().after(close())

    overdue = core.play(inputs.TimerFired(timers.CallDeadline("close")))

    assert isinstance(told(overdue)["close"], errors.CallTimeout)
    assert sent(core.play(closed(False, frame_id=INNER))) == []


def test_a_page_that_ends_by_itself_takes_the_call_along() -> None:
    core = with_dialog().after(close(page.Close()))

    assert isinstance(told(core.play(detached(PAGE)))["close"], errors.FrameGone)


def test_what_closes_a_page_from_outside_has_its_reply_after_the_page_is_gone() -> None:
    """Chrome 131 tells of the page's end first."""
    core = with_page().after(close())
    result = target.CloseTargetResult(success=True)

    assert told(core.play(detached(PAGE))) == {}
    replied = core.play(inputs.CommandSucceeded(command_tags.CallReply("close"), result))
    assert told(replied) == {"close": CommandResult(result)}
