"""Pages that show dialogs are left or closed, and the dialogs end as they are."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, target
from supervisor.core.dialogs.answers import MAX_TRIES
from supervisor.core.state.dialogs import DialogRateLimit
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, Send
from tests.support.core.navigations import BLANK, CLOSE, DONE, NAVIGATE, RELOAD, REPLY, URL, commands, shows
from tests.support.core.play import (
    INNER,
    PAGE,
    TOP,
    closed,
    confirmed,
    detached,
    navigated,
    navigates,
    opening,
    sent,
    told,
    with_oopif,
    with_page,
)


@pytest.mark.parametrize(("work", "url"), [(RELOAD, "http://a.test/"), (NAVIGATE, URL)])
def test_a_page_that_shows_a_dialog_is_left_by_way_of_a_blank_one(work: requests.NavigationRequested, url: str) -> None:
    """Within its own process Chromium would wait for ever for a script that opens one dialog after the other."""
    core = with_page().after(opening())

    assert commands(core, work) == [BLANK]
    core.play(closed(False), inputs.CommandSucceeded(REPLY, navigated("blank")))
    assert commands(core, shows("blank", "about:blank")) == [page.Navigate(url=url)]
    core.play(inputs.CommandSucceeded(REPLY, navigated("new")))
    assert told(core.play(shows("new"))) == DONE


def test_a_dialog_that_the_browser_does_not_show_is_dismissed_when_its_page_is_left() -> None:
    """Measured on Chrome 131: a navigation does not end it, but waits for its script."""
    core = with_page().after(opening(shown=False))

    assert commands(core, NAVIGATE) == [BLANK, page.HandleJavaScriptDialog(accept=False)]
    core.play(closed(False), confirmed())
    assert [record.note for record in core.seen.recent_dialogs] == ["a caller navigates or closes its page"]


def test_so_is_one_in_a_storm() -> None:
    core = with_page().having(dialogs={"rate_limit": DialogRateLimit(limit=1)})

    assert commands(core.after(opening(), closed(), opening(), closed(False)), NAVIGATE) == [BLANK]


def test_what_the_page_opens_meanwhile_is_dismissed() -> None:
    core = with_page().after(opening("first"), NAVIGATE, closed(False))

    assert commands(core, opening("again", "confirm")) == [page.HandleJavaScriptDialog(accept=False)]
    core.play(closed(False), confirmed("d-2"))
    assert [(record.closed_by, record.note) for record in core.seen.recent_dialogs] == [
        ("remote", ""),
        ("auto_policy", "a caller navigates or closes its page"),
    ]


def test_the_question_whether_to_leave_is_the_callers() -> None:
    core = with_page().after(NAVIGATE)

    effects = core.play(opening("", "beforeunload"))

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"leave": errors.BlockedByDialog(dialog, maybe_executed=True)}


def being_left(dialog_id: str) -> list[inputs.Input]:
    error = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)
    return [inputs.CommandFailed(command_tags.DialogAnswer(dialog_id), error)] * MAX_TRIES


def test_a_dialog_that_takes_no_answer_ends_the_wait() -> None:
    core = with_page().after(NAVIGATE, opening())

    error = told(core.play(*being_left("d-1")))["leave"]

    assert isinstance(error, errors.BlockedByDialog)
    assert "close_page is the way out" in str(error)


def test_but_not_on_the_way_by_a_blank_page_which_gets_there_all_the_same() -> None:
    core = with_page().after(opening(), NAVIGATE, closed(False), opening())

    assert told(core.play(*being_left("d-2"))) == {}
    core.play(inputs.CommandSucceeded(REPLY, navigated("blank")))
    assert commands(core, shows("blank", "about:blank")) == [page.Navigate(url=URL)]


CLOSED = inputs.CommandSucceeded(REPLY, target.CloseTargetResult(success=True))
CLOSE_TOP = target.CloseTarget(target_id=target.TargetID(TOP))


def test_a_closed_page_is_gone_before_the_caller_hears_of_it() -> None:
    core = with_page()

    assert sent(core.play(CLOSE)) == [Send(command=CLOSE_TOP, session_id=None, tag=REPLY)]
    assert told(core.play(CLOSED)) == {}
    assert told(core.play(detached(PAGE))) == DONE


def test_a_page_that_the_browser_forgets_to_close_is_closed_again() -> None:
    core = with_page().after(CLOSE)
    retry = timers.NavigationRetry("leave")
    gone = CommandError(-32602, "No target with given id found", method="Target.closeTarget", session=None)

    assert core.play(CLOSED) == [Arm(retry, 0.5)]
    assert commands(core, inputs.TimerFired(retry)) == [CLOSE_TOP]
    assert core.play(inputs.CommandFailed(REPLY, gone)) == []
    assert told(core.play(detached(PAGE))) == DONE


def test_a_page_that_shows_a_new_document_and_its_dialog_is_not_closed_yet() -> None:
    core = with_page().after(CLOSE, navigates(TOP, "http://b.test/", loader="new"))

    asked = core.play(opening("still here"))

    assert (told(asked), [send.command for send in sent(asked)]) == ({}, [page.HandleJavaScriptDialog(accept=False)])
    assert told(core.play(detached(PAGE))) == DONE


def test_the_dialog_of_an_iframe_is_dismissed_before_its_page_is_closed() -> None:
    core = with_oopif().after(opening("inner", frame_id=INNER))

    assert commands(core, CLOSE) == [page.HandleJavaScriptDialog(accept=False)]
    assert commands(core, closed(False, frame_id=INNER), confirmed()) == [CLOSE_TOP]


def test_where_it_takes_no_answer_nobody_is_told_of_its_end() -> None:
    core = with_oopif().after(opening("top"), opening("inner", frame_id=INNER), closed(False))

    assert commands(core, CLOSE) == [page.Disable(), CLOSE_TOP]
