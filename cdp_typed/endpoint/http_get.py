"""One request over HTTP to a debugging port, within a deadline: `GET`, without redirects, and its body."""

from __future__ import annotations

import asyncio
import http.client
import io
import ssl as tls
from dataclasses import dataclass
from email.message import Message
from urllib.parse import SplitResult

from cdp_typed.addresses import explain_failure, explain_status, quote, redact, secrets_of
from cdp_typed.endpoint.get_request import GetRequest
from cdp_typed.errors import EndpointError
from cdp_typed.transport.handshake import parse_retry_after
from cdp_typed.transport.tcp import basic_auth, dial

_MAX_HEAD = 64 * 2**10
_MAX_BODY = 16 * 2**20  # the schema of Chromium 156 has 1.6 MB


@dataclass(frozen=True)
class _Response:
    status: int
    headers: Message
    body: bytes


async def http_get(request: GetRequest, timeout: float, *, if_it_ends: str = "") -> bytes:
    """Return the body of a response with status 200. Raises `EndpointError` for others, and after `timeout` seconds.

    `if_it_ends` is the error's text if the connection ends before the first byte of a response.
    """
    url = request.address.geturl()
    shown = redact(url)
    try:
        async with asyncio.timeout(timeout):
            response = await _get(request)
    except TimeoutError:
        raise EndpointError(f"{shown}: no answer from {request.path} within {timeout:.1f} s", url=shown) from None
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException) as failure:
        if if_it_ends and _is_an_end(failure, request.address.scheme):
            raise EndpointError(f"{shown}: {if_it_ends}", url=shown) from None
        if isinstance(failure, OSError):
            raise explain_failure(shown, failure) from None
        raise EndpointError(f"{shown}: something listens there, but it does not speak HTTP", url=shown) from None
    if response.status != 200:
        said = quote(response.body, secrets_of(url, request.headers))
        retry_after = parse_retry_after(response.headers.get("Retry-After"))
        raise explain_status(shown, response.status, said=said, retry_after=retry_after)
    return response.body


def _is_an_end(failure: Exception, scheme: str) -> bool:
    if isinstance(failure, ConnectionResetError | BrokenPipeError):
        return scheme == "http"  # of https it may be what a plain port says to TLS
    return isinstance(failure, asyncio.IncompleteReadError) and not failure.partial


def _path(address: SplitResult, asked: str) -> str:
    root = address.path.rstrip("/")
    for page in ("/json/version", "/json/list", "/json"):  # of the debugging port, as people copy them
        root = root.removesuffix(page)
    path = root + asked
    return f"{path}?{address.query}" if address.query else path


async def _get(request: GetRequest) -> _Response:
    address = request.address
    secure = (request.ssl or tls.create_default_context()) if address.scheme == "https" else None
    host = str(address.hostname)
    sock = await dial(host, address.port or (443 if secure else 80), proxy=request.proxy)
    reader, writer = await asyncio.open_connection(
        sock=sock, ssl=secure, server_hostname=host if secure else None, limit=_MAX_HEAD
    )
    try:
        sent = {"Host": address.netloc.rpartition("@")[2], "Accept": "application/json", "Connection": "close"}
        if authorization := basic_auth(address):
            sent["Authorization"] = authorization
        sent.update(request.headers)
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"GET {_path(address, request.path)} HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
        return await _answer(reader)
    finally:
        writer.transport.abort()


async def _answer(reader: asyncio.StreamReader) -> _Response:
    head = await reader.readuntil(b"\r\n\r\n")
    status_line, _, fields = head.partition(b"\r\n")
    version, _, rest = status_line.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        raise ValueError("not HTTP")
    headers = http.client.parse_headers(io.BytesIO(fields))
    return _Response(int(rest[:3]), headers, await _body(reader, headers))


async def _body(reader: asyncio.StreamReader, headers: Message) -> bytes:
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        return await _chunks(reader)
    length = headers.get("Content-Length")
    if length is None:
        return await _rest(reader)
    return await reader.readexactly(min(int(length), _MAX_BODY))


async def _rest(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while len(body) < _MAX_BODY and (more := await reader.read(_MAX_BODY)):
        body += more
    return bytes(body)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while len(body) < _MAX_BODY:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            break
        body += await reader.readexactly(min(size, _MAX_BODY))
        await reader.readexactly(2)
    return bytes(body)
