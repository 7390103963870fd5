"""Observes the tool calls that use one supervisor, for example to record them as code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
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


_OBSERVERS: WeakKeyDictionary[AsyncSupervisor, tuple[CallObserver, ...]] = WeakKeyDictionary()


def observers_of(supervisor: AsyncSupervisor) -> tuple[CallObserver, ...]:
    """The observers of this supervisor's calls, the first one first."""
    return _OBSERVERS.get(supervisor, ())


def observe(supervisor: AsyncSupervisor, observer: CallObserver) -> None:
    """Let an observer see the calls of this supervisor, too."""
    _OBSERVERS[supervisor] = (*observers_of(supervisor), observer)


def stop_observing(supervisor: AsyncSupervisor, observer: CallObserver) -> None:
    """End the observation. One that has ended is left alone."""
    _OBSERVERS[supervisor] = tuple(each for each in observers_of(supervisor) if each is not observer)


async def observed(
    observers: Sequence[CallObserver], tool: str, arguments: Struct, handle: Callable[[], Awaitable[R]]
) -> R:
    """Call the handler, with the observers around it."""
    if not observers:
        return await handle()
    observer, *others = observers
    noted = await observer.before(tool, arguments)
    try:
        result = await observed(others, tool, arguments, handle)
    except BaseException as error:
        observer.failed(tool, noted, error)
        raise
    await observer.after(tool, noted, result)
    return result
