"""Addresses of browsers: how to read them, and how to talk about them without giving them away."""

from __future__ import annotations

import os
import re
import socket
import ssl as tls
from urllib.parse import SplitResult, urlsplit

from cdp_typed.errors import EndpointError

__all__ = ["explain_failure", "explain_status", "parse_address", "redact"]

# Long enough to be an id or a token; `devtools`, `browser` and the like are shorter.
_SECRET = re.compile(r"[^/]{16,}")
_SCHEMES = ("ws", "wss", "http", "https")
_PASSING = (429, 502, 503, 504)


def redact(url: str) -> str:
    """The address without what must stay secret: user info, query, fragment, and ids in its path."""
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
        usable = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable or any(each.isspace() or each < " " for each in endpoint):
        raise EndpointError(
            f"{shown}: not an address of a browser; use ws://..., wss://..., http://host:port or host:port", url=shown
        )
    return parts


def explain_status(shown: str, status: int) -> EndpointError:
    """What an HTTP status in place of the expected answer means."""
    if status in (401, 403):
        text = f"access denied (HTTP {status}); check the token, and send no Origin header"
    elif status in (404, 410):
        text = f"no browser at this path (HTTP {status}); http://host:port finds the path by itself"
    elif 300 <= status < 400:
        text = f"the server redirects elsewhere (HTTP {status}), which is not followed"
    elif status == 500:
        text = "HTTP 500; Chrome answers so unless the host is an IP address or localhost"
    else:
        text = f"not a browser: HTTP {status} instead of a websocket"
    return EndpointError(f"{shown}: {text}", url=shown, status=status, retryable=status in _PASSING)


def explain_failure(shown: str, failure: OSError) -> EndpointError:
    """Why no connection could be made. The system's own text may hold the address, so it is never quoted."""
    if isinstance(failure, tls.SSLCertVerificationError):
        return EndpointError(f"{shown}: the TLS certificate is not valid: {failure.verify_message}", url=shown)
    if isinstance(failure, tls.SSLError):
        return EndpointError(f"{shown}: the TLS handshake failed ({failure.reason}); is it a plain port?", url=shown)
    if isinstance(failure, socket.gaierror):
        return EndpointError(f"{shown}: the host name is unknown", url=shown)
    # No errno: asyncio tried several addresses of the host, and each failed in its own way.
    why = os.strerror(failure.errno).lower() if failure.errno else "none of its addresses answers"
    return EndpointError(
        f"{shown}: unreachable ({why}); is the browser running, with --remote-debugging-port?",
        url=shown,
        retryable=True,
    )
