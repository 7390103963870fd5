"""A connected TCP socket to a host, directly or through an HTTP proxy."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import socket
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from cdp_typed.addresses import PASSING, explain_failure, is_loopback, redact
from cdp_typed.errors import EndpointError

_MAX_HEAD = 64 * 2**10


async def dial(host: str, port: int, *, proxy: str | None = None) -> socket.socket:
    """Connect to `host`; through `proxy` (`http://[user:password@]host[:port]`, method CONNECT) if one is given.

    A loopback host is always dialled directly: it means this machine, not the proxy's. Raises `OSError` when `host`
    cannot be reached, and `EndpointError` when the proxy cannot, or does not connect.
    """
    if proxy is None or is_loopback(host):
        return await _connect(host, port)
    shown = redact(proxy)
    address = _proxy_address(proxy, shown)
    try:
        sock = await _connect(str(address.hostname), address.port or 80)
    except OSError as failure:
        raise explain_failure(f"proxy {shown}", failure, hint="is the proxy running?") from None
    try:
        status = await _tunnel(sock, host, port, address)
    except (OSError, EOFError, ValueError):
        sock.close()
        raise EndpointError(f"proxy {shown}: it hung up, or it does not speak HTTP", url=shown) from None
    except BaseException:
        sock.close()
        raise
    if not 200 <= status < 300:
        sock.close()
        text = f"proxy {shown}: it does not connect to the browser's host (HTTP {status})"
        raise EndpointError(text, url=shown, retryable=status in PASSING)
    return sock


def basic_auth(address: SplitResult) -> str | None:
    """Return the value of an `Authorization` header for the user info of an address."""
    if address.username is None:
        return None
    secret = f"{unquote(address.username)}:{unquote(address.password or '')}"
    return "Basic " + base64.b64encode(secret.encode()).decode()


def _proxy_address(proxy: str, shown: str) -> SplitResult:
    try:
        address = urlsplit(proxy)
        named = bool((address.hostname or "").encode("idna"))
        usable = address.scheme == "http" and named and address.port != 0
    except ValueError:
        usable, address = False, urlsplit("")
    if not usable:
        raise EndpointError(f"{shown}: not an address of a proxy; use http://[user:password@]host:port", url=shown)
    return address


async def _connect(host: str, port: int) -> socket.socket:
    failure: OSError | None = None
    for family, address in await _addresses(host, port):
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().sock_connect(sock, address)
        except OSError as error:
            sock.close()
            failure = failure or error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise failure or socket.gaierror(socket.EAI_NONAME, "no address")


async def _addresses(host: str, port: int) -> list[tuple[int, tuple[Any, ...]]]:
    try:
        version = ipaddress.ip_address(host).version
    except ValueError:
        resolved = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return [(family, address) for family, _, _, _, address in resolved]
    # A plain address needs no resolver, and so no thread.
    return [(socket.AF_INET if version == 4 else socket.AF_INET6, (host, port))]


async def _tunnel(sock: socket.socket, host: str, port: int, proxy: SplitResult) -> int:
    loop = asyncio.get_running_loop()
    name = f"[{host}]" if ":" in host else host.encode("idna").decode()
    authorization = basic_auth(proxy)
    secret = f"Proxy-Authorization: {authorization}\r\n" if authorization else ""
    await loop.sock_sendall(sock, f"CONNECT {name}:{port} HTTP/1.1\r\nHost: {name}:{port}\r\n{secret}\r\n".encode())
    head = b""
    # Nothing follows the head before we speak, so nothing that belongs to the tunnel can be read here.
    while b"\r\n\r\n" not in head:
        more = await loop.sock_recv(sock, _MAX_HEAD)
        head += more
        if not more or len(head) > _MAX_HEAD:
            raise EOFError
    version, _, rest = head.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        raise ValueError("not HTTP")
    return int(rest[:3])
