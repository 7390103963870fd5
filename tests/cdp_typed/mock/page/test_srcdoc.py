"""Documents in the `srcdoc` of their iframe: their source and their origin."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import Frame, MockBrowser, Page, SiteError
from tests.cdp_typed.mock.raw_client import LOCAL, Client

TOP = f"{LOCAL}/"


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


def test_it_has_no_history_of_its_own() -> None:
    client, session = opened(Page())

    thrown = evaluate_inside(client, session, "history.pushState(null, '', '/x')")

    assert "a history state of a document without an address" in thrown["description"]
