"""Answers to dialogs: what is sent, what is refused, and what the browser says of them."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError, CommandTimeout, InvalidParams
from cdp_typed.protocol import page
from supervisor.core.vocabulary import command_tags, errors, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Disarm, Send
from supervisor.core.vocabulary.values import DialogReceipt
from tests.support.core.play import PAGE, answer, attached, closed, confirmed, opening, sent, told, with_page

WATCHDOG = timers.DialogWatchdog("d-1")
ANSWER = command_tags.DialogAnswer("d-1")
NOT_SHOWING = InvalidParams(-32602, "No dialog is showing", method="Page.handleJavaScriptDialog", session=PAGE)


def handle(accept: bool, **text: str) -> Send:
    command = page.HandleJavaScriptDialog(accept=accept, **text)
    return Send(command=command, session_id=PAGE, tag=ANSWER, timeout_s=5.0)


def test_an_answer_is_confirmed_by_the_browser_before_it_is_called_one() -> None:
    core = with_page().after(opening("hello", "confirm"))

    assert core.play(answer("accept")) == [handle(True)]
    assert core.play(closed(True)) == [Disarm(WATCHDOG)]
    receipt = DialogReceipt(dialog_id="d-1", accepted=True, closed_by="agent", user_input="")
    assert told(core.play(confirmed())) == {"answer": receipt}
    assert core.seen.pending_dialogs == ()
    records = [(record.id, record.closed_by, record.accepted) for record in core.seen.recent_dialogs]
    assert records == [("d-1", "agent", True)]


def test_a_browser_that_confirms_without_announcing_the_end_is_believed() -> None:
    core = with_page().after(opening("hello", "prompt"), answer("accept", "x"))

    receipt = DialogReceipt(dialog_id="d-1", accepted=True, closed_by="agent", user_input="x")
    assert told(core.play(confirmed())) == {"answer": receipt}
    assert core.seen.pending_dialogs == ()


@pytest.mark.parametrize(
    ("dialog", "answered", "command", "closes"),
    [
        (opening("sure?", "confirm"), answer("accept", "Ada"), handle(True), closed(True)),
        (opening(kind="prompt", default="x"), answer("dismiss", "Ada"), handle(False), closed(False, "Ada")),
    ],
    ids=["a dialog that takes none", "a prompt that is dismissed: Chromium echoes the text, and the page gets null"],
)
def test_a_text_that_the_page_does_not_get_is_reported(
    dialog: inputs.Input, answered: inputs.Input, command: Send, closes: inputs.Input
) -> None:
    core = with_page().after(dialog)

    assert core.play(answered) == [command]
    receipt = told(core.play(closes, confirmed()))["answer"]
    assert isinstance(receipt, DialogReceipt)
    assert (receipt.user_input, receipt.prompt_text_ignored) == ("", True)
    assert core.seen.recent_dialogs[0].user_input == ""


TWO = [attached("session-2", "page-2"), opening("one"), opening("two", session="session-2", frame_id="page-2")]


@pytest.mark.parametrize(
    ("before", "dialog", "error"),
    [
        ([], None, errors.NoDialogOpen()),
        ([], "d-9", errors.UnknownDialog("d-9", ())),
        ([opening()], "d-9", errors.UnknownDialog("d-9", ("d-1",))),
        (TWO, None, errors.AmbiguousDialog(("d-1", "d-2"))),
        ([opening(), answer(call="first")], None, errors.DialogBeingAnswered("d-1", "agent")),
    ],
    ids=["none is open", "unknown", "unknown beside an open one", "several are open", "it is being answered"],
)
def test_answers_that_cannot_be_given_are_refused_and_change_nothing(
    before: list[inputs.Input], dialog: str | None, error: Exception
) -> None:
    core = with_page().after(*before)
    world = core.state.world

    effects = core.play(answer(dialog=dialog))

    assert (told(effects), sent(effects)) == ({"answer": error}, [])
    assert core.state.world == world


def test_with_several_dialogs_open_the_answer_goes_to_the_one_that_it_names() -> None:
    (second,) = sent(with_page().after(*TWO).play(answer(dialog="d-2")))

    assert (second.session_id, second.tag) == ("session-2", command_tags.DialogAnswer("d-2"))
    assert str(errors.UnknownDialog("d-9", ("d-1",))) == "dialog 'd-9' is not open; open: d-1"


def test_whoever_loses_the_race_for_a_dialog_is_told_how_it_ended() -> None:
    """Another client accepted: its result is announced first, then our own answer is refused."""
    core = with_page().after(opening("sure?", "confirm"), answer("dismiss"), closed(True))

    effects = core.play(inputs.CommandFailed(ANSWER, NOT_SHOWING))

    (record,) = core.seen.recent_dialogs
    assert (record.closed_by, record.accepted) == ("remote", True)
    assert told(effects) == {"answer": errors.DialogAlreadyClosed(record)}
    assert told(core.play(answer(dialog="d-1"))) == {"answer": errors.DialogAlreadyClosed(record)}


def test_a_dialog_that_the_browser_takes_no_answer_for_stays_open_and_says_so() -> None:
    core = with_page().after(opening(), answer())

    effects = core.play(inputs.CommandFailed(ANSWER, NOT_SHOWING))

    (dialog,) = core.seen.pending_dialogs
    assert not dialog.answerable
    assert told(effects) == {"answer": errors.DialogUnanswerable(dialog)}
    assert told(core.play(answer())) == {"answer": errors.DialogUnanswerable(dialog)}


NOT_ACTIVE = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)
RETRY = timers.AnswerRetry("d-1")


def test_an_answer_to_a_page_that_is_just_being_replaced_is_sent_again() -> None:
    core = with_page().after(opening(), answer())

    assert core.play(inputs.CommandFailed(ANSWER, NOT_ACTIVE)) == [Arm(RETRY, 0.2)]
    assert core.play(inputs.TimerFired(RETRY)) == [handle(True)]
    assert core.play(closed()) == [Disarm(WATCHDOG), Disarm(RETRY)]
    assert core.play(inputs.TimerFired(RETRY)) == []


def test_a_lost_connection_ends_that_too() -> None:
    core = with_page().after(opening(), answer(), inputs.CommandFailed(ANSWER, NOT_ACTIVE))

    assert Disarm(RETRY) in core.play(inputs.Disconnected("gone"))


def test_an_answer_is_sent_twenty_times_before_its_dialog_says_that_the_page_cannot_be_left() -> None:
    core = with_page()
    effects = core.play(opening(), answer())
    answers = sent(effects)

    while not told(effects):
        effects = core.play(inputs.CommandFailed(ANSWER, NOT_ACTIVE), inputs.TimerFired(RETRY))
        answers += sent(effects)

    assert answers == [handle(True)] * 20
    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"answer": errors.DialogUnanswerable(dialog)}
    assert not dialog.answerable
    assert dialog.note.endswith("only closing the page helps")
    assert dialog.ways_out == ("wait", "reload", "navigate", "close")


NEW = CommandError(-32000, "something new", method="Page.handleJavaScriptDialog", session=PAGE)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (CommandTimeout("Page.handleJavaScriptDialog", session=PAGE, timeout=5.0), errors.AnswerTimeout("d-1", 5.0)),
        (NEW, NEW),
    ],
)
def test_an_answer_that_failed_can_be_given_again(error: Exception, outcome: Exception) -> None:
    core = with_page().after(opening(), answer())

    effects = core.play(inputs.CommandFailed(ANSWER, error))

    assert told(effects) == {"answer": outcome}
    assert Arm(WATCHDOG, 300.0) in effects
    assert core.play(answer(call="again")) == [handle(True)]
