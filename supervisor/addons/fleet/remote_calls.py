"""The base class of `RemoteSupervisor`: sends each call to the host of the task, by way of a `Caller`."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from supervisor.core.vocabulary.errors import NotRunning, SupervisorError
from supervisor.core.vocabulary.values import Change, ChangeSlice

T = TypeVar("T")

POLL_S = 30.0
"""`changes` asks again after so many seconds in which nothing has changed."""


class ChangesLost(SupervisorError):
    """`missed` changes after the number `since` are no longer held; look at a snapshot and go on from its `cursor`.

    `missed` is None when the task's supervisor has been replaced by one that has not counted so far.
    """

    def __init__(self, since: int, missed: int | None) -> None:
        what = "its supervisor is a new one" if missed is None else f"{missed} of them are no longer held"
        super().__init__(f"changes after number {since} are lost: {what}")
        self.since = since
        self.missed = missed


class Caller(Protocol):
    """Has the supervisor of a task, wherever it is, carry out a method."""

    async def call(
        self, task_id: str, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], timeout_s: float | None
    ) -> Any:
        """Return what the method of `AsyncSupervisor` returns there (see `perform`), and raise what it raises.

        `timeout_s` is the deadline that the caller of the method gave, None without one; it is in `kwargs` as well.
        """


class RemoteCalls:
    """Calls the supervisor of one task; the methods are those of `RemoteSupervisor`, which are generated."""

    def __init__(self, task_id: str, caller: Caller) -> None:
        self.task_id: str = task_id
        self._caller = caller

    async def changes(self, since: int | None = None) -> AsyncGenerator[Change]:
        """The changes after the one with the number `since` (None: from now on), each once, in order, as they come.

        Ends when the task's supervisor has stopped. In place of `on_change`, whose callback cannot be sent.
        Raises `ChangesLost` where a change that was not yet told is no longer held (the last 500 are), and `NotRunning`
        when the supervisor was never started.
        """
        news = await self._news(sys.maxsize if since is None else since)
        if since is not None:
            _check_complete(since, news)
        while True:
            for change in news.changes:
                yield change
            cursor, is_over = news.cursor, not await self._has_news(news.cursor)
            news = await self._news(cursor)
            _check_complete(cursor, news)
            if is_over and not news.changes:
                return

    async def _has_news(self, cursor: int) -> bool:
        """Wait for a change after the cursor, not for ever. False when the supervisor has stopped."""
        try:
            await self._call("wait_for_change", (), {"since": cursor, "timeout_s": POLL_S}, POLL_S)
        except TimeoutError:
            pass
        except NotRunning:
            return False
        return True

    async def _news(self, cursor: int) -> ChangeSlice:
        news: ChangeSlice = await self._call("changes_since", (cursor,), {}, None)
        return news

    async def _call(self, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], timeout_s: float | None) -> Any:
        return await self._caller.call(self.task_id, method, args, kwargs, timeout_s)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.task_id}>"


def sendable(values: Iterable[T]) -> Iterable[T]:
    """Return the values so that they can be sent: an iterator cannot. A list or a text can."""
    return values if isinstance(values, Sequence) else tuple(values)


def _check_complete(cursor: int, news: ChangeSlice) -> None:
    if news.missed:
        raise ChangesLost(cursor, news.missed)
    if news.cursor < cursor:
        raise ChangesLost(cursor, None)
