"""A dialog and the calls that it stops: which are ended, which are not sent, which run on."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, runtime
from supervisor.core.vocabulary import command_tags, errors, inputs, requests
from supervisor.core.vocabulary.effects import Forget, Send
from tests.support.core.play import (
    INNER,
    PAGE,
    TOP,
    answer,
    attached,
    closed,
    context,
    evaluate,
    opening,
    sent,
    told,
    value,
    with_oopif,
    with_page,
)

REPLY = command_tags.CallReply("call")


def sends(expression: str, session: str, unique_id: str) -> Send:
    command = runtime.Evaluate(expression=expression, unique_context_id=unique_id, await_promise=True)
    return Send(command=command, session_id=session, tag=REPLY)


def test_a_dialog_that_an_expression_opens_ends_its_call_at_once() -> None:
    core = with_page()
    core.play(evaluate("alert(1)"))

    effects = core.play(opening())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=True)}
    assert Forget(REPLY) in effects
    assert core.play(inputs.CommandSucceeded(REPLY, value(1))) == []


def test_a_call_into_a_blocked_document_is_not_sent() -> None:
    core = with_page()
    core.play(opening())

    effects = core.play(evaluate())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=False)}
    assert not sent(effects)


def test_once_the_dialog_is_answered_calls_run_again() -> None:
    core = with_page()
    core.play(opening(), answer(), closed(), inputs.CommandSucceeded(command_tags.DialogAnswer("d-1"), None))

    assert sent(core.play(evaluate("1"))) == [sends("1", PAGE, "context-top")]


def test_a_dialog_that_a_policy_answers_ends_no_call() -> None:
    core = with_page("auto_accept")
    core.play(evaluate("confirm(1)"))

    assert not told(core.play(opening("1", "confirm")))
    core.play(closed(), inputs.CommandSucceeded(command_tags.DialogAnswer("d-1"), None))
    assert "call" in told(core.play(inputs.CommandSucceeded(REPLY, value(1))))


def test_a_policy_whose_answer_fails_leaves_the_call_blocked() -> None:
    core = with_page("auto_accept")
    core.play(evaluate("confirm(1)"), opening("1", "confirm"))

    refused = CommandError(-32000, "no", method="Page.handleJavaScriptDialog", session=PAGE)
    effects = core.play(inputs.CommandFailed(command_tags.DialogAnswer("d-1"), refused))

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=True)}


def test_the_page_runs_on_while_an_iframe_in_another_process_shows_a_dialog() -> None:
    core = with_oopif()
    core.play(evaluate("1"), evaluate("alert(1)", INNER, call="inner"))

    effects = core.play(opening(frame_id=INNER))

    assert list(told(effects)) == ["inner"]
    assert told(core.play(inputs.CommandSucceeded(REPLY, value(1))))


def test_same_site_frames_that_share_a_process_share_its_dialogs() -> None:
    """Two OOPIFs of one site in one page: measured to be one renderer process."""
    core = with_oopif()
    core.play(
        attached("s-2", "inner-2", kind="iframe", parent=PAGE, parent_frame=TOP, url="http://b.test/two"),
        context("s-2", "inner-2", "context-2"),
        evaluate("1", "inner-2"),
    )

    assert list(told(core.play(opening(frame_id=INNER)))) == ["call"]


def test_a_popup_s_dialog_blocks_the_opener_that_called_for_it() -> None:
    core = with_page()
    core.play(attached("s-2", "popup", url="http://a.test/p", opener=TOP), evaluate("popup.alert(1)"))

    assert list(told(core.play(opening(session="s-2", frame_id="popup")))) == ["call"]


@pytest.mark.parametrize(("origin", "ended"), [("http://a.test", ["call"]), ("http://b.test", []), ("://", [])])
def test_an_empty_popup_stops_its_opener_if_it_has_the_origin_of_it(origin: str, ended: list[str]) -> None:
    core = with_page()
    core.play(attached("s-2", "popup", url="about:blank", opener=TOP), context("s-2", "popup", "in-popup", origin))
    core.play(evaluate("popup.alert(1)"))

    assert list(told(core.play(opening(session="s-2", frame_id="popup")))) == ended


def test_a_dialog_in_another_tab_blocks_nothing_here() -> None:
    core = with_page()
    core.play(attached("s-2", "other", url="http://a.test/p"), evaluate("1"))

    assert not told(core.play(opening(session="s-2", frame_id="other")))


def test_a_dialog_whose_frame_is_unknown_counts_for_its_page() -> None:
    core = with_page()
    core.play(evaluate("1"))

    assert list(told(core.play(opening(frame_id="unheard-of")))) == ["call"]


def test_a_navigation_is_sent_although_a_dialog_is_open_and_ends_when_another_opens() -> None:
    """Chromium answers `Page.navigate` on a blocked page; a beforeunload dialog holds the answer back."""
    core = with_page()
    core.play(opening())
    go = requests.CallRequested(call_id="call", work=page.Navigate(url="http://c.test/"), frame_id=None, timeout_s=5.0)

    assert [send.command for send in sent(core.play(go))] == [page.Navigate(url="http://c.test/")]
    effects = core.play(closed(False), opening("", "beforeunload"))
    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"call": errors.BlockedByDialog(dialog, maybe_executed=True)}


def test_other_commands_are_not_sent_to_a_blocked_page() -> None:
    core = with_page()
    core.play(opening())
    shot = requests.CallRequested(call_id="call", work=page.CaptureScreenshot(), frame_id=None, timeout_s=5.0)

    assert not sent(core.play(shot))
