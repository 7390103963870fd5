"""Addresses of browsers: parsing, redaction for error texts, and errors about them."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import ssl as tls
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from msgspec import Struct

from cdp_typed.errors import EndpointError
from cdp_typed.printable import is_hidden

EndpointKind: TypeAlias = Literal["browser", "page", "node"]
"""The other end of a websocket: a whole browser, one page of it (or frame, or worker), an inspector of Node or Deno."""

PASSING = (429, 502, 503, 504)
"""HTTP statuses that may be gone at the next try."""

# Long enough to be an id or a token; `devtools`, `browser` and the like are shorter.
_SECRET = re.compile(r"[^/]{16,}")
_SCHEMES = ("ws", "wss", "http", "https")

_QUOTED = 200
_TOKEN = re.compile(r"[^\s\"'<>]{20,}")
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_UNREACHED = "is the browser running, with --remote-debugging-port?"


class Undisclosed(Struct, frozen=True):
    """The base of values that hold secrets: nothing that prints one shows its fields."""

    def __repr__(self) -> str:
        return object.__repr__(self)

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


class InsecureEndpointWarning(UserWarning):
    """The browser is on another machine, and the way there is not encrypted."""

    def __init__(self, *args: object) -> None:  # written out for `inspect.signature`
        super().__init__(*args)


def redact(url: str) -> str:
    """Return the address without its secrets: user info, query, fragment, and ids in its path."""
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
        host = parts.hostname or ""
        port = parts.port
    except ValueError:
        return "<unreadable address>"
    shown = f"[{host}]" if ":" in host else host
    scheme = f"{parts.scheme}://" if parts.scheme else ""
    return f"{scheme}{shown}{f':{port}' if port else ''}{_SECRET.sub('...', parts.path)}"


def parse_address(endpoint: str) -> SplitResult:
    """Read `ws://`, `wss://`, `http(s)://host:port` or `host:port` (then `http`).

    Raises `EndpointError` for anything else, naming what is accepted.
    """
    shown = redact(endpoint)
    try:
        parts = urlsplit(endpoint if "://" in endpoint else f"http://{endpoint}")
        # A host name that DNS cannot carry is refused here, where the error can explain it: a label has at most 63.
        named = bool((parts.hostname or "").encode("idna"))
        usable = parts.scheme in _SCHEMES and named and parts.port != 0
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable or any(character.isspace() or character < " " for character in endpoint):
        raise EndpointError(
            f"{shown}: not an address of a browser; use ws://..., wss://..., http://host:port or host:port", url=shown
        )
    return parts


def kind_of_address(url: str) -> EndpointKind | None:
    """Return the kind that the path of a websocket names, or None if it names none, like Node's and Deno's."""
    path = urlsplit(url).path
    return "browser" if "/devtools/browser/" in path else "page" if "/devtools/page/" in path else None


def host_of_header(value: str) -> str | None:
    """The host in a `Host` header, in lower case; None for what no browser writes: user info, a path, a blank."""
    match = _HOST.fullmatch(value)
    return match["host"].strip("[]").lower() if match else None


def is_loopback(host: str) -> bool:
    """Return True for a loopback address, `localhost` and its subdomains. No name is resolved."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise `ValueError` for a header that would not arrive as one line; its value is not quoted."""
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a name of a header")
        if not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"the value of header {name!r} has a line break, a control character or is not latin-1")


def secrets_of(url: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parts of an address and of its headers that no error text may quote, the longest first."""
    parts = urlsplit(url)
    secrets = {parts.username or "", parts.password or "", parts.query, parts.fragment}
    secrets |= {value for _, value in parse_qsl(parts.query)}
    secrets |= set(_SECRET.findall(parts.path))
    for value in headers.values():
        secrets |= {value, *value.split()}
    secrets |= {unquote(secret) for secret in secrets}
    return tuple(sorted((secret for secret in secrets if len(secret) > 3), key=len, reverse=True))


def quote(body: bytes, secrets: Iterable[str]) -> str:
    """Return the body of a response for an error text: at most 200 characters, one line, nothing like a token."""
    text = body.decode("utf-8", "replace")
    if text.lstrip().startswith("<"):  # HTML, whose first 200 characters explain nothing
        return ""
    for secret in secrets:
        text = text.replace(secret, "...")
    printable = (" " if is_hidden(character) else character for character in _TOKEN.sub("...", text))
    text = " ".join("".join(printable).split())
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."


def explain_status(shown: str, status: int, *, said: str = "", retry_after: float | None = None) -> EndpointError:
    """Return the error for an HTTP status in place of the expected response.

    `said` is the server's own text as `quote` shows it, `retry_after` the seconds of its `Retry-After` header.
    """
    if status in (401, 403):
        text = f"access denied (HTTP {status}); check the token, and send no Origin header"
    elif status in (404, 410):
        text = f"no browser at this path (HTTP {status}); its address is http://host:port of the debugging port"
    elif 300 <= status < 400:
        text = f"the server redirects elsewhere (HTTP {status}), which is not followed"
    elif status == 500 and said.startswith("No such target"):
        text = "there is no such page (HTTP 500)"
    elif status == 500:
        text = "HTTP 500; Chrome answers so unless the host is an IP address or localhost"
    else:
        text = f"not a browser: HTTP {status} instead of a websocket"
    if said:
        text += f'; it says "{said}"'
    return EndpointError(
        f"{shown}: {text}", url=shown, status=status, retryable=status in PASSING, retry_after=retry_after
    )


def explain_failure(shown: str, failure: OSError, *, hint: str = _UNREACHED) -> EndpointError:
    """Return the error for a connection that failed. The system's text may hold the address, so it is not quoted."""
    if isinstance(failure, tls.SSLCertVerificationError):
        return EndpointError(f"{shown}: the TLS certificate is not valid: {failure.verify_message}", url=shown)
    if isinstance(failure, tls.SSLError):
        return EndpointError(f"{shown}: the TLS handshake failed ({failure.reason}); is it a plain port?", url=shown)
    if isinstance(failure, socket.gaierror):
        return EndpointError(f"{shown}: the host name is unknown", url=shown)
    if isinstance(failure, ConnectionResetError) and shown.startswith(("wss:", "https:")):
        # Chromium resets a TLS handshake on its plain port.
        text = f"{shown}: it ended the connection; is it a plain port, to be addressed by ws:// or http://?"
        return EndpointError(text, url=shown, retryable=True)
    # No errno: asyncio tried several addresses of the host, and each failed in its own way.
    why = os.strerror(failure.errno).lower() if failure.errno else "none of its addresses answers"
    return EndpointError(
        f"{shown}: unreachable ({why}); {hint}",
        url=shown,
        retryable=True,
    )
