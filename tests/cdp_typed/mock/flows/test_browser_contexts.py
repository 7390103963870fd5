"""Browser contexts: creation, listing, pages and disposal, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client

DEFAULT = "00000000000000000000000000000001"


@pytest.fixture
def context(client: Client) -> str:
    return str(client.result("Target.createBrowserContext")["browserContextId"])


def test_the_context_of_the_start_stays(client: Client) -> None:
    error = client.error("Target.disposeBrowserContext", {"browserContextId": DEFAULT})

    assert error == {"code": -32000, "message": "Cannot dispose default browser context."}


def test_a_context_may_go_with_its_client(browser: MockBrowser, client: Client, context: str) -> None:
    """Only with `disposeOnDetach`."""
    guest = Client(browser)
    own = guest.result("Target.createBrowserContext", {"disposeOnDetach": True})["browserContextId"]
    guest.result("Target.createTarget", {"url": f"{LOCAL}/", "browserContextId": own})

    browser.disconnect(guest.connection)

    assert client.result("Target.getBrowserContexts")["browserContextIds"] == [context]
    assert [page.url for page in browser.pages] == ["about:blank"]
