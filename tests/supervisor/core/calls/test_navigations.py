"""Pages are left and closed whatever stands in the way, and the caller hears when it is true."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost, TargetCrashed
from cdp_typed.protocol import network, page
from supervisor.core.vocabulary import errors, inputs, requests, timers
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
    crashed,
    detached,
    frame,
    frame_tree_reply,
    navigated,
    navigates,
    on,
    opening,
    removed,
    sent,
    told,
    tree,
    unresponsive,
    with_oopif,
    with_page,
)

RELOADS = page.Reload(loader_id=frame(TOP, URL).loader_id)
LOADS = on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP)))
HAS_LOADED = on(PAGE, page.FrameStoppedLoading(frame_id=page.FrameId(TOP)))
RETRY = timers.NavigationRetry("leave")


def test_a_page_that_is_not_watched_goes_on_from_the_empty_one_when_it_is_watched_again() -> None:
    """On Chrome 131 the events of the next document were lost when it was sent for before."""
    core = with_oopif().after(opening("inner", frame_id=INNER), opening("top"), NAVIGATE)
    core.play(inputs.CommandSucceeded(REPLY, navigated("blank")), removed())

    assert page.Navigate(url=URL) not in commands(core, shows("blank", "about:blank"))
    going_on = commands(core, context(PAGE, TOP, "of the empty one"))
    assert going_on.index(page.Enable()) < going_on.index(page.Navigate(url=URL))


def test_a_page_is_left_when_its_new_document_is_there() -> None:
    core = with_page()

    asked = core.play(NAVIGATE)
    taken = core.play(inputs.CommandSucceeded(REPLY, navigated("new")))
    there = core.play(shows("new"))

    assert asked == [Arm(DEADLINE, 30.0), Send(command=page.Navigate(url=URL), session_id=PAGE, tag=REPLY)]
    assert taken == []
    assert there == [Disarm(DEADLINE), Forget(REPLY), CompleteCall("leave", CommandResult(None))]


def failing(loader: str, error: str) -> inputs.CommandSucceeded:
    return inputs.CommandSucceeded(REPLY, navigated(loader, error=error))


REFUSED = CommandError(-32000, "Cannot navigate to invalid URL", method="m", session=PAGE)
FAILED = errors.NavigationFailed(URL, "net::ERR_FAILED")
ENDS = {
    "its document was there before the reply": (
        [shows("new"), inputs.CommandSucceeded(REPLY, navigated("new"))],
        CommandResult(None),
    ),
    "a page that is not watched tells its document afterwards": (
        [inputs.CommandSucceeded(REPLY, navigated("new")), frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="new")))],
        CommandResult(None),
    ),
    "within the document": ([inputs.CommandSucceeded(REPLY, navigated(None))], CommandResult(None)),
    "aborted": ([LOADS, failing("new", "net::ERR_ABORTED")], errors.NavigationFailed(URL, "net::ERR_ABORTED")),
    "failed": ([failing("new", "net::ERR_FAILED")], FAILED),
    "refused": ([inputs.CommandFailed(REPLY, REFUSED)], REFUSED),
    "nothing loads, and no error page is there": ([LOADS, failing("none", "net::ERR_FAILED"), HAS_LOADED], FAILED),
    "the deadline of one that failed": (
        [LOADS, failing("none", "net::ERR_FAILED"), inputs.TimerFired(DEADLINE)],
        FAILED,
    ),
    "the page was closed": ([detached(PAGE)], errors.FrameGone(TOP, maybe_executed=True, why="its page was closed")),
    "the connection is lost": ([inputs.Disconnected("gone")], errors.CallLost("gone")),
    "the command tells it first": ([inputs.CommandFailed(REPLY, ConnectionLost("gone"))], errors.CallLost("gone")),
    "the supervisor stops": ([inputs.StopRequested()], errors.NotRunning("stopped")),
}


@pytest.mark.parametrize(("received", "outcome"), ENDS.values(), ids=ENDS)
def test_how_a_navigation_ends(received: list[inputs.Input], outcome: object) -> None:
    core = with_page().after(NAVIGATE)
    *before, last = received

    assert told(core.play(*before)) == {}
    assert told(core.play(last)) == {"leave": outcome}


def test_another_document_is_not_the_one_that_was_asked_for() -> None:
    core = with_page().after(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("new")))

    assert told(core.play(shows("old"))) == {}
    assert told(core.play(navigates(INNER, URL, TOP))) == {}


def test_a_navigation_that_fails_ends_when_its_error_page_is_there() -> None:
    core = with_page().after(NAVIGATE, LOADS)

    assert told(core.play(failing("error-page", "net::ERR_NAME_NOT_RESOLVED"))) == {}
    shown = core.play(shows("error-page", "chrome-error://chromewebdata/"))
    assert told(shown) == {"leave": errors.NavigationFailed(URL, "net::ERR_NAME_NOT_RESOLVED")}


FROM_A, FROM_B = "http://a.test/pay", "http://b.test/paid"


@pytest.mark.parametrize(
    ("started", "error", "unreachable", "maybe_executed"),
    [
        (FROM_A, "net::ERR_CONNECTION_REFUSED", FROM_A, False),
        (FROM_A, "net::ERR_CERT_DATE_INVALID", FROM_A, False),
        (FROM_A, "net::ERR_CONNECTION_REFUSED", FROM_B, True),
        (FROM_A, "net::ERR_CONNECTION_RESET", FROM_A, True),
        (None, "net::ERR_CONNECTION_REFUSED", URL, False),
        (None, "net::ERR_CONNECTION_REFUSED", FROM_A, True),
    ],
    ids=["refused", "certificate", "after a redirect", "reset", "no start told", "a redirect, and no start told"],
)
def test_a_navigation_that_fails_has_done_nothing_where_no_server_had_a_request(
    started: str | None, error: str, unreachable: str, maybe_executed: bool
) -> None:
    core = with_page().after(NAVIGATE, LOADS, *([starts("new", started)] if started else []), failing("new", error))
    shown = replace(frame(TOP, "chrome-error://chromewebdata/", loader="new"), unreachable_url=unreachable)

    (failed,) = told(core.play(on(PAGE, page.FrameNavigated(frame=shown, type="Navigation")))).values()

    assert (type(failed), getattr(failed, "maybe_executed", None)) == (errors.NavigationFailed, maybe_executed)


def test_the_old_document_of_a_page_that_was_frozen_does_not_end_a_reload() -> None:
    core = unresponsive().after(RELOAD, starts("new"), inputs.CommandSucceeded(REPLY, None))

    old = frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="old")))
    assert told(core.play(old, children_announced(PAGE))) == {}
    assert told(core.play(shows("new"))) == DONE


def test_a_reload_ends_with_the_next_document() -> None:
    core = with_page()

    assert commands(core, RELOAD) == [RELOADS]
    assert told(core.play(inputs.CommandSucceeded(REPLY, None))) == {}
    assert told(core.play(shows("new"))) == DONE


def discarded(text: str = "Reload was discarded because the page already navigated") -> inputs.CommandFailed:
    return inputs.CommandFailed(REPLY, CommandError(-32602, text, method="m", session=PAGE))


@pytest.mark.parametrize("refused", [discarded(), discarded("Document already navigated")], ids=["new", "old"])
def test_a_reload_never_brings_back_the_document_before(refused: inputs.CommandFailed) -> None:
    """A browser that does not know the newest document yet refuses to reload it, and knows it a moment later. One that
    refuses again the same document has another name for it."""
    core = with_page().after(shows("second"))

    assert commands(core, RELOAD) == [page.Reload(loader_id=network.LoaderId("second"))]
    assert core.play(refused) == [Arm(RETRY, 0.2)]
    assert commands(core, inputs.TimerFired(RETRY)) == [page.Reload()]
    assert told(core.play(shows("second again"))) == DONE


def test_a_reload_that_came_too_late_for_a_document_means_the_next_one() -> None:
    core = unresponsive().after(shows("first"), RELOAD, discarded(), shows("second"))

    assert commands(core, inputs.TimerFired(RETRY)) == [page.Reload(loader_id=network.LoaderId("second"))]


@pytest.mark.parametrize(
    ("work", "reply"), [(NAVIGATE, navigated("new")), (RELOAD, None)], ids=["navigation", "reload"]
)
def test_a_crash_that_ends_a_navigation_is_told_at_once(work: requests.NavigationRequested, reply: object) -> None:
    core = with_page().after(work, LOADS, inputs.CommandSucceeded(REPLY, reply), HAS_LOADED)

    assert isinstance(told(core.play(crashed()))["leave"], TargetCrashed)


@pytest.mark.parametrize(
    "received",
    [
        [LOADS, inputs.CommandSucceeded(REPLY, navigated("new")), crashed()],
        [crashed(), inputs.CommandSucceeded(REPLY, navigated("new"))],
    ],
    ids=["begun before", "begun after"],
)
def test_a_navigation_to_another_process_survives_the_crash_of_this_one(received: list[inputs.Input]) -> None:
    core = with_page().after(NAVIGATE)

    assert told(core.play(*received)) == {}
    assert told(core.play(shows("new"))) == DONE


def test_a_page_that_did_not_respond_is_left_only_when_it_responds() -> None:
    core = unresponsive().after(NAVIGATE, inputs.CommandSucceeded(REPLY, navigated("new")))
    its_frames = frame_tree_reply(PAGE, tree(frame(TOP, URL, loader="new")))

    assert told(core.play(shows("new"))) == {}
    assert told(core.play(children_announced(PAGE), its_frames)) == DONE
    assert core.seen.pages[0].status == "ok"


@pytest.mark.parametrize("document", [[], [shows("new", "http://a.test/")]])
def test_or_when_it_shows_a_dialog_which_is_the_agents(document: list[inputs.Input]) -> None:
    """It comes from the new document, although that may not have been announced."""
    core = unresponsive().after(RELOAD, inputs.CommandSucceeded(REPLY, None), *document)

    effects = core.play(opening())

    (dialog,) = core.seen.pending_dialogs
    assert told(effects) == {"leave": errors.BlockedByDialog(dialog, maybe_executed=True)}
    assert not sent(effects)


@pytest.mark.parametrize(
    ("core", "asked", "outcome"),
    [
        (with_page(), leave(requests.ReloadPage(), "page-9"), errors.UnknownPage("page-9")),
        (with_page().after(detached(PAGE)), RELOAD, errors.NoPage()),
        (Core(), RELOAD, errors.NotRunning("connecting")),
        (with_page().after(inputs.StopRequested()), RELOAD, errors.NotRunning("stopped")),
    ],
    ids=["unknown", "no page", "not connected", "stopped"],
)
def test_what_cannot_be_left_is_refused(core: Core, asked: requests.NavigationRequested, outcome: Exception) -> None:
    assert told(core.play(asked)) == {"leave": outcome}


def test_a_page_that_is_just_being_replaced_is_left_a_moment_later() -> None:
    core = with_page().after(RELOAD)
    not_active = CommandError(-32000, "Not attached to an active page", method="m", session=PAGE)

    assert core.play(inputs.CommandFailed(REPLY, not_active)) == [Arm(RETRY, 0.2)]
    assert commands(core, inputs.TimerFired(RETRY)) == [RELOADS]
    assert Disarm(RETRY) in core.play(shows("new"))
    assert core.play(inputs.TimerFired(RETRY)) == []


POPUP = [
    attached("s-2", "popup", opener=TOP, url="http://a.test/p"),
    frame_tree_reply("s-2", tree(frame("popup", "http://a.test/p"))),
    opening(session="s-2", frame_id="popup"),
]


@pytest.mark.parametrize(
    ("received", "says"),
    [
        ([NAVIGATE], "closing it may help"),
        ([CLOSE], "page 'frame-top' is still there"),
        # A popup of the same site shares the process of its opener.
        ([*POPUP, NAVIGATE], "dialog 'd-1' of page 'popup' stops its process"),
    ],
    ids=["navigation", "close", "the dialog of another page"],
)
def test_every_wait_has_an_end(received: list[inputs.Input], says: str) -> None:
    core = with_page().after(*received)

    error = told(core.play(inputs.TimerFired(DEADLINE)))["leave"]

    assert isinstance(error, errors.CallTimeout)
    assert says in str(error)
    assert told(core.play(inputs.CommandSucceeded(REPLY, navigated("new")))) == {}


def test_a_page_is_left_when_the_connection_is_back() -> None:
    core = with_page().after(inputs.Disconnected("gone"))

    assert commands(core, NAVIGATE) == []
    back = core.play(inputs.Connected(BROWSER), attached("session-new", TOP))
    assert Send(command=page.Navigate(url=URL), session_id="session-new", tag=REPLY) in back
