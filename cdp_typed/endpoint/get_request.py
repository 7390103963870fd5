"""A GET request to an endpoint, apart from what sends it: that takes a fifth of the client's import."""

from __future__ import annotations

import ssl as tls
from collections.abc import Mapping
from urllib.parse import SplitResult

from cdp_typed.addresses import Undisclosed


class GetRequest(Undisclosed, frozen=True):
    """A GET request to an `http` or `https` address."""

    address: SplitResult
    path: str
    """From the root of the debugging port, which may itself be below a path of the address."""
    headers: Mapping[str, str]
    proxy: str | None
    """An HTTP proxy (see `dial`)."""
    ssl: tls.SSLContext | None
    """For `https`, in place of the system's trust."""
