"""`connect_sync` and `SyncConnection`, the blocking connection."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from cdp_typed._base import Command
from cdp_typed.addresses import EndpointKind
from cdp_typed.client.connect import Opening, connect
from cdp_typed.client.connection import Connection
from cdp_typed.client.dispatcher import DEFAULT, Timeout
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import browser, target
from cdp_typed.recording.taps import TapCallback
from cdp_typed.sync.channel import SyncChannel
from cdp_typed.sync.loop_calls import end, start, wait, wait_call
from cdp_typed.sync.session import SyncAutoAttach, SyncSession, SyncSetup, as_setup
from cdp_typed.sync.subscriptions import SyncTap
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.decoding import SchemaDrift

P = ParamSpec("P")
R = TypeVar("R")


class SyncConnection(SyncChannel):
    """`Connection`, blocking; made by `connect_sync`."""

    def __init__(self, connection: Connection) -> None:
        """Own one `LOOP_THREAD.acquire` of the caller: `connection` runs on the loop thread."""
        super().__init__(connection)
        self._connection = connection
        self._holds = iter([LOOP_THREAD.release])

    def kind(self) -> EndpointKind:
        """See `Connection.kind`."""
        return wait(self._connection.kind())

    def require_browser(self) -> None:
        """See `Connection.require_browser`."""
        wait(self._connection.require_browser())

    def send(self, command: Command[R], *, session_id: str | None = None, timeout: Timeout = DEFAULT) -> R:
        """See `Connection.send`."""
        return wait(self._connection.send(command, session_id=session_id, timeout=timeout))

    def send_nowait(
        self, command: Command[R], *, session_id: str | None = None, timeout: Timeout = DEFAULT
    ) -> Future[R]:
        """See `SyncChannel.send_nowait`; `session_id` sends to a session instead of the browser."""
        return start(self._connection.send(command, session_id=session_id, timeout=timeout))

    def send_raw(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        session_id: str | None = None,
        timeout: Timeout = DEFAULT,
    ) -> dict[str, Any]:
        """See `Connection.send_raw`."""
        return wait(self._connection.send_raw(method, params, session_id=session_id, timeout=timeout))

    @property
    def counters(self) -> Counters:
        """See `Connection.counters`."""
        return self._connection.counters

    @property
    def drift(self) -> tuple[SchemaDrift, ...]:
        """See `Connection.drift`."""
        return self._connection.drift

    @property
    def pending(self) -> int:
        """See `Connection.pending`."""
        return self._connection.pending

    @property
    def listeners(self) -> int:
        """See `Connection.listeners`."""
        return wait_call(lambda: self._connection.listeners)

    @property
    def warnings(self) -> tuple[str, ...]:
        """See `Connection.warnings`."""
        return self._connection.warnings

    @property
    def closed(self) -> bool:
        """See `Connection.closed`."""
        return self._connection.closed

    @property
    def root(self) -> SyncChannel:
        """See `Connection.root`."""
        return SyncChannel(self._connection.root)

    @property
    def sessions(self) -> tuple[SyncSession, ...]:
        """See `Connection.sessions`."""
        return tuple(map(SyncSession, wait_call(lambda: self._connection.sessions)))

    def auto_attach(
        self,
        *,
        enable: SyncSetup = (),
        filter: Sequence[target.FilterEntry] | None = None,
        wait_for_debugger: bool = True,
        recursive: bool = True,
        timeout: Timeout = DEFAULT,
    ) -> SyncAutoAttach:
        """See `Connection.auto_attach`, and `SyncAutoAttach`."""
        return SyncAutoAttach(
            self._connection.auto_attach(
                enable=as_setup(enable),
                filter=filter,
                wait_for_debugger=wait_for_debugger,
                recursive=recursive,
                timeout=timeout,
            )
        )

    def attach(self, target_id: str, *, enable: Iterable[Command[Any]] = (), timeout: Timeout = DEFAULT) -> SyncSession:
        """See `Connection.attach`."""
        return SyncSession(wait(self._connection.attach(target_id, enable=enable, timeout=timeout)))

    def session(self, session_id: str) -> SyncSession:
        """See `Connection.session`."""
        return SyncSession(self._connection.session(session_id))

    @contextmanager
    def new_page(
        self, url: str = "about:blank", *, browser_context_id: browser.BrowserContextID | None = None
    ) -> Generator[SyncSession]:
        """See `Connection.new_page`."""
        opening = self._connection.new_page(url, browser_context_id=browser_context_id)
        session = wait(opening.__aenter__())
        try:
            yield SyncSession(session)
        except BaseException as error:
            end(opening.__aexit__(type(error), error, error.__traceback__))
            raise
        end(opening.__aexit__(None, None, None))

    def tap(self, callback: TapCallback) -> SyncTap:
        """See `Connection.tap`; the callback is called on the loop thread, so it must not call this client."""
        return SyncTap(wait_call(self._connection.tap, callback))

    def wait_closed(self) -> None:
        """See `Connection.wait_closed`."""
        wait(self._connection.wait_closed())

    def close(self) -> None:
        """See `Connection.close`. The last connection to close ends the loop thread."""
        for release in self._holds:  # once: two threads may close at the same time
            try:
                wait(self._connection.close())
            finally:
                release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def _opened(opening: Opening) -> Connection:
    return await opening


def _with_parameters_of(opens: Callable[P, object]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Give a function the parameters of `opens`, for type checkers and for `inspect.signature`."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        returned = inspect.signature(function).return_annotation
        signature = inspect.signature(opens).replace(return_annotation=returned)
        function.__signature__ = signature  # type: ignore[attr-defined]  # pyright: ignore[reportFunctionMemberAccess]
        return function

    return decorate


@_with_parameters_of(connect)
def connect_sync(*args: Any, **options: Any) -> SyncConnection:
    """Connect to a browser: `with connect_sync("http://127.0.0.1:9222") as browser:`, or close it yourself.

    Parameters and errors are those of `connect`; raises `CalledFromLoopThread` on a thread that runs an event loop.
    """
    LOOP_THREAD.acquire()
    try:
        return SyncConnection(wait(_opened(connect(*args, **options))))
    except BaseException:
        LOOP_THREAD.release()
        raise
