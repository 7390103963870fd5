"""Browser contexts: creation, listing, pages and disposal, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client

DEFAULT = "00000000000000000000000000000001"


@pytest.fixture
def context(client: Client) -> str:
    return str(client.result("Target.createBrowserContext")["browserContextId"])


@pytest.fixture
def other(client: Client, context: str) -> str:
    """A page of the context."""
    params = {"url": f"{LOCAL}/", "browserContextId": context}
    return str(client.result("Target.createTarget", params)["targetId"])


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        (
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": "nope"},
            "Failed to find browser context with id nope",
        ),
        ("Target.disposeBrowserContext", {"browserContextId": "nope"}, "Failed to find context with id nope"),
        ("Target.disposeBrowserContext", {"browserContextId": DEFAULT}, "Cannot dispose default browser context."),
    ],
)
def test_a_context_that_is_not_there_is_refused(
    client: Client, method: str, params: dict[str, str], message: str
) -> None:
    assert client.error(method, params) == {"code": -32000, "message": message}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Target.createBrowserContext", {}),
        ("Target.getBrowserContexts", {}),
        ("Target.disposeBrowserContext", {"browserContextId": "nope"}),
    ],
)
def test_a_page_knows_nothing_of_contexts(client: Client, page: str, method: str, params: dict[str, str]) -> None:
    assert client.error(method, params, page)["message"] == "Not allowed"


def test_contexts_are_listed_for_every_client(browser: MockBrowser, client: Client, context: str) -> None:
    assert Client(browser).result("Target.getBrowserContexts") == {
        "browserContextIds": [context],
        "defaultBrowserContextId": DEFAULT,
    }


def test_a_page_says_whose_it_is_and_so_do_its_iframes(
    browser: MockBrowser, client: Client, context: str, other: str
) -> None:
    session = client.attach(other)
    client.send("Page.navigate", {"url": f"{LOCAL}/cross"}, session)

    infos = client.result("Target.getTargets", {"filter": [{}]})["targetInfos"]

    assert sorted(info["type"] for info in infos if info.get("browserContextId") == context) == [
        "iframe",
        "page",
        "tab",
    ]


def test_disposing_closes_the_last_page_first_and_then_replies(client: Client, context: str, other: str) -> None:
    later = client.result("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
    client.attach(other, "other")
    client.attach(later, "later")

    assert client.lines("Target.disposeBrowserContext", {"browserContextId": context}) == [
        "later Inspector.detached Render process gone.",
        "- Target.detachedFromTarget",
        "other Inspector.detached Render process gone.",
        "- Target.detachedFromTarget",
        "- reply to Target.disposeBrowserContext",
    ]
    assert client.error("Target.disposeBrowserContext", {"browserContextId": context})["code"] == -32000


def test_disposing_leaves_other_pages_alone(browser: MockBrowser, client: Client, context: str, other: str) -> None:
    client.result("Target.disposeBrowserContext", {"browserContextId": context})

    assert [page.url for page in browser.pages] == ["about:blank"]


def test_a_context_may_go_with_its_client(browser: MockBrowser, client: Client, context: str) -> None:
    """Only with `disposeOnDetach`."""
    guest = Client(browser)
    own = guest.result("Target.createBrowserContext", {"disposeOnDetach": True})["browserContextId"]
    guest.result("Target.createTarget", {"url": f"{LOCAL}/", "browserContextId": own})

    browser.disconnect(guest.connection)

    assert client.result("Target.getBrowserContexts")["browserContextIds"] == [context]
    assert [page.url for page in browser.pages] == ["about:blank"]
