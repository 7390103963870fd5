"""Which websocket library carries a connection."""

from __future__ import annotations

import ssl as tls
from collections.abc import Mapping
from typing import Literal, Protocol

from cdp_typed.transport import Transport
from cdp_typed.transport.keepalive import PING_INTERVAL
from cdp_typed.transport.websocket import open_websocket

__all__ = ["OpenTransport", "choose"]


class OpenTransport(Protocol):
    """A function that opens a websocket: see `open_websocket`."""

    async def __call__(
        self,
        url: str,
        *,
        open_timeout: float,
        max_size: int,
        headers: Mapping[str, str] | None = None,
        proxy: str | None = None,
        ssl: tls.SSLContext | None = None,
        ping_interval: float | None = PING_INTERVAL,
        v8_version: str = "",
    ) -> Transport: ...


def choose(name: Literal["websockets", "picows"]) -> OpenTransport:
    """The function of this name. Raises `ValueError` for another name, and `ImportError` if the extra is missing."""
    if name == "websockets":
        return open_websocket
    if name != "picows":
        raise ValueError(f"transport must be 'websockets' or 'picows', not {name!r}")
    try:
        from cdp_typed.transport.picows import open_picows
    except ModuleNotFoundError as missing:
        raise ImportError("transport='picows' needs the extra 'fast': pip install 'cdp-typed[fast]'") from missing
    return open_picows
