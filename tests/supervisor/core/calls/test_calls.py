"""Every call ends once: with a value, or with what was in its way."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed import Command
from cdp_typed.errors import CommandError, ConnectionLost, InvalidParams, SessionDetached, TargetCrashed
from cdp_typed.protocol import browser, page, runtime, system_info
from supervisor.core.snapshot import calls
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CompleteCall, Disarm, Forget, Send
from supervisor.core.vocabulary.errors import TimeoutCause
from supervisor.core.vocabulary.values import CallInfo, Evaluation
from tests.support.core.navigations import CLOSE, NAVIGATE, RELOAD, URL
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attach_frame,
    attached,
    context,
    crashed,
    detached,
    evaluate,
    navigates,
    on,
    opening,
    removed,
    sent,
    told,
    value,
    with_oopif,
    with_page,
)

REPLY = command_tags.CallReply("call")
DEADLINE = timers.CallDeadline("call")
WATCH = Arm(timers.HangCheck("call"), 2.0)
WITHOUT_PAGE = (inputs.Connected(), inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None))
CLEARED = on(PAGE, runtime.ExecutionContextsCleared())
MOVED = attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP)
TERMINATED = CommandError(-32000, "Execution was terminated", method="m", session=None)
INTERNAL = CommandError(-32603, "Internal error", method="m", session=None)


def ask(work: Command[Any], frame_id: str | None = None, timeout_s: float = 30.0) -> requests.CallRequested:
    return requests.CallRequested(call_id="call", work=work, frame_id=frame_id, timeout_s=timeout_s)


def sends(expression: str, session: str, unique_id: str) -> Send:
    command = runtime.Evaluate(expression=expression, unique_context_id=unique_id, await_promise=True)
    return Send(command=command, session_id=session, tag=REPLY)


def test_an_expression_runs_in_the_top_document_of_the_current_page() -> None:
    core = with_page()

    begun = core.play(evaluate("6*7"))
    ended = core.play(inputs.CommandSucceeded(REPLY, value(42)))

    evaluation = Evaluation(
        value=42, type="number", description="42", frame_id=TOP, target_id=TOP, session_id=PAGE, url="http://a.test/"
    )
    completed = CompleteCall("call", evaluation)
    assert begun == [Arm(DEADLINE, 30.0), sends("6*7", PAGE, "context-top"), WATCH]
    assert ended == [Disarm(DEADLINE), Forget(REPLY), completed, Disarm(timers.HangCheck("call"))]
    assert core.play(inputs.TimerFired(DEADLINE), inputs.CommandFailed(REPLY, ConnectionLost("late"))) == []


REFUSED_CALLS = {
    "a frame that never was, and never the top document": (
        with_page(),
        evaluate(frame_id="nope"),
        errors.UnknownFrame("nope"),
    ),
    "a frame that is gone": (
        with_oopif().after(removed()),
        evaluate(frame_id=INNER),
        errors.FrameGone(INNER, maybe_executed=False),
    ),
    "no page": (Core().after(inputs.Connected()), evaluate(), errors.NoPage()),
    "not connected yet": (Core(), evaluate(), errors.NotRunning("connecting")),
    "not connected any more": (Core().after(inputs.Disconnected("gone")), evaluate(), errors.NotRunning("gone")),
    "stopped": (Core().after(inputs.StopRequested()), evaluate(), errors.NotRunning("stopped")),
}


@pytest.mark.parametrize(("core", "call", "error"), REFUSED_CALLS.values(), ids=REFUSED_CALLS)
def test_a_call_that_has_nowhere_to_run_ends_at_once(core: Core, call: inputs.Input, error: Exception) -> None:
    assert core.play(call) == [CompleteCall("call", error)]


def test_a_call_waits_for_a_document_that_is_being_replaced() -> None:
    core = with_page().after(CLEARED)

    waiting = core.play(evaluate("1"))
    core.play(navigates(TOP, "http://c.test/", loader="new"))
    going = core.play(context(PAGE, TOP, "context-new"))

    assert waiting == [Arm(DEADLINE, 30.0)]
    assert going == [sends("1", PAGE, "context-new"), WATCH]


def thrown(text: str) -> runtime.EvaluateResult:
    details = runtime.ExceptionDetails(
        exception_id=1,
        text="Uncaught",
        line_number=0,
        column_number=0,
        exception=runtime.RemoteObject(type="object", description=text),
    )
    return runtime.EvaluateResult(result=runtime.RemoteObject(type="object"), exception_details=details)


def refusal(text: str, kind: type[CommandError] = CommandError) -> CommandError:
    return kind(-32000, text, method="Runtime.evaluate", session=PAGE)


OTHER = refusal("Object reference chain is too long")
STOP = requests.CallRequested(call_id="stop", work=runtime.TerminateExecution(), frame_id=None, timeout_s=5.0)
REPLIES = {
    "an expression that throws": (
        [inputs.CommandSucceeded(REPLY, thrown("ReferenceError: boom is not defined"))],
        errors.EvaluationFailed("ReferenceError: boom is not defined"),
    ),
    "its session ended": (
        [inputs.CommandFailed(REPLY, SessionDetached(PAGE))],
        errors.FrameGone(TOP, maybe_executed=True, why="its session ended"),
    ),
    "its document went": (
        [inputs.CommandFailed(REPLY, refusal("Inspected target navigated or closed"))],
        errors.NavigationInterrupted(TOP, maybe_executed=True),
    ),
    "its document was gone": (
        [inputs.CommandFailed(REPLY, refusal("uniqueContextId not found", InvalidParams))],
        errors.NavigationInterrupted(TOP, maybe_executed=False),
    ),
    "a refusal without a special meaning is passed on": ([inputs.CommandFailed(REPLY, OTHER)], OTHER),
    "a script that was stopped": ([STOP, inputs.CommandFailed(REPLY, TERMINATED)], errors.Terminated(TOP)),
    "and one whose end has another name": ([STOP, inputs.CommandFailed(REPLY, INTERNAL)], errors.Terminated(TOP)),
    "an internal error of a script that nobody stopped": ([inputs.CommandFailed(REPLY, INTERNAL)], INTERNAL),
    "the supervisor stops": ([inputs.StopRequested()], errors.NotRunning("stopped")),
}


@pytest.mark.parametrize(("received", "outcome"), REPLIES.values(), ids=REPLIES)
def test_how_a_call_ends_without_a_value(received: list[inputs.Input], outcome: Exception) -> None:
    assert told(with_page().after(evaluate()).play(*received)) == {"call": outcome}


def test_a_crash_ends_the_calls_of_its_page() -> None:
    core = with_oopif().after(evaluate("1"), evaluate("1", INNER, call="inner"))

    effects = core.play(crashed(OOPIF))

    assert [(call, type(error)) for call, error in told(effects).items()] == [("inner", TargetCrashed)]


def test_a_frame_that_goes_away_ends_its_calls() -> None:
    core = with_oopif().after(evaluate("1", INNER))

    assert told(core.play(removed())) == {"call": errors.FrameGone(INNER, maybe_executed=True)}


def test_a_frame_that_moves_to_its_parent_s_process_ends_its_calls_and_has_new_ones_wait() -> None:
    core = with_oopif().after(evaluate("1", INNER))
    interrupted = errors.NavigationInterrupted(INNER, maybe_executed=True)

    assert told(core.play(inputs.CommandFailed(REPLY, SessionDetached(OOPIF)))) == {"call": interrupted}
    core.play(evaluate("1", INNER, call="same"), detached(OOPIF, PAGE))
    assert core.play(evaluate("2", INNER, call="next")) == [Arm(timers.CallDeadline("next"), 30.0)]
    back = navigates(INNER, "http://a.test/in", TOP, loader="new")
    (send,) = sent(core.play(back, context(PAGE, INNER, "context-local")))
    assert (send.session_id, send.tag) == (PAGE, command_tags.CallReply("next"))


def test_a_frame_that_moves_to_another_process_ends_its_calls_and_takes_along_those_that_were_not_sent_yet() -> None:
    called = with_page().after(attach_frame(INNER, TOP), context(PAGE, INNER, "local"), evaluate("1", INNER))
    assert told(called.play(MOVED)) == {"call": errors.NavigationInterrupted(INNER, maybe_executed=True)}

    waiting = with_page().after(attach_frame(INNER, TOP), evaluate("1", INNER))
    assert told(waiting.play(MOVED)) == {}
    there = (navigates(INNER, "http://b.test/", TOP, session=OOPIF), context(OOPIF, INNER, "context-inner"))
    assert sends("1", OOPIF, "context-inner") in waiting.play(*there)


def test_a_lost_link_ends_every_call() -> None:
    core = with_oopif().after(evaluate("1"), evaluate("1", INNER, call="inner"))
    lost = errors.CallLost("reset")

    assert told(core.play(inputs.Disconnected("reset"))) == {"call": lost, "inner": lost}
    assert (str(lost), lost.maybe_executed) == ("connection lost: reset", True)


def late(cause: TimeoutCause, why: str, *, maybe_executed: bool = True) -> errors.CallTimeout:
    return errors.CallTimeout(30.0, cause, why, maybe_executed=maybe_executed)


OVERDUE = {
    "a script": ([evaluate()], late("slow", "the page has not answered; a long script may be running")),
    "a picture": ([ask(page.CaptureScreenshot())], late("slow", "the browser has not drawn the page")),
    "a document that never comes": (
        [CLEARED, evaluate("1")],
        late("not_loaded", f"the document of frame {TOP!r} has not loaded", maybe_executed=False),
    ),
    "the browser": ([detached(PAGE), ask(browser.GetVersion())], late("slow", "the browser has not answered")),
}


@pytest.mark.parametrize(("received", "error"), OVERDUE.values(), ids=OVERDUE)
def test_a_deadline_says_what_was_waited_for(received: list[inputs.Input], error: errors.CallTimeout) -> None:
    assert told(with_page().after(*received).play(inputs.TimerFired(DEADLINE))) == {"call": error}


def test_a_deadline_names_the_dialogs_that_are_open_elsewhere() -> None:
    core = with_oopif().after(opening(frame_id=INNER), evaluate())

    error = told(core.play(inputs.TimerFired(DEADLINE)))["call"]

    assert str(error).endswith("(open dialogs: d-1)")


def test_a_command_of_the_browser_ends_with_its_refusal_and_with_the_link() -> None:
    core = Core().after(*WITHOUT_PAGE)
    asked = ask(browser.GetVersion())

    (send,) = sent(core.play(asked))
    assert (send.command, send.session_id) == (browser.GetVersion(), None)
    assert told(core.play(inputs.CommandFailed(REPLY, OTHER))) == {"call": OTHER}
    core.play(replace(asked, call_id="last"))
    assert isinstance(told(core.play(inputs.Disconnected("gone")))["last"], ConnectionLost)


def test_a_call_whose_caller_gave_up_is_over() -> None:
    core = with_page().after(evaluate())

    effects = core.play(requests.CallAbandoned("call"), requests.CallAbandoned("never"))

    assert {Disarm(DEADLINE), Forget(REPLY)} <= {effect for effect in effects if isinstance(effect, Disarm | Forget)}
    assert core.state.world.calls.pending == {}
    assert core.play(inputs.CommandSucceeded(REPLY, value(1))) == []


def test_a_call_that_has_not_ended_is_shown() -> None:
    core = with_page().after(evaluate("6*7"), replace(evaluate("x" * 1000), call_id="long"))
    waits = "an answer of the page"

    shown, long = calls(core.state)

    info = CallInfo(id="call", what="Runtime.evaluate", text="6*7", frame_id=TOP, since=core.now, waits_for=waits)
    assert shown == info
    assert len(long.text) == 200


WAITING = {
    "a command of the browser shows no parameters": (
        [ask(system_info.GetInfo())],
        ("SystemInfo.getInfo", "", "an answer of the browser"),
    ),
    "a navigation": ([NAVIGATE], ("Page.navigate", URL, "the new document")),
    "a reload": ([RELOAD], ("Page.reload", "", "the new document")),
    "the end of a page": ([CLOSE], ("Target.closeTarget", "", "the end of the page")),
    "a dialog of the page": ([opening(), NAVIGATE], ("Page.navigate", URL, "the page, which shows d-1")),
    "a lost connection": (
        [inputs.Disconnected("gone"), evaluate("1")],
        ("Runtime.evaluate", "1", "the connection to the browser"),
    ),
}


@pytest.mark.parametrize(("received", "shown"), WAITING.values(), ids=WAITING)
def test_a_call_is_shown_with_what_it_waits_for(received: list[inputs.Input], shown: tuple[str, str, str]) -> None:
    core = with_page().after(*received)

    assert [(call.what, call.text, call.waits_for) for call in calls(core.state)] == [shown]
