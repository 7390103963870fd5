"""The demo's stage without a browser: the mock server, with the same three pages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def mock_stage() -> Iterator[tuple[str, str]]:
    """A running mock; yields its endpoint and the URL of the top page."""
    raise RuntimeError
    yield "", ""
