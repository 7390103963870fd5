"""A site with requests to intercept, and helpers for the Fetch domain."""

from __future__ import annotations

from typing import Any

from cdp_typed.mock import Page, Resource
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client, Params

SITE = {
    f"{LOCAL}/": Page(title="blank"),
    f"{LOCAL}/data": Page(body="[1]", headers={"Content-Type": "application/json"}),
    f"{LOCAL}/image": Page(title="image", resources=[Resource("/i.png")]),
    f"{LOCAL}/i.png": Page(body="png", headers={"Content-Type": "image/png"}),
    f"{LOCAL}/scripts": Page(resources=[Resource("/one.js", "Script"), Resource("/two.js", "Script")]),
    f"{LOCAL}/one.js": Page(body="window.order = 'one'"),
    f"{LOCAL}/two.js": Page(body="window.order = order + ' two'"),
    f"{REMOTE}/data": Page(body="secret"),
}
ASKING = "fetch('/data').then(r => r.text())"


def hold(client: Client, session: str, **params: Any) -> None:
    client.result("Fetch.enable", params, session)


def paused(client: Client) -> Params:
    """Return the parameters of the last `Fetch.requestPaused`."""
    return dict([item for item in client.inbox if item.get("method") == "Fetch.requestPaused"][-1]["params"])


def decide(client: Client, session: str, call: str, **params: Any) -> list[str]:
    return client.lines(f"Fetch.{call}", {"requestId": paused(client)["requestId"], **params}, session)


def evaluate(client: Client, session: str, expression: str, **params: Any) -> list[str]:
    return client.lines("Runtime.evaluate", {"expression": expression, "awaitPromise": True, **params}, session)
