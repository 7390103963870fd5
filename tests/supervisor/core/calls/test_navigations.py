"""Pages are left and closed whatever stands in the way, and the caller hears when it is true."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost, TargetCrashed
from cdp_typed.protocol import inspector, network, page
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Forget, Send
from tests.support.core.navigations import (
    CLOSE,
    DEADLINE,
    DONE,
    NAVIGATE,
    RELOAD,
    REPLY,
    URL,
    commands,
    leave,
    shows,
    starts,
)
from tests.support.core.play import (
    BROWSER,
    INNER,
    PAGE,
    TOP,
    Core,
    attached,
    children_announced,
    context,
    detached,
    frame,
    frame_tree_reply,
    navigated,
    on,
    opening,
    sent,
    told,
    tree,
    with_oopif,
    with_page,
)

RELOADS = page.Reload(loader_id=frame(TOP, URL).loader_id)


def test_a_page_that_is_not_watched_goes_on_from_the_empty_one_when_it_is_watched_again() -> None:
    """On Chrome 131 the events of the next document were lost when it was sent for before."""
    core = with_oopif()
    core.play(opening("inner", "alert", frame_id=INNER), opening("top", "alert", frame_id=TOP))
    removed = on(PAGE, page.FrameDetached(frame_id=page.FrameId(INNER), reason="remove"))
    core.play(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("blank")), removed)

    assert page.Navigate(url=URL) not in commands(core, shows("blank", "about:blank"))
    going_on = commands(core, context(PAGE, TOP, "of the empty one"))
    assert going_on.index(page.Enable()) < going_on.index(page.Navigate(url=URL))


def unresponsive() -> Core:
    """A page that something from before us has frozen."""
    core = Core()
    core.play(
        inputs.Connected(BROWSER),
        attached(PAGE, TOP, url="http://a.test/"),
        inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None),
        inputs.TimerFired(timers.SetupDeadline(PAGE)),
    )
    return core


def test_a_page_is_left_when_its_new_document_is_there() -> None:
    core = with_page()

    asked = core.play(NAVIGATE)
    taken = core.play(inputs.CommandSucceeded(REPLY, navigated("new")))
    there = core.play(shows("new"))

    assert asked == [Arm(DEADLINE, 30.0), Send(command=page.Navigate(url=URL), session_id=PAGE, tag=REPLY)]
    assert taken == []
    assert there == [Disarm(DEADLINE), Forget(REPLY), CompleteCall("leave", CommandResult(None))]


def test_the_document_may_come_before_the_answer() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert told(core.play(shows("new"))) == {}
    assert told(core.play(inputs.CommandSucceeded(REPLY, navigated("new")))) == DONE


def test_another_document_is_not_the_one_that_was_asked_for() -> None:
    core = with_page()
    core.play(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("new")))

    assert told(core.play(shows("old"))) == {}
    assert told(core.play(on(PAGE, page.FrameNavigated(frame=frame(INNER, URL, TOP), type="Navigation")))) == {}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (inputs.CommandSucceeded(REPLY, navigated(None)), CommandResult(None)),
        (
            inputs.CommandSucceeded(REPLY, navigated("new", error="net::ERR_ABORTED")),
            errors.NavigationFailed(URL, "net::ERR_ABORTED"),
        ),
        (
            inputs.CommandFailed(
                REPLY, CommandError(-32000, "Cannot navigate to invalid URL", method="m", session=PAGE)
            ),
            CommandError(-32000, "Cannot navigate to invalid URL", method="m", session=PAGE),
        ),
    ],
    ids=["within the document", "failed", "refused"],
)
def test_other_ends_of_a_navigation(reply: inputs.Input, outcome: object) -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert str(told(core.play(reply))["leave"]) == str(outcome)


def test_a_navigation_that_fails_ends_when_its_error_page_is_there() -> None:
    core = with_page()
    core.play(NAVIGATE, on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))))

    refused = navigated("error-page", error="net::ERR_NAME_NOT_RESOLVED")
    assert told(core.play(inputs.CommandSucceeded(REPLY, refused))) == {}
    shown = core.play(shows("error-page", "chrome-error://chromewebdata/"))
    assert told(shown) == {"leave": errors.NavigationFailed(URL, "net::ERR_NAME_NOT_RESOLVED")}


@pytest.mark.parametrize(
    ("started", "error", "unreachable", "maybe_executed"),
    [
        ("http://a.test/pay", "net::ERR_CONNECTION_REFUSED", "http://a.test/pay", False),
        ("http://a.test/pay", "net::ERR_CERT_DATE_INVALID", "http://a.test/pay", False),
        ("http://a.test/pay", "net::ERR_CONNECTION_REFUSED", "http://b.test/paid", True),
        ("http://a.test/pay", "net::ERR_CONNECTION_RESET", "http://a.test/pay", True),
        (None, "net::ERR_CONNECTION_REFUSED", URL, False),
        (None, "net::ERR_CONNECTION_REFUSED", "http://a.test/pay", True),
    ],
    ids=["refused", "certificate", "after a redirect", "reset", "no start told", "a redirect, and no start told"],
)
def test_a_navigation_that_fails_has_done_nothing_where_no_server_had_a_request(
    started: str | None, error: str, unreachable: str, maybe_executed: bool
) -> None:
    core = with_page()
    core.play(NAVIGATE, LOADING[0], *([starts("new", started)] if started else []))
    core.play(inputs.CommandSucceeded(REPLY, navigated("new", error=error)))
    shown = replace(frame(TOP, "chrome-error://chromewebdata/", loader="new"), unreachable_url=unreachable)

    (failed,) = told(core.play(on(PAGE, page.FrameNavigated(frame=shown, type="Navigation")))).values()

    assert (type(failed), getattr(failed, "maybe_executed", None)) == (errors.NavigationFailed, maybe_executed)


def test_a_navigation_that_fails_without_an_error_page_ends_when_nothing_loads() -> None:
    core = with_page()
    core.play(NAVIGATE, LOADING[0], inputs.CommandSucceeded(REPLY, navigated("none", error="net::ERR_FAILED")))

    assert told(core.play(LOADING[1])) == {"leave": errors.NavigationFailed(URL, "net::ERR_FAILED")}


def test_a_navigation_that_fails_tells_its_error_at_its_deadline() -> None:
    core = with_page()
    core.play(NAVIGATE, LOADING[0], inputs.CommandSucceeded(REPLY, navigated("none", error="net::ERR_FAILED")))

    assert told(core.play(inputs.TimerFired(DEADLINE))) == {"leave": errors.NavigationFailed(URL, "net::ERR_FAILED")}


def test_the_old_document_of_a_page_that_was_frozen_does_not_end_a_reload() -> None:
    core = unresponsive()
    core.play(RELOAD, starts("new"), inputs.CommandSucceeded(REPLY, None))

    old = frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="old")))
    assert told(core.play(old, children_announced(PAGE))) == {}
    assert told(core.play(shows("new"))) == DONE


def test_a_reload_ends_with_the_next_document() -> None:
    core = with_page()

    assert commands(core, RELOAD) == [RELOADS]
    assert told(core.play(inputs.CommandSucceeded(REPLY, None))) == {}
    assert told(core.play(shows("new"))) == DONE


@pytest.mark.parametrize(
    "text", ["Reload was discarded because the page already navigated", "Document already navigated"]
)
def test_a_reload_never_brings_back_the_document_before(text: str) -> None:
    """A browser that does not know the newest document yet refuses to reload it, and knows it a moment later. One that
    refuses again the same document has another name for it."""
    core = with_page()
    retry, discarded = timers.NavigationRetry("leave"), CommandError(-32602, text, method="m", session=PAGE)
    core.play(shows("second"))

    assert commands(core, RELOAD) == [page.Reload(loader_id=network.LoaderId("second"))]
    assert core.play(inputs.CommandFailed(REPLY, discarded)) == [Arm(retry, 0.2)]
    assert commands(core, inputs.TimerFired(retry)) == [page.Reload()]
    assert told(core.play(shows("second again"))) == DONE


def test_a_reload_that_came_too_late_for_a_document_means_the_next_one() -> None:
    core = unresponsive()
    retry, text = timers.NavigationRetry("leave"), "Reload was discarded because the page already navigated"
    core.play(shows("first"), RELOAD, inputs.CommandFailed(REPLY, CommandError(-32602, text, method="m", session=PAGE)))
    core.play(shows("second"))

    assert commands(core, inputs.TimerFired(retry)) == [page.Reload(loader_id=network.LoaderId("second"))]


LOADING = [
    on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))),
    on(PAGE, page.FrameStoppedLoading(frame_id=page.FrameId(TOP))),
]
CRASH = on(PAGE, inspector.TargetCrashed())


@pytest.mark.parametrize(
    ("work", "reply"), [(NAVIGATE, navigated("new")), (RELOAD, None)], ids=["navigation", "reload"]
)
def test_a_crash_that_ends_a_navigation_is_told_at_once(work: requests.NavigationRequested, reply: object) -> None:
    core = with_page()
    core.play(work, LOADING[0], inputs.CommandSucceeded(REPLY, reply), LOADING[1])

    assert isinstance(told(core.play(CRASH))["leave"], TargetCrashed)


def test_a_navigation_to_another_process_survives_the_crash_of_this_one() -> None:
    core = with_page()
    core.play(NAVIGATE, LOADING[0], inputs.CommandSucceeded(REPLY, navigated("new")))

    assert told(core.play(CRASH)) == {}
    assert told(core.play(shows("new"))) == DONE


def test_so_does_one_that_begins_after_it() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert told(core.play(CRASH, inputs.CommandSucceeded(REPLY, navigated("new")))) == {}
    assert told(core.play(shows("new"))) == DONE


def test_a_page_that_did_not_respond_is_left_only_when_it_responds() -> None:
    core = unresponsive()

    core.play(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("new")))

    assert told(core.play(shows("new"))) == {}
    assert (
        told(core.play(children_announced(PAGE), frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="new"))))) == DONE
    )
    assert core.seen.pages[0].status == "ok"


@pytest.mark.parametrize("document", [[], [shows("new", "http://a.test/")]])
def test_or_when_it_shows_a_dialog_which_is_the_agents(document: list[inputs.Input]) -> None:
    """It comes from the new document, although that may not have been announced."""
    core = unresponsive()
    core.play(RELOAD, inputs.CommandSucceeded(REPLY, None), *document)

    effects = core.play(opening())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"leave": errors.BlockedByDialog(dialog, maybe_executed=True)}
    assert not sent(effects)


def test_a_page_that_is_not_watched_tells_its_document_afterwards() -> None:
    core = with_page()
    core.play(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("new")))

    assert told(core.play(frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="new"))))) == DONE


def test_a_page_that_is_closed_by_somebody_else_cannot_be_left() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert told(core.play(detached(PAGE))) == {
        "leave": errors.FrameGone(TOP, maybe_executed=True, why="its page was closed")
    }


@pytest.mark.parametrize(
    ("core", "asked", "outcome"),
    [
        (with_page(), leave(requests.ReloadPage(), "page-9"), errors.UnknownPage("page-9")),
        (Core(), RELOAD, errors.NotRunning("connecting")),
    ],
)
def test_what_cannot_be_left_is_refused(core: Core, asked: requests.NavigationRequested, outcome: Exception) -> None:
    assert told(core.play(asked)) == {"leave": outcome}


def test_without_a_page_there_is_nothing_to_leave() -> None:
    core = with_page()
    core.play(detached(PAGE))

    assert told(core.play(RELOAD)) == {"leave": errors.NoPage()}


def test_a_page_that_is_just_being_replaced_is_left_a_moment_later() -> None:
    core = with_page()
    core.play(RELOAD)
    retry = timers.NavigationRetry("leave")
    not_active = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)

    assert core.play(inputs.CommandFailed(REPLY, not_active)) == [Arm(retry, 0.2)]
    assert commands(core, inputs.TimerFired(retry)) == [RELOADS]
    assert Disarm(retry) in core.play(shows("new"))
    assert core.play(inputs.TimerFired(retry)) == []


@pytest.mark.parametrize(
    ("asked", "says"), [(NAVIGATE, "closing it may help"), (CLOSE, "page 'frame-top' is still there")]
)
def test_every_wait_has_an_end(asked: requests.NavigationRequested, says: str) -> None:
    core = with_page()
    core.play(asked)

    error = told(core.play(inputs.TimerFired(DEADLINE)))["leave"]

    assert isinstance(error, errors.CallTimeout)
    assert says in str(error)
    assert told(core.play(inputs.CommandSucceeded(REPLY, navigated("new")))) == {}


def test_a_lost_connection_may_have_taken_the_command_along() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert told(core.play(inputs.Disconnected("gone"))) == {"leave": errors.CallLost("gone")}


def test_so_may_one_whose_loss_is_told_by_the_command_first() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert told(core.play(inputs.CommandFailed(REPLY, ConnectionLost("gone")))) == {"leave": errors.CallLost("gone")}


def test_a_page_is_left_when_the_connection_is_back() -> None:
    core = with_page()
    core.play(inputs.Disconnected("gone"))

    assert commands(core, NAVIGATE) == []
    back = core.play(inputs.Connected(BROWSER), attached("session-new", TOP))

    assert Send(command=page.Navigate(url=URL), session_id="session-new", tag=REPLY) in back


def test_the_end_of_the_supervisor_ends_it() -> None:
    core = with_page()
    core.play(NAVIGATE)

    assert isinstance(told(core.play(inputs.StopRequested()))["leave"], errors.NotRunning)
    assert isinstance(told(core.play(replace(NAVIGATE, call_id="late")))["late"], errors.NotRunning)


def test_a_page_that_is_stopped_by_the_dialog_of_another_one_says_which() -> None:
    """A popup of the same site shares the process of its opener."""
    core = with_page(url="http://a.test/")
    core.play(
        attached("s-2", "popup", opener=TOP, url="http://a.test/p"),
        frame_tree_reply("s-2", tree(frame("popup", "http://a.test/p"))),
        opening(session="s-2", frame_id="popup"),
        NAVIGATE,
    )

    outcome = told(core.play(inputs.TimerFired(DEADLINE)))["leave"]

    assert isinstance(outcome, errors.CallTimeout)
    assert "dialog 'd-1' of page 'popup' stops its process" in str(outcome)
