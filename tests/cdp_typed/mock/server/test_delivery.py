"""What is due later does not outlive the delivery, and comes to nobody who has left."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cdp_typed.mock import Delay, MockBrowser, Page, Personality
from cdp_typed.mock.control.faults import Outgoing
from cdp_typed.mock.server.delivery import Delivery
from cdp_typed.protocol import browser as browser_domain

GET_VERSION = '{"id":1,"method":"Browser.getVersion"}'
LATER_S = 0.01
PAGES_TIMER_MS = 100
"""More than the test needs to end what has the timer."""


class Heard(list[Outgoing]):
    """A connection, as a list of what it got."""

    def __init__(self) -> None:
        super().__init__()
        self.came = asyncio.Event()

    def put(self, item: Outgoing) -> None:
        self.append(item)
        self.came.set()

    def flush(self) -> None:
        """Everything is there at once."""


@pytest.fixture
def browser() -> MockBrowser:
    return MockBrowser({"http://x/": Page()})


def opened(browser: MockBrowser, dialogs_end_after_s: float | None = None) -> Delivery:
    delivery = Delivery(browser, Personality(dialogs_end_after_s=dialogs_end_after_s), died=lambda: None)
    delivery.open()
    return delivery


@pytest.mark.parametrize(
    ("source", "ends_after_s", "shown"),
    [("alert()", LATER_S, 1), (f"setTimeout(() => alert(), {PAGES_TIMER_MS})", None, 0)],
)
async def test_after_the_end_nothing_happens_in_the_browser_any_more(
    browser: MockBrowser, source: str, ends_after_s: float | None, shown: int
) -> None:
    delivery = opened(browser, ends_after_s)
    browser.run(browser.open_page("http://x/"), source)
    delivery.receive(delivery.join(Heard()), GET_VERSION)
    delivery.close()

    await asyncio.sleep(1.2 * PAGES_TIMER_MS / 1000)  # what was to come is due by now
    assert len(browser.dialogs) == shown


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_late_message_reaches_the_client_that_is_there_and_no_other(browser: MockBrowser, leaves: bool) -> None:
    delivery = opened(browser)
    failed: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
    browser.fault(browser_domain.GetVersion, Delay(LATER_S))
    leaving, stays = Heard(), Heard()
    delivery.receive(number := delivery.join(leaving), GET_VERSION)
    if leaves:
        delivery.leave(number)
    delivery.receive(delivery.join(stays), GET_VERSION)

    await asyncio.wait_for(stays.came.wait(), 20)  # so the other message is due, too
    assert (len(stays), len(leaving), failed) == (1, not leaves, [])
    delivery.close()
