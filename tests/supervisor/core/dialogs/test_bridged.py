"""Dialogs of the bridge that end without their answer: left pages, lost connections, the end of all."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError, ConnectionLost, InvalidParams
from cdp_typed.protocol import fetch, page
from supervisor import BridgeInfo, DialogAlreadyClosed
from supervisor.core.dialogs.bridged import GONE, HANDED_OVER, LOST, PERHAPS_LOST
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult
from tests.support.core.bridge import armed, asked, asking, bridged, commands, owned, ready, replied
from tests.support.core.navigations import RELOAD
from tests.support.core.play import (
    BROWSER,
    INNER,
    OOPIF,
    PAGE,
    TOP,
    answer,
    attached,
    crashed,
    detached,
    navigates,
    opening,
    removed,
    sent,
    told,
    with_oopif,
    with_page,
)

INSTALL = (page.AddScriptToEvaluateOnNewDocument, page.SetBypassCSP, fetch.Enable, fetch.Disable)
NO_SUCH = InvalidParams(-32602, "Invalid InterceptionId.", method="m", session=None)
HELD = CommandError(-32000, "Can only get response body on HeadersReceived pattern", method="m", session=None)


def test_when_its_frame_shows_another_document_it_is_asked_whether_it_still_waits() -> None:
    core = ready().after(asking(), asking(session=OOPIF, frame_id=INNER, request_id="r-2"))
    probes = [timers.BridgeProbe("d-3"), timers.BridgeProbe("d-4")]
    held = inputs.CommandFailed(command_tags.BridgeProbed("d-3"), HELD)

    effects = core.play(navigates(TOP, "http://c.test/"))
    assert [effect for effect in effects if isinstance(effect, Arm)] == [Arm(probe, 0.25) for probe in probes]
    (asks,) = sent(core.play(inputs.TimerFired(probes[0])))
    assert (asks.session_id, asks.command) == (PAGE, fetch.GetResponseBody(request_id=fetch.RequestId("r-1")))
    assert core.play(held) == [Arm(probes[0], 1.0)]

    core.play(inputs.CommandFailed(command_tags.BridgeProbed("d-3"), NO_SUCH))

    assert "d-3" not in [dialog.id for dialog in asked(core)]
    record = next(record for record in core.seen.recent_dialogs if record.id == "d-3")
    assert (record.closed_by, record.note) == ("remote", GONE)
    assert core.play(held, inputs.TimerFired(probes[0])) == []


def test_when_its_page_is_left_it_is_dismissed() -> None:
    """Measured on Chrome 131 and QtWebEngine 6.8: a navigation within its process waits for the script that asks."""
    effects = sent(ready().after(asking()).play(RELOAD))

    assert commands(effects, page.Navigate) == [(PAGE, "Page.navigate")]
    assert replied(effects) == [(PAGE, "r-1", ["answer", False, ""])]


def test_a_removed_iframe_brings_no_page_into_danger_by_a_dialog_that_the_browser_does_not_show() -> None:
    core = ready().after(asking(session=OOPIF, frame_id=INNER))

    assert commands(sent(core.play(removed())), page.Disable) == []
    assert asked(core) == []


@pytest.mark.parametrize("ends", [detached(OOPIF, PAGE), crashed(OOPIF)])
def test_it_ends_with_its_process_and_its_session(ends: inputs.EventReceived) -> None:
    core = ready().after(asking(session=OOPIF, frame_id=INNER), answer())
    effects = core.play(ends)
    record = core.seen.recent_dialogs[-1]
    assert (record.id, record.closed_by, record.note) == ("d-3", "remote", GONE)
    assert told(effects) == {"answer": DialogAlreadyClosed(record)}


def test_an_answer_that_the_browser_refuses_was_too_late() -> None:
    core = ready().after(asking(), answer())
    effects = core.play(inputs.CommandFailed(command_tags.DialogAnswer("d-3"), NO_SUCH))
    assert told(effects) == {"answer": DialogAlreadyClosed(core.seen.recent_dialogs[-1])}
    assert asked(core) == []


def test_without_a_connection_the_pages_call_their_own_functions() -> None:
    core = ready().after(asking(), asking(session=OOPIF, frame_id=INNER, request_id="r-2"), answer(dialog="d-3"))
    effects = core.play(inputs.Disconnected("gone"))

    (outcome,) = told(effects).values()
    assert isinstance(outcome, ConnectionLost)
    assert [(record.id, record.note) for record in core.seen.recent_dialogs[-2:]] == [
        ("d-3", PERHAPS_LOST),
        ("d-4", LOST),
    ]
    assert (core.seen.pending_dialogs, core.seen.bridge.state) == ((), "armed")


def test_a_connection_that_comes_back_has_the_bridge_again() -> None:
    core = ready().after(inputs.Disconnected("gone"), inputs.Connected(BROWSER))
    effects = core.play(attached("again", TOP))
    assert commands(sent(effects), *INSTALL) == [
        ("again", "Page.addScriptToEvaluateOnNewDocument"),
        ("again", "Fetch.enable"),
    ]


def test_a_session_that_is_gone_takes_its_waiting_requests_along() -> None:
    core, _ = armed(with_oopif())
    core.play(asking(session=OOPIF, frame_id=INNER), detached(OOPIF, PAGE))
    assert core.play(*owned(OOPIF)) == []
    assert core.state.world.bridge.waiting == ()


def test_the_end_gives_the_pages_their_functions_back() -> None:
    core, _ = armed(with_oopif())
    installed = page.AddScriptToEvaluateOnNewDocumentResult(identifier=page.ScriptIdentifier("script-1"))
    core.play(inputs.CommandSucceeded(command_tags.BridgeInstalled(PAGE), installed))
    core.play(asking(), asking(session=OOPIF, frame_id=INNER, request_id="r-2"))

    effects = core.play(requests.BridgeEnding("end"))
    assert replied(sent(effects)) == [(PAGE, "r-1", ["leave"]), (OOPIF, "r-2", ["leave"])]
    assert commands(sent(effects), page.RemoveScriptToEvaluateOnNewDocument, *INSTALL) == [
        (PAGE, "Page.removeScriptToEvaluateOnNewDocument"),
        (PAGE, "Page.addScriptToEvaluateOnNewDocument"),
        (OOPIF, "Page.addScriptToEvaluateOnNewDocument"),
        (PAGE, "Fetch.disable"),
        (OOPIF, "Fetch.disable"),
    ]
    assert core.seen.recent_dialogs[-1].note == HANDED_OVER
    assert core.seen.bridge == BridgeInfo(reason="the supervisor stops")
    assert told(core.play(inputs.CommandSucceeded(command_tags.BridgeRemoved(PAGE), None))) == {}
    ended = core.play(inputs.CommandFailed(command_tags.BridgeRemoved(OOPIF), HELD))
    assert told(ended) == {"end": CommandResult(None)}


@pytest.mark.parametrize("ends", [detached(PAGE), inputs.Disconnected("gone"), inputs.StopRequested()])
def test_the_end_waits_for_nobody_who_is_gone(ends: inputs.Input) -> None:
    core = bridged(with_page()).after(attached("s", "t"), requests.BridgeEnding("end"))

    assert told(core.play(ends, detached("s"))).get("end") == CommandResult(None)


def test_stopping_without_it_closes_what_was_asked() -> None:
    core = ready().after(asking(), inputs.StopRequested())
    assert (asked(core), core.seen.bridge.state) == ([], "off")


def test_a_page_that_was_not_watched_gets_the_script_again() -> None:
    # For a native dialog of an iframe that is removed, `Page.disable` takes the script out.
    core = ready().after(opening(frame_id=INNER), removed(), navigates(TOP, "http://c.test/"))
    assert TOP in core.state.world.detached_frame_dialogs.pages
    destroyed = CommandError(-32000, "Execution context was destroyed.", method="m", session=None)
    effects = core.play(inputs.CommandFailed(command_tags.DetachedDialogEnded(TOP), destroyed))
    assert (PAGE, "Page.addScriptToEvaluateOnNewDocument") in commands(sent(effects), *INSTALL)
