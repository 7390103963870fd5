"""Tokens in websocket URLs that expire, as services in front of browsers issue them."""

from __future__ import annotations

import time


class UrlTokens:
    """Issues and checks tokens that expire after `expire_s`; with None there are none, and all URLs are valid."""

    def __init__(self, expire_s: float | None) -> None:
        self._expire_s = expire_s
        self._issued: dict[str, float] = {}

    def token(self) -> str:
        """Issue a token, as the query of a URL."""
        if self._expire_s is None:
            return ""
        name = f"?token={len(self._issued) + 1}"
        self._issued[name] = time.monotonic()
        return name

    def lets_in(self, path: str) -> bool:
        """Return whether the URL's token is valid now."""
        if self._expire_s is None:
            return True
        issued = self._issued.get(path[path.find("?") :])
        return issued is not None and time.monotonic() - issued < self._expire_s
