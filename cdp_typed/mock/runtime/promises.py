"""Promises of pages: their settlement, their reactions, and the commands that await them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.syntax.syntax_tree import CallExpression, Constant, Program
from cdp_typed.mock.js.values import FunctionValue, PromiseSettler, PromiseValue
from cdp_typed.mock.state.browser_state import AwaitingCall, ExecutionContext, FrameNode, ReplyTo, ScriptRun
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.state.suspended import PromiseReaction, PromiseState


def promise_key(context: str, number: int) -> str:
    """Return the key of the `number`-th promise of a context."""
    return f"{context} {number}"


def _promise_state(step: Step, frame: str, context: str, key: str) -> PromiseState:
    return step.state.promises.get(key) or PromiseState(frame, context)


def _put(step: Step, key: str, promise: PromiseState) -> None:
    step.state = replace(step.state, promises={**step.state.promises, key: promise})


def settle_promise(step: Step, frame: str, context: str, key: str, value: Any, *, failed: bool = False) -> None:
    """Fulfil or reject a promise; fulfilled with another promise, it follows that one."""
    if isinstance(value, PromiseValue) and not failed:
        add_reaction(step, frame, context, promise_key(context, value.number), PromiseReaction(None, None, key))
        return
    promise = _promise_state(step, frame, context, key)
    promise = replace(promise, state="rejected" if failed else "fulfilled", value=value)
    _put(step, key, replace(promise, reactions=(), handled=bool(promise.reactions)))
    for reaction in promise.reactions:
        _run(step, promise, reaction)


def add_reaction(step: Step, frame: str, context: str, key: str, reaction: PromiseReaction) -> None:
    """Add a reaction, and run it if the promise is settled already."""
    promise = _promise_state(step, frame, context, key)
    if promise.state == "pending":
        _put(step, key, replace(promise, reactions=(*promise.reactions, reaction)))
    else:
        _put(step, key, replace(promise, handled=True))
        _run(step, promise, reaction)


def _run(step: Step, promise: PromiseState, reaction: PromiseReaction) -> None:
    failed = promise.state == "rejected"
    handler = reaction.rejected if failed else reaction.fulfilled
    if handler is None:
        settle_promise(step, promise.frame, promise.context, reaction.following, promise.value, failed=failed)
    else:
        program = _call(handler, promise.value)
        step.enqueue(ScriptRun(promise.frame, promise.context, program, settles=reaction.following))


def _call(handler: FunctionValue | PromiseSettler, value: Any) -> Program:
    return Program((CallExpression(Constant(handler), (Constant(value),)),))


def await_promise(step: Step, frame: FrameNode, context: ExecutionContext, number: int, reply: ReplyTo) -> None:
    """Let a call await a promise that is not settled."""
    waiting = AwaitingCall(frame.id, reply, promise_key(context.unique_id, number))
    step.state = replace(step.state, awaiting_calls=(*step.state.awaiting_calls, waiting))


def mark_handled(step: Step, key: str) -> None:
    """Mark a settled promise as handled."""
    _put(step, key, replace(step.state.promises[key], handled=True))
