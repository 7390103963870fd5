"""Scripts that navigate: `location` and `history`, as measured on Chromium 156."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

FRAGMENT = [
    "page Page.frameScheduledNavigation top scriptInitiated",
    "page Page.frameStartedLoading top",
    "page Page.navigatedWithinDocument top fragment",
    "page Page.frameStoppedLoading top",
    "page Page.frameClearedScheduledNavigation top",
]
FRAME_FRAGMENT = [
    "page Page.frameScheduledNavigation frame scriptInitiated",
    "page Page.frameStartedLoading frame",
    "page Page.navigatedWithinDocument frame fragment",
    "page Page.frameStoppedLoading frame",
    "page Page.frameClearedScheduledNavigation frame",
    "page reply to Runtime.evaluate = 1",
]
HISTORY_API = [
    "page Page.frameStartedLoading top",
    "page Page.navigatedWithinDocument top historyApi",
    "page Page.frameStoppedLoading top",
]
COMMITTED = [
    "page Page.frameStartedLoading top",
    "page Runtime.executionContextsCleared",
    "page Runtime.executionContextsCleared",
    "page Page.frameNavigated top Navigation",
    "page Runtime.executionContextCreated",
    "page Page.domContentEventFired",
    "page Page.loadEventFired",
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


def test_a_fragment_is_there_when_the_script_goes_on(client: Client, at: str) -> None:
    assert run(client, at, "location.hash = 'a'; location.href") == [
        *FRAGMENT,
        f"page reply to Runtime.evaluate = {LOCAL}/child#a",
    ]
    assert urls(client, at) == ["about:blank", f"{LOCAL}/child", f"{LOCAL}/child#a"]


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


def test_the_target_follows_the_address(client: Client, at: str) -> None:
    client.send("Target.setDiscoverTargets", {"discover": True})

    got = client.send("Runtime.evaluate", {"expression": "history.pushState(1, '', '/pushed')"}, at)

    changed: list[dict[str, Any]] = [message for message in got if message.get("method") == "Target.targetInfoChanged"]
    assert [message["params"]["targetInfo"]["url"] for message in changed] == [f"{LOCAL}/pushed"]


def test_a_step_back_begins_in_the_script_and_ends_after_it(client: Client, at: str) -> None:
    run(client, at, "location.hash = 'a'")

    assert run(client, at, "history.back(); location.hash") == [
        "page Page.frameStartedNavigating top historySameDocument",
        "page Page.frameStartedLoading top",
        "page reply to Runtime.evaluate = #a",
        "page Page.navigatedWithinDocument top fragment",
        "page Page.frameStoppedLoading top",
    ]
    assert run(client, at, "location.hash") == ["page reply to Runtime.evaluate = "]
    assert run(client, at, "history.forward(); 1")[-2:] == [
        "page Page.navigatedWithinDocument top fragment",
        "page Page.frameStoppedLoading top",
    ]


def test_a_step_beyond_the_history_does_nothing(client: Client, at: str) -> None:
    assert run(client, at, "history.go(7); 1") == ["page reply to Runtime.evaluate = 1"]


def test_a_script_goes_to_another_document_when_it_has_ended(client: Client, at: str) -> None:
    assert run(client, at, "location.href = '/same#x'; 1")[:5] == [
        "page Page.frameScheduledNavigation top scriptInitiated",
        "page Page.frameRequestedNavigation top scriptInitiated",
        "page Page.frameClearedScheduledNavigation top",
        "page reply to Runtime.evaluate = 1",
        "page Page.frameStartedNavigating top differentDocument",
    ]
    assert urls(client, at)[2:] == [f"{LOCAL}/same#x"]


def test_a_script_reloads_its_page(client: Client, at: str) -> None:
    assert run(client, at, "location.reload(); 1") == [
        "page Page.frameScheduledNavigation top reload",
        "page Page.frameRequestedNavigation top reload",
        "page Page.frameClearedScheduledNavigation top",
        "page reply to Runtime.evaluate = 1",
        "page Page.frameStartedNavigating top reload",
        *COMMITTED,
    ]
    history = client.result("Page.getNavigationHistory", {}, at)["entries"]
    assert [entry["transitionType"] for entry in history] == ["auto_toplevel", "typed"]


def test_a_script_replaces_its_page(client: Client, at: str) -> None:
    run(client, at, "location.replace('/same')")

    assert urls(client, at) == ["about:blank", f"{LOCAL}/same"]


def test_a_script_that_asks_sees_where_it_began(client: Client, at: str) -> None:
    """It runs again when the answer is known, with the location of its start."""
    run(client, at, "window.before = location.href; location.hash = 'a'; alert(1)")

    client.send("Page.handleJavaScriptDialog", {"accept": True}, at)

    assert run(client, at, "before") == [f"page reply to Runtime.evaluate = {LOCAL}/child"]


def test_an_iframe_goes_elsewhere_without_an_entry(client: Client, page: str, oopif: str) -> None:
    lines = client.lines(
        "Runtime.evaluate", {"expression": "location.href = '/child#x'; location.href = '/child'"}, oopif
    )

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


def test_a_local_iframe_goes_to_a_fragment(client: Client, page: str) -> None:
    """Neither the page's target nor its history change."""
    client.send("Page.navigate", {"url": f"{LOCAL}/same"}, page)
    client.send("Target.setDiscoverTargets", {"discover": True})
    tree = client.result("Page.getFrameTree", {}, page)["frameTree"]
    frame = tree["childFrames"][0]["frame"]["id"]
    client.frames[frame] = "frame"
    world = client.result("Page.createIsolatedWorld", {"frameId": frame}, page)["executionContextId"]

    lines = client.lines("Runtime.evaluate", {"expression": "location.hash = 'x'; 1", "contextId": world}, page)

    assert lines == FRAME_FRAGMENT
    assert urls(client, page) == ["about:blank", f"{LOCAL}/same"]
