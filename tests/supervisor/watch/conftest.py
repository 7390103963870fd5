"""A mock browser that shows a shop, and another client that works in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cdp_typed.mock import Frame, Page, ThreadedMockServer
from cdp_typed.protocol import page
from supervisor import CDPSupervisor
from tests.support.stages.stages import is_loaded

SITE = {
    "http://shop.test/": Page(title="Shop", frames=[Frame("http://pay.test/", "pay")]),
    "http://pay.test/": Page(title="Pay"),
}


@pytest.fixture
def mock() -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as server:
        yield server


@pytest.fixture
def other(mock: ThreadedMockServer) -> Iterator[CDPSupervisor]:
    """Another client, which shows the shop."""
    with CDPSupervisor(mock.url) as running:
        running.send(page.Navigate(url="http://shop.test/"))
        running.wait_for(lambda now: is_loaded(now) and len(now.frame_tree.children) == 1, timeout_s=20)
        yield running
