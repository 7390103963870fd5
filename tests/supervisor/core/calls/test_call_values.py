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
    core = with_page().after(evaluate("window"))
    assert sent(core.play(inputs.CommandSucceeded(REPLY, runtime.EvaluateResult(result=HANDLE)))) == [ASK_VALUE]
    return core


def value_of(effects: list[Effect]) -> tuple[object, str, str]:
    evaluation = told(effects)["call"]
    assert isinstance(evaluation, Evaluation)
    return evaluation.value, evaluation.type, evaluation.description


def refused(text: str) -> inputs.CommandFailed:
    error = CommandError(-32000, text, method="Runtime.callFunctionOn", session=PAGE)
    return inputs.CommandFailed(command_tags.CallValue("call"), error)


def test_an_object_s_value_is_asked_for_in_a_second_step() -> None:
    answer = runtime.CallFunctionOnResult(result=runtime.RemoteObject(type="object", value={"a": 1}))

    effects = with_handle().play(inputs.CommandSucceeded(command_tags.CallValue("call"), answer))

    assert value_of(effects) == ({"a": 1}, "object", '{"a": 1}')
    assert sent(effects) == [RELEASE]


def test_what_json_cannot_hold_has_no_value_and_is_no_error() -> None:
    effects = with_handle().play(refused("Object reference chain is too long"))

    assert value_of(effects) == (None, "object", "Window")
    assert sent(effects) == [RELEASE]


@pytest.mark.parametrize(
    "text", ["Cannot find context with specified id", "Inspected target navigated or closed"], ids=["context", "target"]
)
def test_a_document_that_goes_before_its_value_was_fetched_has_run_the_expression(text: str) -> None:
    interrupted = errors.NavigationInterrupted(TOP, maybe_executed=True)
    assert told(with_handle().play(refused(text))) == {"call": interrupted}


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
    core = with_page().after(evaluate("something"))

    effects = core.play(inputs.CommandSucceeded(REPLY, runtime.EvaluateResult(result=answered)))

    assert value_of(effects) == (None, answered.type, answered.description)
