"""Opening a websocket, against peers that are none, and through TLS."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import struct

import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_typed.errors import EndpointError
from cdp_typed.transport.websocket import WebSocketTransport, open_websocket
from tests.faults.rows import DIALS, Dial
from tests.faults.stub_browser import Refuser
from tests.support.secrets import CANARY
from tests.support.servers.gateways import CA, server_tls
from tests.support.servers.listeners import listening
from tests.support.servers.raw_peer import says

pytestmark = pytest.mark.usefixtures("no_leaks")


async def _open(port: int, *, max_size: int = 2**20, open_timeout: float = 5) -> WebSocketTransport:
    return await open_websocket(
        f"ws://127.0.0.1:{port}/devtools?token={CANARY}", open_timeout=open_timeout, max_size=max_size
    )


async def _echo(peer: ServerConnection) -> None:
    async for message in peer:
        await peer.send(message)


async def _talks_garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 smtp.example ESMTP\r\n\r\n")
    await reader.read()


WORDS = {
    "F02_never_upgrades": r"no websocket handshake within 0\.1 s",
    "F02_hangs_up": "hung up during the websocket handshake",
    "F02_speaks_no_http": "but not with a websocket",
    "F03_unauthorized": "access denied",
    "F03_forbidden": "access denied",
    "F03_gone": "no browser at this path",
    "F04_too_many_requests": "HTTP 429",
    "F04_service_unavailable": "HTTP 503",
    "F05_found": "redirects elsewhere",
    "not_found": "no browser at this path",
    "a_page": "not a browser: HTTP 200",
    "accepted_wrongly": "but not with a websocket",
}
_WRONG_KEY = b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n"
FURTHER = (
    Dial((), "not_found", b"HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", 404),
    Dial((), "a_page", b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", 200),
    Dial((), "accepted_wrongly", _WRONG_KEY),
)


@pytest.mark.parametrize("dial", [*DIALS, *FURTHER], ids=lambda dial: dial.id)
async def test_a_refused_handshake_is_explained(dial: Dial) -> None:
    async with Refuser(dial.answer) as server:
        with pytest.raises(EndpointError, match=WORDS[dial.id]) as refused:
            await _open(int(server.address.rpartition(":")[2]), open_timeout=0.1 if dial.answer is None else 5)

        assert server.dials == 1
    assert refused.value.status == dial.status
    assert CANARY not in f"{refused.value} {refused.value!r} {vars(refused.value)}"
    assert (refused.value.__cause__, refused.value.__suppress_context__) == (None, True)


async def test_a_plain_port_is_no_tls() -> None:
    async with listening(_talks_garbage) as port:
        with pytest.raises(EndpointError, match=r"the TLS handshake failed \(.+\); is it a plain port\?"):
            await open_websocket(f"wss://127.0.0.1:{port}/", open_timeout=60, max_size=1)


async def test_f01_nobody_listens() -> None:
    server = await asyncio.start_server(_talks_garbage, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()

    with pytest.raises(EndpointError, match=r"^ws://127\.0\.0\.1:\d+/devtools: unreachable") as refused:
        await _open(port)

    assert refused.value.retryable


async def test_a_connection_that_is_reset_during_the_handshake_is_explained() -> None:
    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async with listening(reset) as port:
        with pytest.raises(
            EndpointError, match=r"unreachable \(connection reset|hung up during the websocket handshake"
        ):
            await _open(port)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "ws://", "ws://h/#fragment", "ws://[::1"])
async def test_what_is_no_websocket_address_is_refused(url: str) -> None:
    with pytest.raises(EndpointError, match=r"not an address of a browser|not a websocket address"):
        await open_websocket(url, open_timeout=1, max_size=1)


async def test_giving_up_a_dial_leaves_nothing_behind() -> None:
    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        assert await reader.read() == b""
        gone.set()

    asked, gone = asyncio.Event(), asyncio.Event()
    async with listening(silent) as port:
        dialling = asyncio.create_task(_open(port))
        await asked.wait()
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling

        await asyncio.wait_for(gone.wait(), 2)


@pytest.mark.parametrize("moment", ["connection_made", "data_received"])
async def test_a_dial_that_is_given_up_as_the_peer_takes_or_answers_it_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, moment: str
) -> None:
    original = getattr(WebSocketTransport, moment)

    def given_up(*given: object) -> None:
        dialling.cancel()
        original(*given)

    monkeypatch.setattr(WebSocketTransport, moment, given_up)
    async with listening(says()) as port:
        dialling = asyncio.create_task(_open(port))
        with pytest.raises(asyncio.CancelledError):
            await dialling
        await asyncio.sleep(0.1)  # the connection ends
    gc.collect()

    assert not caplog.records


async def test_f06_a_certificate_that_nobody_vouches_for_is_refused() -> None:
    async with serve(_echo, "127.0.0.1", 0, ssl=server_tls()) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointError, match="the TLS certificate is not valid: unable to get local issuer") as no:
            await open_websocket(f"wss://127.0.0.1:{port}/?token={CANARY}", open_timeout=5, max_size=1000)

    assert (CANARY in str(no.value), no.value.retryable) == (False, False)
    assert no.value.__cause__ is None


async def test_f06_a_certificate_for_another_host_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def addresses(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", addresses)
    async with serve(_echo, "127.0.0.1", 0, ssl=server_tls()) as server:
        port = server.sockets[0].getsockname()[1]
        trust = ssl.create_default_context(cafile=CA)
        with pytest.raises(EndpointError, match=r"the TLS certificate is not valid: [Hh]ostname mismatch"):
            await open_websocket(f"wss://browser.example:{port}/", open_timeout=5, max_size=1000, ssl=trust)
