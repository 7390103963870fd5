"""A GET request to an endpoint, apart from what sends it: that takes a fifth of the client's import."""

from __future__ import annotations

import ssl as tls
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult

__all__ = ["GetRequest"]


@dataclass(frozen=True)
class GetRequest:
    """A GET request to an `http` or `https` address. `repr` shows no secret."""

    address: SplitResult = field(repr=False)
    path: str
    """From the root of the debugging port, which may itself be below a path of the address."""
    headers: Mapping[str, str] = field(repr=False)
    proxy: str | None = field(repr=False)
    """An HTTP proxy (see `dial`)."""
    ssl: tls.SSLContext | None
    """For `https`, in place of the system's trust."""
