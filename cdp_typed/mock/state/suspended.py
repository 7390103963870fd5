"""Promises and debugger pauses as frozen values; `browser_state` holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from cdp_typed.mock.js.values import FunctionValue, PromiseSettler


class PromiseReaction(Struct, frozen=True):
    """The handlers of a `then`; their result settles the promise `following`."""

    fulfilled: FunctionValue | PromiseSettler | None
    rejected: FunctionValue | PromiseSettler | None
    following: str


class PromiseState(Struct, frozen=True):
    """A promise of a page; its key is made of its context and its number there.

    It is `handled` if it has a reaction or a call awaits it; otherwise its rejection is reported.
    """

    frame: str
    context: str
    state: Literal["pending", "fulfilled", "rejected"] = "pending"
    value: Any = None
    reactions: tuple[PromiseReaction, ...] = ()
    handled: bool = False


class DebuggerPause(Struct, frozen=True):
    """A script that is paused at `debugger`, with its variables and those that were changed since.

    The script itself is in `BrowserState.suspended`, under `key`.
    """

    key: str
    frame: str
    target: str
    process: str
    context: str
    variables: Mapping[str, Any]
    changed: Mapping[str, Any] = {}
