"""Documents in the `srcdoc` of their iframe: their source and their origin."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page, Resource, SiteError
from tests.cdp_typed.mock.raw_client import LOCAL, Client

TOP = f"{LOCAL}/"
ANSWER = Page(body="42", headers={"Content-Type": "text/plain"})


def opened(inside: Page, **pages: Page) -> tuple[Client, str]:
    """Return a client at a page whose only iframe, `f`, has this document."""
    more = {f"{LOCAL}/{path}": page for path, page in pages.items()}
    browser = MockBrowser({TOP: Page(frames=[Frame(name="f", srcdoc=inside)]), "data:text/html,x": Page(), **more})
    client = Client(browser)
    session = client.attach(browser.open_page(TOP))
    return client, session


def evaluate_inside(client: Client, session: str, expression: str) -> dict[str, Any]:
    """Return the value of the expression in the iframe's own context."""
    tree = client.result("Page.getFrameTree", {}, session)["frameTree"]
    frame = tree["childFrames"][0]["frame"]["id"]
    world = client.result("Page.createIsolatedWorld", {"frameId": frame, "worldName": "w"}, session)
    params = {"expression": expression, "contextId": world["executionContextId"], "awaitPromise": True}
    result: dict[str, Any] = client.result("Runtime.evaluate", params, session)["result"]
    return result


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (Frame(name="f"), r"frames\[0\]: an iframe has a url or a srcdoc"),
        (Frame("/x", srcdoc=Page()), r"frames\[0\]: a browser that has the srcdoc does not look at the url"),
        (Frame(srcdoc=Page(body="x")), r"frames\[0\]: srcdoc: body: it does not come over the network"),
        (Frame(srcdoc=Page(script="}")), r"frames\[0\]: srcdoc: script: unexpected"),
        (Frame(srcdoc=Page(frames=[Frame()])), r"frames\[0\]: srcdoc: frames\[0\]: an iframe has a url"),
    ],
)
def test_a_document_that_could_not_be_is_refused(frame: Frame, problem: str) -> None:
    with pytest.raises(SiteError, match=f"{TOP}: {problem}"):
        MockBrowser({TOP: Page(frames=[frame])})


def test_it_is_asked_of_no_server() -> None:
    client, session = opened(Page(title="Inside"))
    client.result("Network.enable", {}, session)
    client.result("Page.reload", {}, session)
    asked = [
        event["params"]["request"]["url"]
        for event in client.inbox
        if event.get("method") == "Network.requestWillBeSent"
    ]

    assert asked == [TOP]
    assert evaluate_inside(client, session, "document.title")["value"] == "Inside"


def test_its_relative_addresses_are_seen_from_its_parent() -> None:
    inside = Page(resources=[Resource("picture.png")], frames=[Frame("deep")])
    client, session = opened(inside, deep=Page(title="Deep"), data=ANSWER, **{"picture.png": Page(body="p")})
    client.result("Network.enable", {}, session)
    client.result("Page.reload", {}, session)

    got = evaluate_inside(client, session, "fetch('data').then(answer => answer.text())")

    asked = {
        event["params"]["request"]["url"]: event["params"]["request"]["headers"].get("Referer")
        for event in client.inbox
        if event.get("method") == "Network.requestWillBeSent"
    }
    assert got["value"] == "42"
    assert asked == {
        TOP: None,
        f"{LOCAL}/picture.png": TOP,
        f"{LOCAL}/deep": None,
        f"{LOCAL}/data": TOP,
    }


def test_a_script_in_it_leaves_for_an_address_seen_from_its_parent() -> None:
    client, session = opened(Page(), next=Page(title="Next"))

    evaluate_inside(client, session, "location.href = 'next'")

    tree = client.result("Page.getFrameTree", {}, session)["frameTree"]
    assert tree["childFrames"][0]["frame"]["url"] == f"{LOCAL}/next"


def test_it_has_no_history_of_its_own() -> None:
    client, session = opened(Page())

    thrown = evaluate_inside(client, session, "history.pushState(null, '', '/x')")

    assert "a history state of a document without an address" in thrown["description"]


def test_what_comes_after_it_does_not_have_its_origin() -> None:
    client, session = opened(Page())
    frame = client.result("Page.getFrameTree", {}, session)["frameTree"]["childFrames"][0]["frame"]["id"]
    client.result("Runtime.enable", {}, session)
    client.result("Page.enable", {}, session)
    client.take()

    origins: list[str] = []
    for url in ("data:text/html,x", f"{LOCAL}/"):
        client.result("Page.navigate", {"url": url, "frameId": frame}, session)
        contexts = [
            item["params"]["context"] for item in client.inbox if item.get("method", "").endswith("ContextCreated")
        ]
        origins += [item["origin"] for item in contexts if item["auxData"]["frameId"] == frame]
    assert origins[-2:] == ["://", LOCAL]


def test_a_script_may_set_it() -> None:
    client, session = opened(Page(title="Old"))
    element = "document.getElementById('f').srcdoc"

    client.result(
        "Runtime.evaluate", {"expression": f"{element} = '<title>New</title><script>a = 1</script>'"}, session
    )

    assert evaluate_inside(client, session, "document.title")["value"] == "New"
