"""Every call ends once: with a value, or with what was in its way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError, ConnectionLost, InvalidParams, SessionDetached, TargetCrashed
from cdp_typed.protocol import browser, inspector, page, runtime
from supervisor.core.vocabulary import command_tags, errors, inputs, requests, timers
from supervisor.core.vocabulary.effects import Arm, CommandResult, CompleteCall, Disarm, Forget, Send
from supervisor.core.vocabulary.values import Evaluation
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attached,
    context,
    detached,
    evaluate,
    frame,
    frame_tree_reply,
    on,
    opening,
    sent,
    told,
    tree,
    value,
    with_oopif,
    with_page,
)

REPLY = command_tags.CallReply("call")
DEADLINE = timers.CallDeadline("call")
WATCH = Arm(timers.HangCheck("call"), 2.0)


def sends(expression: str, session: str, unique_id: str) -> Send:
    command = runtime.Evaluate(expression=expression, unique_context_id=unique_id, await_promise=True)
    return Send(command=command, session_id=session, tag=REPLY)


def test_an_expression_runs_in_the_top_document_of_the_current_page() -> None:
    core = with_page()

    begun = core.play(evaluate("6*7"))
    ended = core.play(inputs.CommandSucceeded(REPLY, value(42)))

    assert begun == [Arm(DEADLINE, 30.0), sends("6*7", PAGE, "context-top"), WATCH]
    assert ended == [
        Disarm(DEADLINE),
        Forget(REPLY),
        CompleteCall(
            "call",
            Evaluation(
                value=42,
                type="number",
                description="42",
                frame_id=TOP,
                target_id=TOP,
                session_id=PAGE,
                url="http://a.test/",
            ),
        ),
        Disarm(timers.HangCheck("call")),
    ]


def test_an_expression_runs_in_the_document_of_the_frame_that_is_named() -> None:
    core = with_oopif()
    core.play(
        frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame("local", "http://a.test/c", TOP)))),
        context(PAGE, "local", "context-local"),
    )

    assert sent(core.play(evaluate("1", INNER))) == [sends("1", OOPIF, "context-inner")]
    assert sent(core.play(evaluate("1", "local"))) == [sends("1", PAGE, "context-local")]


def test_an_unknown_frame_is_an_error_and_never_the_top_document() -> None:
    core = with_page()

    assert core.play(evaluate(frame_id="nope")) == [CompleteCall("call", errors.UnknownFrame("nope"))]


def test_without_a_page_there_is_nowhere_to_run() -> None:
    core = Core()
    core.play(inputs.Connected())

    assert told(core.play(evaluate())) == {"call": errors.NoPage()}


@pytest.mark.parametrize(
    ("before", "reason"),
    [([], "connecting"), ([inputs.Disconnected("gone")], "gone"), ([inputs.StopRequested()], "stopped")],
)
def test_a_supervisor_that_is_not_connected_takes_no_calls(before: list[inputs.Input], reason: str) -> None:
    core = Core()
    core.play(*before)

    assert told(core.play(evaluate())) == {"call": errors.NotRunning(reason)}


def test_a_call_waits_for_a_document_that_is_being_replaced() -> None:
    core = with_page()
    core.play(on(PAGE, runtime.ExecutionContextsCleared()))

    waiting = core.play(evaluate("1"))
    core.play(on(PAGE, page.FrameNavigated(frame=frame(TOP, "http://c.test/", loader="new"), type="Navigation")))
    going = core.play(context(PAGE, TOP, "context-new"))

    assert waiting == [Arm(DEADLINE, 30.0)]
    assert going == [sends("1", PAGE, "context-new"), WATCH]


def test_a_call_whose_document_never_comes_ends_with_its_deadline() -> None:
    core = with_page()
    core.play(on(PAGE, runtime.ExecutionContextsCleared()), evaluate("1"))

    error = told(core.play(inputs.TimerFired(DEADLINE)))["call"]

    assert error == errors.CallTimeout(
        30.0, "not_loaded", f"the document of frame {TOP!r} has not loaded", maybe_executed=False
    )


def test_a_command_goes_to_the_session_of_its_frame() -> None:
    core = with_oopif()
    asked = requests.CallRequested(call_id="call", work=page.StopLoading(), frame_id=INNER, timeout_s=5.0)

    begun = core.play(asked)
    ended = core.play(inputs.CommandSucceeded(REPLY, None))

    assert begun == [Arm(DEADLINE, 5.0), Send(command=page.StopLoading(), session_id=OOPIF, tag=REPLY), WATCH]
    assert told(ended) == {"call": CommandResult(None)}


def test_an_expression_that_throws_is_an_error_with_the_page_s_text() -> None:
    core = with_page()
    core.play(evaluate("boom()"))
    thrown = runtime.ExceptionDetails(
        exception_id=1,
        text="Uncaught",
        line_number=0,
        column_number=0,
        exception=runtime.RemoteObject(type="object", description="ReferenceError: boom is not defined"),
    )
    result = runtime.EvaluateResult(result=runtime.RemoteObject(type="object"), exception_details=thrown)

    effects = core.play(inputs.CommandSucceeded(REPLY, result))

    assert told(effects) == {"call": errors.EvaluationFailed("ReferenceError: boom is not defined")}


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (SessionDetached(PAGE), errors.FrameGone(TOP, maybe_executed=True, why="its session ended")),
        (
            CommandError(-32000, "Inspected target navigated or closed", method="Runtime.evaluate", session=PAGE),
            errors.NavigationInterrupted(TOP, maybe_executed=True),
        ),
        (
            InvalidParams(-32602, "uniqueContextId not found", method="Runtime.evaluate", session=PAGE),
            errors.NavigationInterrupted(TOP, maybe_executed=False),
        ),
    ],
)
def test_what_a_refusal_means_to_the_caller(refusal: Exception, expected: Exception) -> None:
    core = with_page()
    core.play(evaluate())

    assert told(core.play(inputs.CommandFailed(REPLY, refusal))) == {"call": expected}


def test_a_refusal_without_a_special_meaning_is_passed_on() -> None:
    core = with_page()
    core.play(evaluate())
    refusal = CommandError(-32000, "Object reference chain is too long", method="Runtime.evaluate", session=PAGE)

    assert told(core.play(inputs.CommandFailed(REPLY, refusal))) == {"call": refusal}


def test_a_crash_ends_the_calls_of_its_page() -> None:
    core = with_oopif()
    core.play(evaluate("1"), evaluate("1", INNER, call="inner"))

    effects = core.play(on(OOPIF, inspector.TargetCrashed()))

    assert [(call, type(error)) for call, error in told(effects).items()] == [("inner", TargetCrashed)]


def test_a_crashed_page_can_be_reloaded_and_nothing_else() -> None:
    core = with_page()
    core.play(on(PAGE, inspector.TargetCrashed()))
    reload = requests.CallRequested(call_id="reload", work=page.Reload(), frame_id=None, timeout_s=5.0)

    assert [type(outcome) for outcome in told(core.play(evaluate())).values()] == [TargetCrashed]
    assert [send.command for send in sent(core.play(reload))] == [page.Reload()]


def test_a_frame_that_goes_away_ends_its_calls() -> None:
    core = with_oopif()
    core.play(evaluate("1", INNER))

    removed = on(PAGE, page.FrameDetached(frame_id=page.FrameId(INNER), reason="remove"))
    assert told(core.play(removed)) == {"call": errors.FrameGone(INNER, maybe_executed=True)}


def test_a_frame_that_moves_to_its_parent_s_process_ends_its_calls_and_has_new_ones_wait() -> None:
    core = with_oopif()
    core.play(evaluate("1", INNER))
    interrupted = errors.NavigationInterrupted(INNER, maybe_executed=True)

    assert told(core.play(inputs.CommandFailed(REPLY, SessionDetached(OOPIF)))) == {"call": interrupted}
    core.play(evaluate("1", INNER, call="same"), detached(OOPIF, PAGE))
    assert core.play(evaluate("2", INNER, call="next")) == [Arm(timers.CallDeadline("next"), 30.0)]
    back = on(PAGE, page.FrameNavigated(frame=frame(INNER, "http://a.test/in", TOP, loader="new"), type="Navigation"))
    (send,) = sent(core.play(back, context(PAGE, INNER, "context-local")))
    assert (send.session_id, send.tag) == (PAGE, command_tags.CallReply("next"))


def test_a_frame_that_moves_to_another_process_ends_its_calls() -> None:
    core = with_page()
    core.play(
        on(PAGE, page.FrameAttached(frame_id=page.FrameId(INNER), parent_frame_id=page.FrameId(TOP))),
        context(PAGE, INNER, "context-local"),
        evaluate("1", INNER),
    )

    effects = core.play(attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP))

    assert told(effects) == {"call": errors.NavigationInterrupted(INNER, maybe_executed=True)}


def test_a_call_that_was_not_sent_yet_goes_along_when_its_frame_moves_to_another_process() -> None:
    core = with_page()
    core.play(
        on(PAGE, page.FrameAttached(frame_id=page.FrameId(INNER), parent_frame_id=page.FrameId(TOP))),
        evaluate("1", INNER),
    )

    moved = core.play(attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP))
    going = core.play(
        on(OOPIF, page.FrameNavigated(frame=frame(INNER, "http://b.test/", TOP), type="Navigation")),
        context(OOPIF, INNER, "context-inner"),
    )

    assert told(moved) == {}
    assert sends("1", OOPIF, "context-inner") in going


def test_a_lost_link_ends_every_call() -> None:
    core = with_oopif()
    core.play(evaluate("1"), evaluate("1", INNER, call="inner"))

    effects = core.play(inputs.Disconnected("connection reset"))

    assert told(effects) == {"call": errors.CallLost("connection reset"), "inner": errors.CallLost("connection reset")}


def test_stopping_ends_every_call() -> None:
    core = with_page()
    core.play(evaluate())

    assert told(core.play(inputs.StopRequested())) == {"call": errors.NotRunning("stopped")}


def test_a_deadline_says_what_is_known() -> None:
    core = with_page()
    core.play(evaluate())

    error = told(core.play(inputs.TimerFired(DEADLINE)))["call"]

    assert error == errors.CallTimeout(
        30.0, "slow", "the page has not answered; a long script may be running", maybe_executed=True
    )


def test_a_picture_that_is_not_drawn_is_not_put_down_to_a_script() -> None:
    core = with_page()
    capture = page.CaptureScreenshot()
    core.play(requests.CallRequested(call_id="call", work=capture, frame_id=None, timeout_s=30.0))

    error = told(core.play(inputs.TimerFired(DEADLINE)))["call"]

    assert error == errors.CallTimeout(30.0, "slow", "the browser has not drawn the page", maybe_executed=True)


def test_a_deadline_names_the_dialogs_that_are_open_elsewhere() -> None:
    core = with_oopif()
    core.play(opening(frame_id=INNER), evaluate())

    error = told(core.play(inputs.TimerFired(DEADLINE)))["call"]

    assert str(error).endswith("(open dialogs: d-1)")


def test_late_timers_and_replies_do_nothing() -> None:
    core = with_page()
    core.play(evaluate(), inputs.CommandSucceeded(REPLY, value(1)))

    assert core.play(inputs.TimerFired(DEADLINE), inputs.CommandFailed(REPLY, ConnectionLost("late"))) == []


TERMINATED = CommandError(-32000, "Execution was terminated", method="m", session=None)
INTERNAL = CommandError(-32603, "Internal error", method="m", session=None)


@pytest.mark.parametrize("error", [TERMINATED, INTERNAL])
def test_a_script_that_was_stopped_is_told_so(error: CommandError) -> None:
    core = with_page()
    stop = requests.CallRequested(call_id="stop", work=runtime.TerminateExecution(), frame_id=None, timeout_s=5.0)

    effects = core.play(evaluate("while(true){}"), stop, inputs.CommandFailed(REPLY, error))

    assert told(effects) == {"call": errors.Terminated(TOP)}


def test_an_internal_error_of_a_script_that_nobody_stopped_is_what_it_is() -> None:
    core = with_page()

    assert told(core.play(evaluate(), inputs.CommandFailed(REPLY, INTERNAL))) == {"call": INTERNAL}


def test_a_command_of_the_browser_ends_with_the_link_and_with_its_deadline() -> None:
    core = Core()
    core.play(inputs.Connected(), inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None))
    asked = requests.CallRequested(call_id="call", work=browser.GetVersion(), frame_id=None, timeout_s=30.0)

    (send,) = sent(core.play(asked))
    assert (send.command, send.session_id) == (browser.GetVersion(), None)
    overdue = told(core.play(inputs.TimerFired(DEADLINE)))["call"]
    assert overdue == errors.CallTimeout(30.0, "slow", "the browser has not answered", maybe_executed=True)
    core.play(replace(asked, call_id="next"))
    refusal = CommandError(-32000, "no", method="m", session=None)
    assert told(core.play(inputs.CommandFailed(command_tags.CallReply("next"), refusal))) == {"next": refusal}
    core.play(replace(asked, call_id="last"))
    assert isinstance(told(core.play(inputs.Disconnected("gone")))["last"], ConnectionLost)


def test_a_frame_that_is_gone_is_told_from_one_that_never_was() -> None:
    core = with_oopif()
    core.play(on(PAGE, page.FrameDetached(frame_id=page.FrameId(INNER), reason="remove")))

    assert told(core.play(evaluate(frame_id=INNER, call="gone"), evaluate(frame_id="never", call="never"))) == {
        "gone": errors.FrameGone(INNER, maybe_executed=False),
        "never": errors.UnknownFrame("never"),
    }


def test_a_call_whose_caller_gave_up_is_over() -> None:
    core = with_page()
    core.play(evaluate())

    effects = core.play(requests.CallAbandoned("call"), requests.CallAbandoned("never"))

    assert {Disarm(DEADLINE), Forget(REPLY)} <= {effect for effect in effects if isinstance(effect, Disarm | Forget)}
    assert core.state.world.calls.pending == {}
    assert core.play(inputs.CommandSucceeded(REPLY, value(1))) == []
