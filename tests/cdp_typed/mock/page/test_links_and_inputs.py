"""File inputs of the mock: choosers, their interception, and the files that a client sets."""

from __future__ import annotations

import pytest

from cdp_typed.mock import FileInput, Frame, Link, MockBrowser, Page, SiteError
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

SITE = {
    f"{LOCAL}/": Page(
        elements=[
            FileInput("one", on_change="window.chosen = document.getElementById('one').value"),
            FileInput("many", multiple=True),
            Link("link", "/"),
        ],
    ),
    f"{LOCAL}/framed": Page(frames=[Frame("/", "f")]),
}
FILES = {"files": ["/home/a/first.txt", "/home/a/second.txt"]}


@pytest.fixture
def form(client: Client, page: str) -> str:
    """Return the session of the tab, which shows the file inputs and intercepts their choosers."""
    client.send("Page.navigate", {"url": f"{LOCAL}/"}, page)
    client.result("Page.setInterceptFileChooserDialog", {"enabled": True}, page)
    return page


def evaluate(client: Client, session: str, expression: str, *, gesture: bool = True) -> list[Params]:
    return client.send("Runtime.evaluate", {"expression": expression, "userGesture": gesture}, session)


def click(client: Client, session: str, name: str) -> Params:
    """Click on an element by script; return the parameters of the chooser's event."""
    got = evaluate(client, session, f"document.getElementById('{name}').click()")
    return dict(next(message for message in got if message.get("method") == "Page.fileChooserOpened")["params"])


def value(client: Client, session: str, expression: str) -> object:
    return evaluate(client, session, expression)[-1]["result"]["result"].get("value")


def test_a_handler_that_does_not_parse_is_an_error_of_the_site() -> None:
    with pytest.raises(SiteError, match="elements: one: on_change: unexpected"):
        MockBrowser({f"{LOCAL}/": Page(elements=[FileInput("one", on_change="1 1")])})


def test_a_click_asks_the_client_for_files(browser: MockBrowser, client: Client, form: str) -> None:
    single, multiple = click(client, form, "one"), click(client, form, "many")

    assert (single.pop("backendNodeId") != multiple.pop("backendNodeId")) is True
    assert single == {"frameId": browser.pages[0].id, "mode": "selectSingle"}
    assert multiple == {"frameId": browser.pages[0].id, "mode": "selectMultiple"}
    assert click(client, form, "one")["backendNodeId"] == click(client, form, "one")["backendNodeId"]


def test_nobody_hears_of_a_chooser_that_nobody_catches(client: Client, form: str) -> None:
    client.result("Page.setInterceptFileChooserDialog", {"enabled": False}, form)

    assert len(evaluate(client, form, "document.getElementById('one').click()")) == 1


def test_the_files_are_in_the_input_and_its_handler_runs(client: Client, form: str) -> None:
    """An input for one file takes the first."""
    client.result(
        "DOM.setFileInputFiles", {**FILES, "backendNodeId": click(client, form, "one")["backendNodeId"]}, form
    )
    held = evaluate(client, form, "document.getElementById('many')")[-1]["result"]["result"]
    client.result("DOM.setFileInputFiles", {**FILES, "objectId": held["objectId"]}, form)

    assert value(client, form, "document.getElementById('one').files.length + window.chosen") == (
        "1C:\\fakepath\\first.txt"
    )
    assert value(client, form, "document.getElementById('many').files.length") == 2
    assert (held["className"], held["description"]) == ("HTMLInputElement", "input#many")


def test_a_page_that_is_frozen_is_not_clicked(client: Client, form: str) -> None:
    evaluate(client, form, "alert(1)")

    assert client.lines(
        "Input.dispatchMouseEvent", {"type": "mouseReleased", "x": 1, "y": 1, "button": "left"}, form
    ) == ["page reply to Input.dispatchMouseEvent"]
