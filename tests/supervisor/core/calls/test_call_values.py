"""The value of an expression is read by a second command; JSON cannot hold every value."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import runtime
from supervisor.core.vocabulary import command_tags, errors, inputs, timers
from supervisor.core.vocabulary.effects import Effect, Forget, Send
from supervisor.core.vocabulary.values import Evaluation
from tests.support.core.play import PAGE, TOP, Core, evaluate, sent, told, with_page

REPLY = command_tags.CallReply("call")
DEADLINE = timers.CallDeadline("call")
HANDLE = runtime.RemoteObject(
    type="object", class_name="Window", description="Window", object_id=runtime.RemoteObjectId("o-1")
)
ASK_VALUE = Send(
    command=runtime.CallFunctionOn(
        function_declaration="function() { return this }",
        object_id=runtime.RemoteObjectId("o-1"),
        return_by_value=True,
        silent=True,
    ),
    session_id=PAGE,
    tag=command_tags.CallValue("call"),
)
RELEASE = Send(command=runtime.ReleaseObject(object_id=runtime.RemoteObjectId("o-1")), session_id=PAGE)


def with_handle() -> Core:
    """A core whose caller's expression came to an object."""
    core = with_page()
    core.play(evaluate("window"))
    assert sent(core.play(inputs.CommandSucceeded(REPLY, runtime.EvaluateResult(result=HANDLE)))) == [ASK_VALUE]
    return core


def outcome(effects: list[Effect]) -> object:
    return told(effects)["call"]


def test_an_object_s_value_is_asked_for_in_a_second_step() -> None:
    answer = runtime.CallFunctionOnResult(result=runtime.RemoteObject(type="object", value={"a": 1}))

    effects = with_handle().play(inputs.CommandSucceeded(command_tags.CallValue("call"), answer))

    evaluation = outcome(effects)
    assert isinstance(evaluation, Evaluation)
    assert (evaluation.value, evaluation.type, evaluation.description) == ({"a": 1}, "object", '{"a": 1}')
    assert sent(effects) == [RELEASE]


def test_what_json_cannot_hold_has_no_value_and_is_no_error() -> None:
    refusal = CommandError(-32000, "Object reference chain is too long", method="Runtime.callFunctionOn", session=PAGE)

    effects = with_handle().play(inputs.CommandFailed(command_tags.CallValue("call"), refusal))

    evaluation = outcome(effects)
    assert isinstance(evaluation, Evaluation)
    assert (evaluation.value, evaluation.type, evaluation.description) == (None, "object", "Window")
    assert sent(effects) == [RELEASE]


@pytest.mark.parametrize(
    "error",
    [
        CommandError(-32000, "Cannot find context with specified id", method="m", session=PAGE),
        CommandError(-32000, "Inspected target navigated or closed", method="m", session=PAGE),
    ],
)
def test_a_document_that_goes_before_its_value_was_fetched_has_run_the_expression(error: CommandError) -> None:
    effects = with_handle().play(inputs.CommandFailed(command_tags.CallValue("call"), error))

    assert outcome(effects) == errors.NavigationInterrupted(TOP, maybe_executed=True)


def test_a_call_that_ends_while_its_value_is_fetched_forgets_that() -> None:
    assert Forget(command_tags.CallValue("call")) in with_handle().play(inputs.TimerFired(DEADLINE))


@pytest.mark.parametrize(
    "answered",
    [
        runtime.RemoteObject(type="function", description="() => 1", object_id=runtime.RemoteObjectId("o-2")),
        runtime.RemoteObject(type="symbol", description="Symbol(x)", object_id=runtime.RemoteObjectId("o-2")),
        runtime.RemoteObject(type="bigint", description="1n", unserializable_value=runtime.UnserializableValue("1n")),
    ],
    ids=lambda answered: answered.type,
)
def test_what_has_no_value_is_asked_for_none(answered: runtime.RemoteObject) -> None:
    core = with_page()
    core.play(evaluate("something"))

    evaluation = outcome(core.play(inputs.CommandSucceeded(REPLY, runtime.EvaluateResult(result=answered))))

    assert isinstance(evaluation, Evaluation)
    assert (evaluation.value, evaluation.type, evaluation.description) == (None, answered.type, answered.description)
