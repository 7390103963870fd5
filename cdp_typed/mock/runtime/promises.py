"""Promises of pages: what is due when one is settled, and who waits for it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.syntax_tree import Call, Program, Quoted
from cdp_typed.mock.js.values import Func, Pending
from cdp_typed.mock.state.browser import Context, Frame, Job, Promise, ReplyTo
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.state.suspended import Pledge, Reaction

__all__ = ["await_promise", "handle", "promise_key", "react", "settle"]


def promise_key(context: str, number: int) -> str:
    """The key of the `number`-th promise of a context."""
    return f"{context} {number}"


def _pledge(turn: Turn, frame: str, context: str, key: str) -> Pledge:
    return turn.state.pledges.get(key) or Pledge(frame, context)


def _put(turn: Turn, key: str, pledge: Pledge) -> None:
    turn.state = replace(turn.state, pledges={**turn.state.pledges, key: pledge})


def settle(turn: Turn, frame: str, context: str, key: str, value: Any, *, failed: bool = False) -> None:
    """Fulfil or reject a promise; one that is fulfilled with another promise takes that one's way."""
    if isinstance(value, Pending) and not failed:
        react(turn, frame, context, promise_key(context, value.number), Reaction(None, None, key))
        return
    pledge = _pledge(turn, frame, context, key)
    pledge = replace(pledge, state="rejected" if failed else "fulfilled", value=value)
    _put(turn, key, replace(pledge, reactions=(), handled=bool(pledge.reactions)))
    for reaction in pledge.reactions:
        _run(turn, pledge, reaction)


def react(turn: Turn, frame: str, context: str, key: str, reaction: Reaction) -> None:
    """`then`: now, if the promise is settled already."""
    pledge = _pledge(turn, frame, context, key)
    if pledge.state == "pending":
        _put(turn, key, replace(pledge, reactions=(*pledge.reactions, reaction)))
    else:
        _put(turn, key, replace(pledge, handled=True))
        _run(turn, pledge, reaction)


def _run(turn: Turn, pledge: Pledge, reaction: Reaction) -> None:
    failed = pledge.state == "rejected"
    handler = reaction.rejected if failed else reaction.fulfilled
    if handler is None:
        settle(turn, pledge.frame, pledge.context, reaction.following, pledge.value, failed=failed)
    else:
        program = _call(handler, pledge.value)
        turn.then(Job(pledge.frame, pledge.context, program, settles=reaction.following))


def _call(handler: Func, value: Any) -> Program:
    return Program((Call(Quoted(handler), (Quoted(value),)),))


def await_promise(turn: Turn, frame: Frame, context: Context, number: int, reply: ReplyTo) -> None:
    """A call waits for a promise that is not settled."""
    waiting = Promise(frame.id, reply, promise_key(context.unique_id, number))
    turn.state = replace(turn.state, promises=(*turn.state.promises, waiting))


def handle(turn: Turn, key: str) -> None:
    """Somebody has taken note of how the promise ended."""
    _put(turn, key, replace(turn.state.pledges[key], handled=True))
