"""Promises of pages: reactions that are due when one settles, and the commands that await it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.syntax_tree import CallExpression, Constant, Program
from cdp_typed.mock.js.values import FunctionValue, PromiseValue
from cdp_typed.mock.state.browser_state import AwaitingCall, ExecutionContext, FrameNode, ReplyTo, ScriptRun
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.state.suspended import PromiseReaction, PromiseState

__all__ = ["await_promise", "handle", "promise_key", "react", "settle"]


def promise_key(context: str, number: int) -> str:
    """The key of the `number`-th promise of a context."""
    return f"{context} {number}"


def _pledge(step: Step, frame: str, context: str, key: str) -> PromiseState:
    return step.state.pledges.get(key) or PromiseState(frame, context)


def _put(step: Step, key: str, pledge: PromiseState) -> None:
    step.state = replace(step.state, pledges={**step.state.pledges, key: pledge})


def settle(step: Step, frame: str, context: str, key: str, value: Any, *, failed: bool = False) -> None:
    """Fulfil or reject a promise; one that is fulfilled with another promise takes that one's way."""
    if isinstance(value, PromiseValue) and not failed:
        react(step, frame, context, promise_key(context, value.number), PromiseReaction(None, None, key))
        return
    pledge = _pledge(step, frame, context, key)
    pledge = replace(pledge, state="rejected" if failed else "fulfilled", value=value)
    _put(step, key, replace(pledge, reactions=(), handled=bool(pledge.reactions)))
    for reaction in pledge.reactions:
        _run(step, pledge, reaction)


def react(step: Step, frame: str, context: str, key: str, reaction: PromiseReaction) -> None:
    """`then`: now, if the promise is settled already."""
    pledge = _pledge(step, frame, context, key)
    if pledge.state == "pending":
        _put(step, key, replace(pledge, reactions=(*pledge.reactions, reaction)))
    else:
        _put(step, key, replace(pledge, handled=True))
        _run(step, pledge, reaction)


def _run(step: Step, pledge: PromiseState, reaction: PromiseReaction) -> None:
    failed = pledge.state == "rejected"
    handler = reaction.rejected if failed else reaction.fulfilled
    if handler is None:
        settle(step, pledge.frame, pledge.context, reaction.following, pledge.value, failed=failed)
    else:
        program = _call(handler, pledge.value)
        step.enqueue(ScriptRun(pledge.frame, pledge.context, program, settles=reaction.following))


def _call(handler: FunctionValue, value: Any) -> Program:
    return Program((CallExpression(Constant(handler), (Constant(value),)),))


def await_promise(step: Step, frame: FrameNode, context: ExecutionContext, number: int, reply: ReplyTo) -> None:
    """A call waits for a promise that is not settled."""
    waiting = AwaitingCall(frame.id, reply, promise_key(context.unique_id, number))
    step.state = replace(step.state, promises=(*step.state.promises, waiting))


def handle(step: Step, key: str) -> None:
    """Somebody has taken note of how the promise ended."""
    _put(step, key, replace(step.state.pledges[key], handled=True))
