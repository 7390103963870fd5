"""What a browser tells over HTTP: its websocket (`GET /json/version`) and its schema (`GET /json/protocol`)."""

from __future__ import annotations

import asyncio
import http.client
import io
import ssl as tls
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct, field

from cdp_typed.address import explain_failure, explain_status, parse_address, quote, redact, secrets_of
from cdp_typed.errors import EndpointError
from cdp_typed.transport.dial import basic_auth, dial
from cdp_typed.transport.handshake import parse_retry_after

__all__ = ["fetch_protocol", "resolve"]

_MAX_HEAD = 64 * 2**10
_MAX_BODY = 16 * 2**20  # the schema of Chromium 156 has 1.6 MB


class _Version(Struct):
    url: str = field(name="webSocketDebuggerUrl")


async def resolve(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> str:
    """The `ws://` or `wss://` URL behind an endpoint; such a URL itself comes back unchanged, without any I/O.

    The browser's own answer is trusted for the path only: scheme, host, port and user info stay the user's, so that an
    answer cannot lead elsewhere. No redirect is followed. `proxy` is an HTTP proxy (see `dial`), `ssl` is for `https`,
    in place of the system's trust. Raises `EndpointError` within `timeout` seconds.
    """
    address = parse_address(endpoint)
    if address.scheme in ("ws", "wss"):
        return endpoint
    body = await _ask(_Question(address, "/json/version", headers or {}, proxy, ssl), timeout)
    return _websocket(address, body, redact(endpoint))


async def fetch_protocol(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    proxy: str | None = None,
    ssl: tls.SSLContext | None = None,
) -> bytes:
    """The schema that the browser itself gives (`GET /json/protocol`), as JSON; `cdp_typed.schema` reads it.

    Of a `ws://` or `wss://` endpoint, the same host and port are asked. Arguments and errors are those of `resolve`.
    """
    address = parse_address(endpoint)
    if address.scheme in ("ws", "wss"):
        root = address.path.partition("/devtools/")[0]
        address = address._replace(scheme="https" if address.scheme == "wss" else "http", path=root)
    return await _ask(_Question(address, "/json/protocol", headers or {}, proxy, ssl), timeout)


@dataclass(frozen=True)
class _Question:
    address: SplitResult
    path: str
    headers: Mapping[str, str]
    proxy: str | None
    ssl: tls.SSLContext | None


@dataclass(frozen=True)
class _Reply:
    status: int
    headers: Message
    body: bytes


async def _ask(question: _Question, timeout: float) -> bytes:
    url = question.address.geturl()
    shown = redact(url)
    try:
        async with asyncio.timeout(timeout):
            reply = await _get(question)
    except TimeoutError:
        raise EndpointError(f"{shown}: no answer from {question.path} within {timeout:.1f} s", url=shown) from None
    except OSError as failure:
        raise explain_failure(shown, failure) from None
    except (EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException):
        raise EndpointError(f"{shown}: something listens there, but it does not speak HTTP", url=shown) from None
    if reply.status != 200:
        said = quote(reply.body, secrets_of(url, question.headers))
        retry_after = parse_retry_after(reply.headers.get("Retry-After"))
        raise explain_status(shown, reply.status, said=said, retry_after=retry_after)
    return reply.body


def _path(address: SplitResult, asked: str) -> str:
    path = address.path.rstrip("/").removesuffix("/json/version") + asked
    return f"{path}?{address.query}" if address.query else path


def _websocket(address: SplitResult, body: bytes, shown: str) -> str:
    try:
        said = urlsplit(msgspec.json.decode(body, type=_Version).url)
    except (msgspec.MsgspecError, ValueError):
        raise EndpointError(
            f"{shown}: an HTTP server, but not a browser (its /json/version names no websocket)", url=shown
        ) from None
    scheme = "wss" if address.scheme == "https" else "ws"
    return said._replace(scheme=scheme, netloc=address.netloc, query=said.query or address.query, fragment="").geturl()


async def _get(question: _Question) -> _Reply:
    address = question.address
    secure = (question.ssl or tls.create_default_context()) if address.scheme == "https" else None
    host = str(address.hostname)
    sock = await dial(host, address.port or (443 if secure else 80), proxy=question.proxy)
    reader, writer = await asyncio.open_connection(
        sock=sock, ssl=secure, server_hostname=host if secure else None, limit=_MAX_HEAD
    )
    try:
        sent = {"Host": address.netloc.rpartition("@")[2], "Accept": "application/json", "Connection": "close"}
        if authorization := basic_auth(address):
            sent["Authorization"] = authorization
        sent.update(question.headers)
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"GET {_path(address, question.path)} HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
        return await _answer(reader)
    finally:
        writer.transport.abort()


async def _answer(reader: asyncio.StreamReader) -> _Reply:
    head = await reader.readuntil(b"\r\n\r\n")
    status_line, _, fields = head.partition(b"\r\n")
    version, _, rest = status_line.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        raise ValueError("not HTTP")
    headers = http.client.parse_headers(io.BytesIO(fields))
    return _Reply(int(rest[:3]), headers, await _body(reader, headers))


async def _body(reader: asyncio.StreamReader, headers: Message) -> bytes:
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        return await _chunks(reader)
    length = headers.get("Content-Length")
    if length is None:
        return await _rest(reader)
    return await reader.readexactly(min(int(length), _MAX_BODY))


async def _rest(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while len(body) < _MAX_BODY and (more := await reader.read(_MAX_BODY)):
        body += more
    return body


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while len(body) < _MAX_BODY:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            break
        body += await reader.readexactly(min(size, _MAX_BODY))
        await reader.readexactly(2)
    return body
