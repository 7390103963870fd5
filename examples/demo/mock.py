"""The demo's stage without a browser: the mock server, with the same three pages."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from cdp_typed.mock import Frame, Page, Site, ThreadedMockServer

from .site import OOPIF_TITLE, SAME_ORIGIN_TITLE, TOP_TITLE

OWN, OTHER = "http://shop.test", "http://payment.test"


@contextlib.contextmanager
def mock_stage() -> Generator[tuple[str, str]]:
    """A running mock; yields its endpoint and the URL of the top page."""
    site = Site(
        {
            f"{OWN}/": Page(
                title=TOP_TITLE, frames=[Frame(f"{OTHER}/payment", "payment"), Frame("/newsletter", "newsletter")]
            ),
            f"{OTHER}/payment": Page(title=OOPIF_TITLE),
            f"{OWN}/newsletter": Page(title=SAME_ORIGIN_TITLE),
        }
    )
    with ThreadedMockServer(site) as server:
        yield server.url, f"{OWN}/"
