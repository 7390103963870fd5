"""Pages that show dialogs are left, and the dialogs end as they are left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page
from supervisor.core.dialogs.answers import MAX_TRIES
from supervisor.core.state.dialogs import DialogRateLimit
from supervisor.core.vocabulary import command_tags, errors, inputs, requests
from tests.support.core.navigations import (
    BLANK,
    DONE,
    NAVIGATE,
    RELOAD,
    REPLY,
    URL,
    commands,
    shows,
)
from tests.support.core.play import (
    PAGE,
    closed,
    navigated,
    opening,
    told,
    with_page,
)


@pytest.mark.parametrize(("work", "url"), [(RELOAD, "http://a.test/"), (NAVIGATE, URL)])
def test_a_page_that_shows_a_dialog_is_left_by_way_of_a_blank_one(work: requests.NavigationRequested, url: str) -> None:
    """Within its own process Chromium would wait for ever for a script that opens one dialog after the other."""
    core = with_page()
    core.play(opening())

    assert commands(core, work) == [BLANK]
    core.play(closed(False), inputs.CommandSucceeded(REPLY, navigated("blank")))
    assert commands(core, shows("blank", "about:blank")) == [page.Navigate(url=url)]
    core.play(inputs.CommandSucceeded(REPLY, navigated("new")))
    assert told(core.play(shows("new"))) == DONE


def test_a_dialog_that_the_browser_does_not_show_is_dismissed_when_its_page_is_left() -> None:
    """Measured on Chrome 131: a navigation does not end it, but waits for its script."""
    core = with_page()
    core.play(opening(shown=False))

    assert commands(core, NAVIGATE) == [BLANK, page.HandleJavaScriptDialog(accept=False)]
    core.play(closed(False), inputs.CommandSucceeded(command_tags.DialogAnswer("d-1"), None))
    assert [record.note for record in core.seen.recent_dialogs] == ["a caller navigates or closes its page"]


def test_so_is_one_in_a_storm() -> None:
    core = with_page()
    dialogs = replace(core.state.world.dialogs, rate_limit=DialogRateLimit(limit=1))
    core.state = replace(core.state, world=replace(core.state.world, dialogs=dialogs))
    core.play(opening(), closed(), opening(), closed(False))

    assert commands(core, NAVIGATE) == [BLANK]


def test_what_the_page_opens_meanwhile_is_dismissed() -> None:
    core = with_page()
    core.play(opening("first"), NAVIGATE, closed(False))

    assert commands(core, opening("again", "confirm")) == [page.HandleJavaScriptDialog(accept=False)]
    core.play(closed(False), inputs.CommandSucceeded(command_tags.DialogAnswer("d-2"), None))
    assert [(record.closed_by, record.note) for record in core.seen.recent_dialogs] == [
        ("remote", ""),
        ("auto_policy", "a caller navigates or closes its page"),
    ]


def test_the_question_whether_to_leave_is_the_callers() -> None:
    core = with_page()
    core.play(NAVIGATE)

    effects = core.play(opening("", "beforeunload"))

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"leave": errors.BlockedByDialog(dialog, maybe_executed=True)}


def test_a_dialog_that_takes_no_answer_ends_the_wait() -> None:
    core = with_page()
    core.play(NAVIGATE, opening())
    being_left = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)

    error = told(core.play(*[inputs.CommandFailed(command_tags.DialogAnswer("d-1"), being_left)] * MAX_TRIES))["leave"]

    assert isinstance(error, errors.BlockedByDialog)
    assert "close_page is the way out" in str(error)


def test_but_not_on_the_way_by_a_blank_page_which_gets_there_all_the_same() -> None:
    core = with_page()
    core.play(opening(), NAVIGATE, closed(False), opening())
    being_left = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)

    assert told(core.play(*[inputs.CommandFailed(command_tags.DialogAnswer("d-2"), being_left)] * MAX_TRIES)) == {}

    core.play(inputs.CommandSucceeded(REPLY, navigated("blank")))
    assert commands(core, shows("blank", "about:blank")) == [page.Navigate(url=URL)]
