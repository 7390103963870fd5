"""`SharedBrowser`: one pipe for any number of connections of this process, each with a separate browser session.

The pipe is read on the shared loop thread, where supervisors run, so that these need no change of thread. A connection
on another event loop hops there and back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeAlias

from msgspec import Struct

from cdp_typed.endpoint.sources import Piped
from cdp_typed.errors import EndpointError, LoopThreadEnded
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.transport import Transport, TransportClosed
from cdp_typed.transport.receive_queue import LEFT, ReceiveQueue, too_big
from cdp_typed.wire.addressing import Addressed, read_address
from cdp_typed.wire.envelopes import Envelope, decode_error, decode_message, decode_params, encode_call
from cdp_typed.wire.session_tree import Announced, SessionTree, announced, detached

_MAX_SIZE = 256 * 2**20
_CLOSE_S = 1.0
_ATTACHED, _DETACHED = b'{"method":"Target.attachedToTarget"', b'{"method":"Target.detachedFromTarget"'
_DETACHED_BY_BROWSER = "the browser ended this client's session"
# Word for word what Chromium replies to a session that is over or was never there.
_NO_SESSION = b'{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}'


class _Client:
    """The transport of one connection (`Transport`, `ReceivesMany`, `SendsMany`), made inside its event loop.

    `put` and `end` are called on the loop of the pipe, and all else on the connection's, which may be another.
    """

    def __init__(self, max_size: int, exits: _Exits) -> None:
        self.session_id = ""
        self._max_size = max_size
        self._exits = exits
        self._received = ReceiveQueue()
        self._loop = asyncio.get_running_loop()
        self._is_there = LOOP_THREAD.is_current

    def send(self, data: bytes) -> None:
        self.send_many([data])

    def send_many(self, messages: Sequence[bytes]) -> None:
        if self._is_there:
            self._exits.send(self, messages)
        else:
            _call_soon(self._exits.loop, self._exits.send, self, messages)

    async def receive(self) -> bytes:
        return await self._received.receive()

    async def receive_many(self) -> Sequence[bytes]:
        return await self._received.receive_many()

    async def close(self) -> None:
        with contextlib.suppress(LoopThreadEnded):
            await LOOP_THREAD.hop(self._exits.leave(self))

    def own(self, session_id: str | None) -> str | None:
        """Return the session as the connection knows it: its own is that of the browser."""
        return None if session_id == self.session_id else session_id

    def put(self, data: bytes) -> None:
        """Let the connection receive a message, or end it if that is too large, or if its loop is closed."""
        if len(data) > self._max_size:
            self._exits.end(self, too_big(len(data), self._max_size))
        elif self._is_there:
            self._received.put(data)
        elif not _call_soon(self._loop, self._received.put, data):
            self._exits.end(self, LEFT)

    def end(self, closed: TransportClosed) -> None:
        """Let the connection receive the end."""
        if self._is_there:
            self._received.end(closed.reason, closed.__cause__)
        else:
            _call_soon(self._loop, self._received.end, closed.reason, closed.__cause__)


class _Exits(Struct, frozen=True):
    """A client's access to the browser that it shares."""

    loop: asyncio.AbstractEventLoop
    send: Callable[[_Client, Sequence[bytes]], None]
    leave: Callable[[_Client], Coroutine[Any, Any, None]]
    end: Callable[[_Client, str], object]


class _Call(Struct, frozen=True):
    """A call that waits for its reply: whose it is, and its id there."""

    client: _Client
    id: int
    session_id: str


class _Opening(Struct, frozen=True):
    """A connection that waits for its session."""

    client: _Client
    opened: asyncio.Future[None]


_Waiting: TypeAlias = "_Call | _Opening | asyncio.Future[None]"


class SharedBrowser:
    """A piped browser, shared by connections of any event loop: `connect(shared)` any number of times.

    async with launch(pipe=True) as browser, await SharedBrowser.open(browser) as shared:
        async with connect(shared) as one, connect(shared) as other:
            ...

    Each connection is a separate session with the browser (`Target.attachToBrowserTarget`). What it does not share
    with the others: discovery, auto-attach, its sessions, their events, and its browser contexts with
    `disposeOnDetach`. When it is closed, these end, and the browser and the other connections go on. `Browser.close`
    from one of them ends the browser for all. What has one state in the browser (tracing, permissions, downloads
    of the default context) is shared, as between websockets.

    `SystemInfo` and `Target.getTargetInfo` without an id work as on a separate connection. Unlike there, messages of
    one connection wait behind those of the others, in the order of the pipe.
    """

    def __init__(self, transport: Transport) -> None:
        """Take over a transport of the browser. Called by `open`, on the loop thread."""
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._exits = _Exits(self._loop, self._send, self._leave, self._drop)
        self._is_held = True
        self._ids = count(1)
        self._pending: dict[int, _Waiting] = {}
        self._clients: dict[str, _Client] = {}
        self._owners: dict[str, _Client] = {}
        self._tree = SessionTree()
        self._ended: asyncio.Future[TransportClosed] = self._loop.create_future()
        self._reader = self._loop.create_task(self._read(), name="cdp_typed shared browser")

    @classmethod
    async def open(cls, browser: Piped, *, max_size: int = _MAX_SIZE) -> Self:
        """Share a browser of `launch(pipe=True)`; a message beyond `max_size` bytes ends the pipe and the browser.

        Raises `EndpointError` if its pipe has a connection already.
        """

        async def share() -> Self:
            return cls(await browser.open_transport(max_size=max_size))

        LOOP_THREAD.acquire()
        try:
            return await LOOP_THREAD.hop(share())
        except BaseException:
            LOOP_THREAD.release()
            raise

    @property
    def has_ended(self) -> bool:
        """Whether the pipe has ended, and with it every connection."""
        return self._ended.done()

    @property
    def connections(self) -> int:
        """The number of connections that are open."""
        return len(self._clients)

    async def wait_ended(self) -> str:
        """Wait for the end of the pipe, and return its reason: a sentence."""
        if not self._ended.done():
            with contextlib.suppress(LoopThreadEnded):
                await LOOP_THREAD.hop(_wait(self._ended))
        return self._ended.result().reason

    async def open_transport(self, *, max_size: int) -> Transport:
        """Return a transport with a separate session, for `connect`; a message beyond `max_size` ends only this one.

        Raises `EndpointError` after the end of the pipe, and if the browser opens no session with itself.
        """
        client = _Client(max_size, self._exits)
        try:
            await LOOP_THREAD.hop(self._attach(client))
        except LoopThreadEnded:
            raise _refused(self._ended.result().reason) from None
        except asyncio.CancelledError:
            _call_soon(self._loop, self._drop, client, LEFT)
            raise
        return client

    async def close(self) -> None:
        """Close the pipe, which ends the browser and every connection. Closing twice is fine."""
        if self._is_held:
            self._is_held = False
            try:
                await LOOP_THREAD.hop(self._close())
            finally:
                LOOP_THREAD.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _close(self) -> None:
        await self._transport.close()
        await asyncio.wait([self._reader])

    # -- from the clients ----------------------------------------------------------------------------------------

    def _send(self, client: _Client, messages: Sequence[bytes]) -> None:
        """Write messages of a client; one to a session of another client gets the error of an unknown session."""
        for data in messages:
            message = read_address(data)
            if message is None or message.id is None:
                continue  # no client of this library writes such
            session_id = message.session_id or client.session_id
            if self._owners.get(session_id) is not client:
                client.put(_NO_SESSION % message.id)
                continue
            call_id = next(self._ids)
            self._pending[call_id] = _Call(client, message.id, session_id)
            self._transport.send(message.to(call_id, session_id))

    async def _attach(self, client: _Client) -> None:
        if self._ended.done():
            raise _refused(self._ended.result().reason)
        opened: asyncio.Future[None] = self._loop.create_future()
        self._call("Target.attachToBrowserTarget", {}, _Opening(client, opened))
        await opened

    async def _leave(self, client: _Client) -> None:
        """Detach the session of a client, and wait for that a second at most."""
        done: asyncio.Future[None] = self._loop.create_future()
        if self._drop(client, LEFT, done=done):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(done, _CLOSE_S)

    # -- from the browser ----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        closed = TransportClosed("the event loop gave the connection up")
        try:
            while True:
                self._receive(await self._transport.receive())
        except TransportClosed as end:
            closed = end
        finally:
            self._end(closed)
            await self._transport.close()

    def _receive(self, data: bytes) -> None:
        message = read_address(data)
        if message is None:
            for client in tuple(self._clients.values()):  # whose it is cannot be known: each tells its user
                client.put(data)
        elif message.id is not None:
            self._receive_reply(message, message.id)
        else:
            self._receive_event(message)

    def _receive_reply(self, message: Addressed, call_id: int) -> None:
        match self._pending.pop(call_id, None):
            case _Call(client, own_id):
                client.put(message.to(own_id, client.own(message.session_id)))
            case _Opening() as opening:
                self._open(opening, message.data)
            case asyncio.Future() as done if not done.done():
                done.set_result(None)
            case _:
                pass

    def _receive_event(self, message: Addressed) -> None:
        client = self._owners.get(message.session_id or "")
        if client is not None:
            if message.data.startswith(_ATTACHED):
                self._add(announced(decode_params(message.data)), client, message.session_id)
            client.put(message.to(None, client.own(message.session_id)))
        if message.data.startswith(_DETACHED) and (session_id := detached(decode_params(message.data))):
            if client is None and session_id in self._clients:
                self._drop(self._clients[session_id], _DETACHED_BY_BROWSER)
            else:
                self._forget(session_id)

    def _open(self, opening: _Opening, data: bytes) -> None:
        reply = decode_message(data)
        session_id = detached(reply.result) if isinstance(reply, Envelope) else None
        if session_id is None:
            why = decode_error(reply.error).message if isinstance(reply, Envelope) else ""
            if not opening.opened.done():
                opening.opened.set_exception(_refused(f"it opens no session with itself: {why}"))
        elif opening.opened.done():  # cancelled meanwhile
            self._detach(session_id)
        else:
            opening.client.session_id = session_id
            self._clients[session_id] = opening.client
            self._add(Announced(session_id, "", b"{}"), opening.client, None)
            opening.opened.set_result(None)

    # -- sessions ------------------------------------------------------------------------------------------------

    def _add(self, news: Announced | None, client: _Client, parent_id: str | None) -> None:
        if news is not None:
            self._tree.add(news, parent_id=parent_id)
            self._owners[news.session_id] = client

    def _forget(self, session_id: str) -> None:
        """Forget a session, those below it, and the calls to them: Chromium replies to none of these."""
        gone = {below for below in self._tree.remove(session_id) if self._owners.pop(below, None) is not None}
        unanswered = [
            call_id
            for call_id, pending in self._pending.items()
            if isinstance(pending, _Call) and pending.session_id in gone
        ]
        for call_id in unanswered:
            del self._pending[call_id]

    def _drop(self, client: _Client, reason: str, *, done: asyncio.Future[None] | None = None) -> bool:
        """End a client and detach its session; return False if it had ended."""
        if self._clients.pop(client.session_id, None) is None:
            return False
        self._forget(client.session_id)
        client.end(TransportClosed(reason))
        self._detach(client.session_id, done)
        return True

    def _detach(self, session_id: str, done: asyncio.Future[None] | None = None) -> None:
        self._call("Target.detachFromTarget", {"sessionId": session_id}, done or self._loop.create_future())

    def _call(self, method: str, params: dict[str, Any], waiting: _Opening | asyncio.Future[None]) -> None:
        call_id = next(self._ids)
        self._pending[call_id] = waiting
        self._transport.send(encode_call(call_id, method, params, None))

    def _end(self, closed: TransportClosed) -> None:
        self._ended.set_result(closed)
        for waiting in self._pending.values():
            if isinstance(waiting, _Opening) and not waiting.opened.done():
                waiting.opened.set_exception(_refused(closed.reason))
            elif isinstance(waiting, asyncio.Future) and not waiting.done():
                waiting.set_result(None)
        for client in self._clients.values():
            client.end(closed)
        self._pending.clear()
        self._clients.clear()
        self._owners.clear()


async def _wait(future: asyncio.Future[Any]) -> None:
    await asyncio.wait([future])


def _call_soon(loop: asyncio.AbstractEventLoop, do: Callable[..., object], *args: Any) -> bool:
    """Call a function on another thread's loop; return False if that is closed."""
    try:
        loop.call_soon_threadsafe(do, *args)
    except RuntimeError:
        return False
    return True


def _refused(why: str) -> EndpointError:
    shown = "shared browser"
    return EndpointError(f"{shown}: {why}", url=shown)
