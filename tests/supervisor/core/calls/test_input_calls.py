"""Chromium throws away the input of a tab that shows a dialog, and says that it was done: such calls end, or wait."""

from __future__ import annotations

from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page
from supervisor.core.vocabulary import command_tags, errors, inputs, requests
from supervisor.core.vocabulary.effects import Send
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    answer,
    attached,
    children_announced,
    closed,
    context,
    frame,
    frame_tree_reply,
    on,
    opening,
    sent,
    told,
    tree,
    with_oopif,
    with_page,
)

PRESS = input_.DispatchMouseEvent(type="mousePressed", x=1, y=2, button="left", click_count=1)
SENT = Send(command=PRESS, session_id=PAGE, tag=command_tags.CallReply("press"))


def press(call: str = "press", frame_id: str | None = None) -> requests.CallRequested:
    return requests.CallRequested(call_id=call, work=PRESS, frame_id=frame_id, timeout_s=30.0)


def test_input_that_makes_an_iframe_of_another_process_open_a_dialog_ends_at_once() -> None:
    """The page's own session never answers it, although the page's scripts run on."""
    core = with_oopif()
    assert sent(core.play(press())) == [SENT]

    effects = core.play(opening(frame_id=INNER))

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"press": errors.BlockedByDialog(dialog, maybe_executed=True)}


def test_input_below_an_open_dialog_is_not_sent() -> None:
    core = with_oopif()
    core.play(opening(frame_id=INNER))

    effects = core.play(press())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"press": errors.BlockedByDialog(dialog, maybe_executed=False)}
    assert not sent(effects)


def test_input_waits_for_a_dialog_that_is_being_answered() -> None:
    core = with_page()
    core.play(opening(), answer())

    assert not sent(core.play(press()))
    assert sent(core.play(closed(), inputs.CommandSucceeded(command_tags.DialogAnswer("d-1"), None))) == [SENT]


def test_the_dialog_of_another_tab_is_in_nobodys_way() -> None:
    core = with_page()
    core.play(
        attached("session-other", "frame-other"),
        context("session-other", "frame-other", "context-other"),
        frame_tree_reply("session-other", tree(frame("frame-other", "http://b.test/"))),
        children_announced("session-other"),
        opening(session="session-other", frame_id="frame-other"),
    )

    assert sent(core.play(press(frame_id=TOP))) == [SENT]


def test_a_frame_names_its_document() -> None:
    core = with_oopif()
    children = core.seen.frame_tree.children
    assert [child.loader_id for child in children] == ["loader"]

    same = page.NavigatedWithinDocument(
        frame_id=page.FrameId(INNER), url="http://b.test/#a", navigation_type="fragment"
    )
    core.play(on(OOPIF, same))

    assert [child.loader_id for child in core.seen.frame_tree.children] == ["loader"]
