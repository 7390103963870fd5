"""Observes the tool calls that use one supervisor, for example to record them as code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct

from supervisor.aio import AsyncSupervisor

R = TypeVar("R")


class CallObserver(Protocol):
    """Sees each call of a tool before and after its handler. It raises nothing, and ends within seconds."""

    async def before(self, tool: str, arguments: Struct) -> Any:
        """Called with the checked arguments. `after` or `failed` gets the returned value."""

    async def after(self, tool: str, noted: Any, result: object) -> None:
        """Called with the result of the handler."""

    def failed(self, tool: str, noted: Any, error: BaseException) -> None:
        """Called with the exception of the handler."""


_OBSERVERS: WeakKeyDictionary[AsyncSupervisor, CallObserver] = WeakKeyDictionary()


def observer_of(supervisor: AsyncSupervisor) -> CallObserver | None:
    """The observer of this supervisor's calls, if it has one."""
    return _OBSERVERS.get(supervisor)


def observe(supervisor: AsyncSupervisor, observer: CallObserver) -> None:
    """Let an observer see the calls of this supervisor, in place of the one before."""
    _OBSERVERS[supervisor] = observer


def stop_observing(supervisor: AsyncSupervisor) -> None:
    """End the observation. A supervisor without an observer is left alone."""
    _OBSERVERS.pop(supervisor, None)


async def observed(
    observer: CallObserver | None, tool: str, arguments: Struct, handle: Callable[[], Awaitable[R]]
) -> R:
    """Call the handler, with the observer around it."""
    if observer is None:
        return await handle()
    noted = await observer.before(tool, arguments)
    try:
        result = await handle()
    except BaseException as error:
        observer.failed(tool, noted, error)
        raise
    await observer.after(tool, noted, result)
    return result
