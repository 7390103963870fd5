"""`Connection`: the public interface of a connection to a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from cdp_typed._base import Command
from cdp_typed.addresses import EndpointKind, redact
from cdp_typed.client.blocks import async_block
from cdp_typed.client.channel import Channel
from cdp_typed.client.dispatcher import DEFAULT, Dispatcher, Timeout
from cdp_typed.client.session import AutoAttach, PageOpening, Session, SessionSetup, find_session
from cdp_typed.client.subscriptions import ALL
from cdp_typed.endpoint.discovery import PIPE, Resolved
from cdp_typed.errors import CDPError, CommandError, CommandTimeout, ConnectionLost, MethodNotFound, NotABrowser
from cdp_typed.protocol import browser, target
from cdp_typed.recording.taps import Tap, TapCallback
from cdp_typed.transport import Transport
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.decoding import SchemaDrift
from cdp_typed.wire.json_text import is_object
from cdp_typed.wire.session_tree import Announced

R = TypeVar("R")

_NEW_PAGE_TIMEOUT = 5.0


class Connection(Channel):
    """A connection to a browser: the browser's own session, and all other sessions.

    Commands go to the browser itself; events are those of every session (see `root` and `Session`). Made by
    `cdp_typed.connect`, inside a running event loop, and used from that loop only.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        command_timeout: float | None = 30.0,
        strict: bool = False,
        endpoint: Resolved = PIPE,
    ) -> None:
        super().__init__(
            Dispatcher(transport, command_timeout=command_timeout, strict=strict, kind=endpoint.kind),
            session_id=None,
            events_of=ALL,
        )
        self._endpoint = endpoint
        self._kind: EndpointKind | None = endpoint.kind

    # -- the other side ------------------------------------------------------------------------------------------

    async def kind(self) -> EndpointKind:
        """Return the kind of the other end: a `"browser"`, one `"page"` (or frame, worker), or an inspector, `"node"`.

        The address tells it, or else one `Target.getTargetInfo`. A page takes the commands of its domains without a
        session: `await connection.send(page.Enable())`. So does an inspector of Node or Deno, which has Runtime,
        Debugger and Profiler, and no pages. Raises as `send` does.
        """
        if self._kind is None:
            self._kind = await self._ask_kind()
            self._dispatcher.router.at_browser = self._kind == "browser"
        return self._kind

    async def _ask_kind(self) -> EndpointKind:
        try:
            answer = await self.send_raw("Target.getTargetInfo")
        except MethodNotFound:
            return "node"
        except CommandError:  # Chrome 64 requires the parameter targetId
            return "browser"
        info = answer.get("targetInfo")
        if is_object(info) and info.get("type", "browser") != "browser":
            return "page"
        return "browser"

    async def require_browser(self) -> None:
        """Raise `NotABrowser`, which names the kind of endpoint, unless this is a whole browser (see `kind`)."""
        kind = await self.kind()
        if kind != "browser":
            raise NotABrowser(kind, url=redact(self._endpoint.url))

    # -- commands ------------------------------------------------------------------------------------------------

    async def send(self, command: Command[R], *, session_id: str | None = None, timeout: Timeout = DEFAULT) -> R:
        """See `Channel.send`; `session_id` sends to a session instead of the browser."""
        return await self._dispatcher.call(command, session_id, timeout)

    def send_nowait(
        self, command: Command[R], *, session_id: str | None = None, timeout: Timeout = DEFAULT
    ) -> asyncio.Future[R]:
        """See `Channel.send_nowait`; `session_id` sends to a session instead of the browser."""
        return self._dispatcher.call(command, session_id, timeout)

    async def send_raw(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        session_id: str | None = None,
        timeout: Timeout = DEFAULT,
    ) -> dict[str, Any]:
        """See `Channel.send_raw`; `session_id` sends to a session instead of the browser."""
        return await self._dispatcher.call_any(method, params or {}, session_id, timeout)

    # -- sessions ------------------------------------------------------------------------------------------------

    @property
    def root(self) -> Channel:
        """The browser's own session alone: its commands, and its events without those of other sessions."""
        return Channel(self._dispatcher, session_id=None, events_of=None)

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Every living session of this connection, oldest first."""
        return tuple(self.session(session_id) for session_id in self._dispatcher.router.sessions.all())

    def session(self, session_id: str) -> Session:
        """Return the session with this id, known from `Target.attachedToTarget`.

        Raises `SessionDetached` if it is over and `LookupError` if the browser never announced it.
        """
        return find_session(self._dispatcher, session_id)

    def auto_attach(
        self,
        *,
        enable: SessionSetup = (),
        filter: Sequence[target.FilterEntry] | None = None,
        wait_for_debugger: bool = True,
        recursive: bool = True,
        timeout: Timeout = DEFAULT,
    ) -> AutoAttach:
        """Attach to every target, and recursively to those below it, now and as they appear (`Target.setAutoAttach`).

        `async with browser.auto_attach(enable=[page.Enable()]) as attached:`, or `await` it and `stop` it later. Each
        new session is sent the commands of `enable` (or those that `enable(session)` returns; it is called from the
        reader, so it must be quick) before its target runs, and again when the target gets another session because it
        moved to another process. `filter` selects targets, on every level; `wait_for_debugger` pauses new targets
        until their set-up is sent. No reply to `enable` is awaited: a page that navigates at once may miss its first
        events, unless a command to its session was answered before. A channel has one auto-attach at a time: the
        browser keeps the latest setting only. A target that has a session on this connection keeps it: each event
        comes once.
        """
        return AutoAttach(
            self._dispatcher,
            None,
            handle=self.session,
            enable=enable,
            filter=filter,
            wait_for_debugger=wait_for_debugger,
            recursive=recursive,
            timeout=timeout,
        )

    async def attach(
        self, target_id: str, *, enable: Iterable[Command[Any]] = (), timeout: Timeout = DEFAULT
    ) -> Session:
        """Attach to a target (`Target.attachToTarget`, flat), then send the commands of `enable` at once.

        Raises as `send` does; a session whose commands fail is detached again.
        """
        attach = target.AttachToTarget(target_id=target.TargetID(target_id), flatten=True)
        attached = await self.send(attach, timeout=timeout)
        if self._dispatcher.router.sessions.get(attached.session_id) is None:
            # Chromium announces the session before it replies; another browser may not.
            reply = await self.send(target.GetTargetInfo(target_id=attach.target_id), timeout=timeout)
            info = msgspec.json.encode(reply.target_info)
            self._dispatcher.router.sessions.add(Announced(attached.session_id, target_id, info), parent_id=None)
        session = self.session(attached.session_id)
        try:
            await session.send_many(enable, timeout=timeout)
        except BaseException:
            _ = self.send_nowait(target.DetachFromTarget(session_id=attached.session_id))
            raise
        return session

    @async_block
    async def new_page(
        self, url: str = "about:blank", *, browser_context_id: browser.BrowserContextID | None = None
    ) -> AsyncGenerator[Session]:
        """Open a tab (`Target.createTarget`) for the length of a block, and attach to it; it is closed at the end.

        When the block is over, the browser has no such tab any more (unless that takes it longer than five seconds).

        The page still loads `url` when the block begins, and early events of the load are missed. To wait for the page,
        or to receive all events, open it empty and navigate (`helpers.goto`). `browser_context_id` is the context that
        it belongs to, by default the browser's own. Where an auto-attach of the browser has attached to the tab
        already, the block gets that session, which ends with the auto-attach. An exception of the block is never
        masked by one of the closing.
        """
        session = await self._open_page(target.CreateTarget(url=url, browser_context_id=browser_context_id))
        try:
            yield session
        except BaseException:
            with suppress(CDPError):
                await session.close()
            raise
        await session.close()

    def open_page(
        self, url: str = "about:blank", *, browser_context_id: browser.BrowserContextID | None = None
    ) -> PageOpening:
        """Open a tab that stays until `tab.close()`: `tab = await browser.open_page()`; or, closed
        at the end of a block, `async with browser.open_page() as tab`.

        Otherwise as `new_page`: with a `url`, it returns while the page still loads. The tab also stays when nothing
        refers to it any more, and when the connection ends.
        """
        return PageOpening(lambda: self._open_page(target.CreateTarget(url=url, browser_context_id=browser_context_id)))

    async def _open_page(self, create: target.CreateTarget) -> Session:
        creating = self.send_nowait(create)
        try:
            created = await asyncio.shield(creating)
        except asyncio.CancelledError:
            creating.add_done_callback(self._close_unwanted)
            raise
        try:
            attached = self._dispatcher.router.sessions.of_target(created.target_id)
            session = self.session(attached[0]) if attached else await self.attach(created.target_id)
            if create.url == "about:blank":
                # The page answers when it has that document. Navigated before, it would have no history entry for
                # it, and Chromium would close a tab whose very first navigation is a download.
                with suppress(CommandTimeout):
                    await session.send_raw("Page.getFrameTree", timeout=_NEW_PAGE_TIMEOUT)
        except BaseException:
            self._close_unwanted(creating)
            raise
        return session

    def _close_unwanted(self, creating: asyncio.Future[target.CreateTargetResult]) -> None:
        if not creating.cancelled() and creating.exception() is None:
            _ = self.send_nowait(target.CloseTarget(target_id=creating.result().target_id))

    def tap(self, callback: TapCallback) -> Tap:
        """Call `callback(direction, data)` for every message in and out, byte for byte, until `Tap.close`.

        For tools: `direction` is `"sent"` or `"received"`, `data` the JSON text as bytes, unchecked. It is called from
        the reader, so it must be quick; its exceptions are logged once and then counted.
        """
        return self._dispatcher.taps.add(callback)

    # -- statistics ----------------------------------------------------------------------------------------------

    @property
    def counters(self) -> Counters:
        """A snapshot of the connection's counters."""
        return self._dispatcher.counters

    @property
    def pending(self) -> int:
        """The number of commands that wait for their reply."""
        return self._dispatcher.router.pending

    @property
    def listeners(self) -> int:
        """The number of open listeners, streams and expectations, without those of ended sessions."""
        return len(self._dispatcher.subscriptions)

    @property
    def drift(self) -> tuple[SchemaDrift, ...]:
        """The latest differences from the bindings (1,000 at most; `counters.drift` counts all)."""
        return tuple(self._dispatcher.drift)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The latest protocol errors that belong to no command (100 at most), for example errors without an id."""
        return tuple(self._dispatcher.warnings)

    # -- the end -------------------------------------------------------------------------------------------------

    @property
    def lost(self) -> asyncio.Future[ConnectionLost]:
        """A future that ends when the connection does, closed by either side; its result says why. Do not cancel it."""
        return self._dispatcher.lost

    @property
    def closed(self) -> bool:
        """True once the connection has ended."""
        return self._dispatcher.lost.done()

    async def close(self) -> None:
        """End the connection within about a second; the browser lives on. Closing twice is fine.

        Commands in flight, streams and expectations fail with `ConnectionLost`.
        """
        await self._dispatcher.close()

    async def wait_closed(self) -> None:
        """Wait until the connection has ended, closed by either side."""
        await self._dispatcher.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
