"""Tokens in websocket URLs that expire, as services in front of browsers give them."""

from __future__ import annotations

import time

__all__ = ["UrlTokens"]


class UrlTokens:
    """Tokens in addresses, each good for a while; with `expire_s` None there are none, and everybody is let in."""

    def __init__(self, expire_s: float | None) -> None:
        self._expire_s = expire_s
        self._issued: dict[str, float] = {}

    def token(self) -> str:
        """The query of a fresh address."""
        if self._expire_s is None:
            return ""
        name = f"?token={len(self._issued) + 1}"
        self._issued[name] = time.monotonic()
        return name

    def lets_in(self, path: str) -> bool:
        """Whether this address may be dialled now."""
        if self._expire_s is None:
            return True
        issued = self._issued.get(path[path.find("?") :])
        return issued is not None and time.monotonic() - issued < self._expire_s
