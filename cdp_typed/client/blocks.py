"""Makes a generator a block for `with` or `async with`; used otherwise, the block says what to write."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class AsyncBlock(AbstractAsyncContextManager[T, None]):
    """The return value of a function that is entered: `async with new_page() as tab`. It swallows no exception."""

    def __init__(self, name: str, entered: AbstractAsyncContextManager[T]) -> None:
        self._name = name
        self._entered = entered

    async def __aenter__(self) -> T:
        return await self._entered.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._entered.__aexit__(kind, error, trace)

    if not TYPE_CHECKING:  # pragma: no branch - for who uses it in another way; type checkers see that themselves

        def __await__(self) -> Any:
            raise TypeError(_way("async with", self._name))

        def __enter__(self) -> Any:
            raise TypeError(_way("async with", self._name))

        def __exit__(self, *_: object) -> None: ...

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"not entered yet, so it has no {name!r}: {_way('async with', self._name)}")


class Block(AbstractContextManager[T, None]):
    """The same of the blocking client: `with new_page() as tab`."""

    def __init__(self, name: str, entered: AbstractContextManager[T]) -> None:
        self._name = name
        self._entered = entered

    def __enter__(self) -> T:
        return self._entered.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.__exit__(kind, error, trace)

    if not TYPE_CHECKING:  # pragma: no branch - as above

        def __await__(self) -> Any:
            raise TypeError(_way("with", self._name))

        async def __aenter__(self) -> Any:
            raise TypeError(_way("with", self._name))

        async def __aexit__(self, *_: object) -> None: ...

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"not entered yet, so it has no {name!r}: {_way('with', self._name)}")


def async_block(function: Callable[P, AsyncGenerator[T]]) -> Callable[P, AsyncBlock[T]]:
    """Do what `contextlib.asynccontextmanager` does, with errors that say what to write."""
    opens = asynccontextmanager(function)

    @wraps(function)
    def enter(*args: P.args, **options: P.kwargs) -> AsyncBlock[T]:
        return AsyncBlock(function.__name__, opens(*args, **options))

    return enter


def block(function: Callable[P, Generator[T]]) -> Callable[P, Block[T]]:
    """Do what `contextlib.contextmanager` does, with errors that say what to write."""
    opens = contextmanager(function)

    @wraps(function)
    def enter(*args: P.args, **options: P.kwargs) -> Block[T]:
        return Block(function.__name__, opens(*args, **options))

    return enter


def _way(keyword: str, name: str) -> str:
    way = f"{name}(...) lasts as long as a block: {keyword} {name}(...)"
    if name != "new_page":
        return way
    awaited = "await " if keyword == "async with" else ""
    return f"{way} as tab; for a tab until {awaited}tab.close(): tab = {awaited}browser.open_page(url)"
