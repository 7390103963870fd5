"""The link: lost and won back, within limits; only the browser that was known is adopted."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError, CommandTimeout, ConnectionLost
from cdp_typed.protocol import target
from supervisor.core.state.connection import ReconnectPolicy
from supervisor.core.state.pages import PAGES_ONLY
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Connect, Disarm, Disconnect, Send
from supervisor.core.vocabulary.errors import BrowserReplaced, NotRunning
from supervisor.core.vocabulary.values import ConnectionPhase
from tests.support.core.play import (
    BROWSER,
    PAGE,
    TOP,
    Core,
    attached,
    children_announced,
    detached,
    evaluate,
    frame,
    frame_tree_reply,
    opening,
    told,
    tree,
    with_page,
)

LOST = inputs.Disconnected("reset")
BACK = inputs.Connected(BROWSER)
ALL_ANNOUNCED = inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None)
AGAIN = "session-page-again"
"""The session of the same page on the next connection."""
ATTACH = Send(
    command=target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=PAGES_ONLY),
    session_id=None,
    tag=command_tags.BrowserAutoAttach(),
    timeout_s=15.0,
)
CENSUS = Send(command=target.GetTargets(), session_id=None, tag=command_tags.BrowserIdentity(), timeout_s=15.0)


def listed(*target_ids: str) -> inputs.CommandSucceeded:
    """The browser has these pages."""
    infos = tuple(
        target.TargetInfo(
            target_id=target.TargetID(target_id), type="page", title="", url="", attached=False, can_access_opener=False
        )
        for target_id in target_ids
    )
    return inputs.CommandSucceeded(command_tags.BrowserIdentity(), target.GetTargetsResult(target_infos=infos))


def states(core: Core) -> tuple[ConnectionPhase, str]:
    return core.seen.state, core.seen.reason


def test_a_lost_connection_is_dialled_again_after_pauses_that_grow_up_to_a_limit() -> None:
    core = with_page()

    assert core.play(LOST) == [Disconnect(), Connect(0.1), Disarm(timers.SetupDeadline(PAGE))]
    assert states(core) == ("reconnecting", "reset")
    pauses = (0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0)
    assert core.play(*[inputs.ConnectFailed("no")] * 8) == [Connect(pause) for pause in pauses]


@pytest.mark.parametrize(("asked", "pause"), [(7.0, 7.0), (3600.0, 60.0), (0.01, 0.2)])
def test_a_server_that_asks_to_be_left_alone_is_left_alone(asked: float, pause: float) -> None:
    core = with_page().after(LOST)

    assert core.play(inputs.ConnectFailed("busy", retry_after_s=asked)) == [Connect(pause)]


def test_a_refusal_that_waiting_does_not_change_is_final() -> None:
    core = with_page().after(LOST)

    assert core.play(inputs.ConnectFailed("access denied (HTTP 401)", is_final=True)) == [Disconnect()]

    assert states(core) == ("lost", "access denied (HTTP 401)")
    assert told(core.play(evaluate())) == {"call": NotRunning("access denied (HTTP 401)")}


def test_too_many_failures_within_the_window_are_final() -> None:
    core = with_page().after(LOST, *[inputs.ConnectFailed("refused")] * 14)
    assert states(core)[0] == "reconnecting"

    assert core.play(inputs.ConnectFailed("refused")) == [Disconnect()]

    assert states(core) == ("lost", "16 failures within 120 s; the last: refused")


def test_failures_outside_the_window_are_forgotten() -> None:
    its_frames = frame_tree_reply(AGAIN, tree(frame(TOP, "")))
    core = with_page().after(LOST, BACK, attached(AGAIN, TOP), ALL_ANNOUNCED, its_frames, children_announced(AGAIN))
    core.now += 121

    assert core.play(LOST)[:2] == [Disconnect(), Connect(0.1)]


def test_without_a_working_connection_for_the_whole_window_it_is_final() -> None:
    """Also when each dial takes so long that their number stays small."""
    core = with_page().after(LOST, inputs.ConnectFailed("slow"))
    core.now += 121

    core.play(inputs.ConnectFailed("slow"))

    assert states(core) == ("lost", "no connection for 120 s; the last failure: slow")


def test_a_proxy_that_lets_in_and_throws_out_again_is_failing() -> None:
    """Every lost connection counts, whether it was complete by then or not."""
    core = with_page()
    for number in range(16):
        core.after(LOST, BACK, attached(f"s-{number}", TOP), ALL_ANNOUNCED).now += 1

    assert states(core) == ("lost", "16 failures within 120 s; the last: reset")


def test_without_attempts_a_lost_connection_is_final() -> None:
    core = with_page(reconnect_policy=ReconnectPolicy(attempts=0))

    assert core.play(LOST) == [Disconnect(), Disarm(timers.SetupDeadline(PAGE))]
    assert states(core) == ("lost", "reset")


def test_a_browser_that_is_there_but_does_not_answer_is_dialled_again() -> None:
    core = with_page().after(LOST, BACK)
    silent = CommandTimeout("Target.setAutoAttach", session=None, timeout=15)

    effects = core.play(inputs.CommandFailed(command_tags.BrowserAutoAttach(), silent))

    assert effects == [Disconnect(), Connect(0.2), Disarm(timers.SetupDeadline(PAGE))]
    assert core.seen.state == "reconnecting"


def test_a_command_that_was_lost_with_its_connection_says_nothing_of_its_own() -> None:
    core = with_page().after(LOST, BACK)

    assert core.play(inputs.CommandFailed(command_tags.BrowserAutoAttach(), ConnectionLost("reset"))) == []
    assert core.seen.state == "attaching"


def test_what_is_left_over_from_a_lost_connection_changes_nothing() -> None:
    core = with_page().after(LOST)
    before = core.state
    left_over = (detached(PAGE), opening(), frame_tree_reply(PAGE, tree(frame(TOP, "x"))), children_announced(PAGE))

    assert core.play(*left_over) == []
    assert core.state is before


def test_nothing_is_dialled_after_stopping() -> None:
    core = with_page().after(LOST, inputs.StopRequested())

    assert core.play(inputs.ConnectFailed("refused"), BACK) == []
    assert states(core) == ("stopped", "stopped")


def test_a_browser_that_names_itself_as_before_is_asked_for_its_pages_at_once() -> None:
    core = with_page().after(LOST)

    assert core.play(BACK)[:2] == [CENSUS, ATTACH]
    assert (core.seen.state, core.seen.epoch) == ("attaching", 2)


def test_two_addresses_without_a_name_prove_nothing() -> None:
    core = with_page().after(LOST, inputs.Connected(None), listed(TOP), LOST)

    assert core.play(inputs.Connected(None)) == [CENSUS]


@pytest.mark.parametrize("name", [None, "another-name"])
def test_a_browser_without_that_name_is_touched_only_when_it_shows_a_page_that_we_know(name: str | None) -> None:
    core = with_page().after(LOST)

    assert core.play(inputs.Connected(name)) == [CENSUS]
    assert core.seen.state == "reconnecting"
    assert core.play(listed("unknown", TOP))[0] == ATTACH


def test_another_browser_is_left_alone() -> None:
    core = with_page().after(LOST, inputs.Connected("another-name"))

    assert core.play(listed("unknown")) == [Disconnect()]

    assert states(core) == ("lost", str(BrowserReplaced()))
    assert told(core.play(evaluate())) == {"call": BrowserReplaced()}
    assert isinstance(BrowserReplaced(), NotRunning)


REFUSED = CommandError(-32000, "Not allowed", method="Target.getTargets", session=None)


@pytest.mark.parametrize(
    ("error", "received"), [(REFUSED, []), (ConnectionLost("reset"), [LOST])], ids=["refused", "lost meanwhile"]
)
def test_a_census_that_fails_is_a_failure_like_others(error: Exception, received: list[inputs.Input]) -> None:
    core = with_page().after(LOST, inputs.Connected(None))
    failed = inputs.CommandFailed(command_tags.BrowserIdentity(), error)

    assert core.play(failed, *received) == [Disconnect(), Connect(0.2)]
