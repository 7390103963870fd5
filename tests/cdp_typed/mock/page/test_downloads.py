"""Downloads of the mock: what begins one, its events, its end."""

from __future__ import annotations

from cdp_typed.mock import Link, Page
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

ATTACHMENT = {"Content-Disposition": 'attachment; filename="x.bin"', "Content-Type": "application/octet-stream"}
SITE = {
    f"{LOCAL}/": Page(
        title="links", elements=[Link("saved", "/plain", download="p.txt"), Link("x", "/x"), Link("away", "/plain")]
    ),
    f"{LOCAL}/x": Page(body="12345", headers=ATTACHMENT),
    f"{LOCAL}/nameless/y.bin": Page(headers={"Content-Disposition": "attachment"}),
    f"{LOCAL}/plain": Page(title="plain", body="plain"),
}


def allow(client: Client, behavior: str = "allow", *, path: str = "/downloads/", events: bool = True) -> None:
    params: Params = {"behavior": behavior, "downloadPath": path, "eventsEnabled": events}
    client.result("Browser.setDownloadBehavior", params)


def downloads(messages: list[Params]) -> list[str]:
    """Return the download events as lines."""
    lines: list[str] = []
    for message in messages:
        params = message.get("params", {})
        if "guid" in params:
            words = [message["method"], params.get("suggestedFilename"), params.get("receivedBytes")]
            words += [params.get("state"), params.get("filePath")]
            lines.append(" ".join(str(word) for word in words if word is not None))
    return lines


def navigate(client: Client, page: str, path: str) -> list[Params]:
    return client.send("Page.navigate", {"url": LOCAL + path}, page)


def test_the_session_that_asked_hears_of_it_beside_the_page(client: Client, page: str) -> None:
    allow(client)

    assert downloads(navigate(client, page, "/x")) == [
        "Page.downloadWillBegin x.bin",
        "Browser.downloadWillBegin x.bin",
        "Page.downloadProgress 0 inProgress",
        "Browser.downloadProgress 0 inProgress",
        "Page.downloadProgress 5 inProgress",
        "Browser.downloadProgress 5 inProgress",
        "Page.downloadProgress 5 completed",
        "Browser.downloadProgress 5 completed /downloads/x.bin",
    ]
    allow(client, events=False)
    assert downloads(navigate(client, page, "/x"))[1] == "Page.downloadProgress 0 inProgress"


def test_a_link_to_a_download_announces_where_it_leads(client: Client, page: str) -> None:
    navigate(client, page, "/")

    got = client.send("Runtime.evaluate", {"expression": "document.getElementById('x').click()"}, page)

    lines = [client.line(message) for message in got if "guid" not in message.get("params", {})]
    assert lines[:3] == [
        "page Page.frameScheduledNavigation top anchorClick",
        "page Page.frameRequestedNavigation top anchorClick",
        "page Page.frameClearedScheduledNavigation top",
    ]
    assert sorted(lines[3:]) == [
        "page Page.frameStartedLoading top",
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStoppedLoading top",
        "page reply to Runtime.evaluate = undefined",
    ]
    assert downloads(got)[-1] == "Page.downloadProgress 5 completed"
