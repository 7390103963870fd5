"""The opening handshake of a websocket: its request, its deadline and its errors."""

from __future__ import annotations

import asyncio
import logging
import ssl as tls
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime

from cdp_typed.addresses import (
    Undisclosed,
    explain_failure,
    explain_status,
    parse_address,
    quote,
    redact,
    secrets_of,
)
from cdp_typed.errors import EndpointError
from cdp_typed.transport.tcp import basic_auth

# `websockets` logs the request line and headers, which hold tokens. A logger outside the hierarchy cannot be switched
# on by a program's logging configuration.
SILENT = logging.Logger("cdp_typed.transport", level=logging.CRITICAL + 1)


class UpgradeRefused(Exception):
    """The server answered the upgrade with another status than 101."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.retry_after: float | None = parse_retry_after(headers.get("Retry-After"))
        self.body = body


class NotAWebSocket(Exception):
    """The server hung up during the upgrade, or answered with something other than HTTP."""

    def __init__(self, *, hung_up: bool) -> None:
        super().__init__()
        self.hung_up = hung_up


class Handshake(Undisclosed, frozen=True):
    """The target and request of an opening handshake."""

    shown: str
    url: str
    """Without user info and fragment."""
    headers: Mapping[str, str]
    """The request's headers besides the websocket's own, with the user info as `Authorization`."""
    host: str
    port: int
    ssl: tls.SSLContext | None
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Handshake(shown={self.shown!r})"

    @classmethod
    def of(cls, url: str, headers: Mapping[str, str] | None, ssl: tls.SSLContext | None) -> Handshake:
        """Read a `ws://` or `wss://` URL. Raises `EndpointError` for anything else."""
        shown = redact(url)
        address = parse_address(url)
        if address.scheme not in ("ws", "wss") or address.fragment:
            raise EndpointError(f"{shown}: not a websocket address", url=shown)
        secure = address.scheme == "wss"
        sent = {} if headers is None else dict(headers)
        authorization = basic_auth(address)
        if authorization is not None and not any(name.lower() == "authorization" for name in sent):
            sent["Authorization"] = authorization
        return cls(
            shown=shown,
            url=address._replace(netloc=address.netloc.rpartition("@")[2]).geturl(),
            headers=sent,
            host=str(address.hostname),
            port=address.port or (443 if secure else 80),
            ssl=(ssl or tls.create_default_context()) if secure else None,
            secrets=secrets_of(url, sent),
        )


@asynccontextmanager
async def opening(handshake: Handshake, open_timeout: float) -> AsyncGenerator[asyncio.Timeout]:
    """Limit a dial and a handshake to `open_timeout` seconds, and turn their failures into `EndpointError`.

    Yields the deadline, which may be moved.
    """
    try:
        async with asyncio.timeout(open_timeout) as deadline:
            yield deadline
    except TimeoutError:
        text = f"{handshake.shown}: no websocket handshake within {open_timeout:.1f} s"
        raise EndpointError(text, url=handshake.shown, retryable=True) from None
    except UpgradeRefused as refused:
        said = quote(refused.body, handshake.secrets)
        raise explain_status(handshake.shown, refused.status, said=said, retry_after=refused.retry_after) from None
    except NotAWebSocket as other:
        how = "hung up during the websocket handshake" if other.hung_up else "answered, but not with a websocket"
        text = f"{handshake.shown}: the server {how}; it does not look like a browser"
        raise EndpointError(text, url=handshake.shown) from None
    except OSError as failure:
        raise explain_failure(handshake.shown, failure) from None


def parse_retry_after(value: str | None) -> float | None:
    """Return the seconds of a `Retry-After` header that names seconds or a date; `None` for any other text."""
    if value is None:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
