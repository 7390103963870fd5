"""Scripts that navigate: `location` and `history`, as measured on Chromium 156."""

from __future__ import annotations

import pytest

from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

FRAGMENT = [
    "page Page.frameScheduledNavigation top scriptInitiated",
    "page Page.frameStartedLoading top",
    "page Page.navigatedWithinDocument top fragment",
    "page Page.frameStoppedLoading top",
    "page Page.frameClearedScheduledNavigation top",
]
HISTORY_API = [
    "page Page.frameStartedLoading top",
    "page Page.navigatedWithinDocument top historyApi",
    "page Page.frameStoppedLoading top",
]


@pytest.fixture
def at(client: Client, page: str) -> str:
    """Return the page at `/child`."""
    client.send("Page.navigate", {"url": f"{LOCAL}/child"}, page)
    return page


def run(client: Client, page: str, expression: str) -> list[str]:
    return client.lines("Runtime.evaluate", {"expression": expression, "returnByValue": True}, page)


def urls(client: Client, page: str) -> list[str]:
    return [entry["url"] for entry in client.result("Page.getNavigationHistory", {}, page)["entries"]]


@pytest.mark.parametrize(
    "expression",
    [
        f"history.pushState(1, '', '{REMOTE}/x')",
        "history.pushState()",
        "history.go('x')",
        "location.assign()",
        "close()",
        "location = 1; location.search = 2",
        "new Map()",
        "setTimeout('x', 1)",
        "window.x = 1; x()",
        "window.x = 1; x.src = 'y'",
    ],
)
def test_what_a_page_does_in_another_way_is_not_guessed(client: Client, at: str, expression: str) -> None:
    (line,) = [line for line in run(client, at, expression) if "reply" in line]

    assert line.startswith("page reply to Runtime.evaluate = MockError")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("location.hash = '#a'", []), ("location.href = '#a'", FRAGMENT), ("location.replace('#b')", FRAGMENT)],
)
def test_a_fragment_that_is_there_already_or_replaces_makes_no_entry(
    client: Client, at: str, expression: str, expected: list[str]
) -> None:
    run(client, at, "location.hash = 'a'")

    assert run(client, at, f"{expression}; location.hash")[:-1] == expected
    assert len(urls(client, at)) == 3


def test_pushing_and_replacing_states(client: Client, at: str) -> None:
    assert run(client, at, "history.pushState({}, '', '/pushed'); history.length") == [
        *HISTORY_API,
        "page reply to Runtime.evaluate = 3",
    ]
    assert run(client, at, "history.replaceState(1, '', '/replaced'); history.pushState(2, ''); location.href") == [
        *HISTORY_API,
        *HISTORY_API,
        f"page reply to Runtime.evaluate = {LOCAL}/replaced",
    ]
    assert urls(client, at)[2:] == [f"{LOCAL}/replaced", f"{LOCAL}/replaced"]


def test_an_iframe_goes_elsewhere_without_an_entry(client: Client, page: str, oopif: str) -> None:
    lines = client.evaluate(oopif, "location.href = '/child#x'; location.href = '/child'")

    assert [line for line in lines if "Navig" in line or "navig" in line] == [
        "frame Page.frameScheduledNavigation frame scriptInitiated",
        "frame Page.navigatedWithinDocument frame fragment",
        "frame Page.frameClearedScheduledNavigation frame",
        "frame Page.frameScheduledNavigation frame scriptInitiated",
        "frame Page.frameRequestedNavigation frame scriptInitiated",
        "frame Page.frameClearedScheduledNavigation frame",
        "frame Page.frameStartedNavigating frame differentDocument",
        "frame Page.frameNavigated frame Navigation",
    ]
    assert urls(client, page) == ["about:blank", f"{LOCAL}/cross"]
