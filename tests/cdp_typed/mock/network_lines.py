"""Helpers for pages that send requests, and their network events as short lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

SEND = "var x = new XMLHttpRequest(); x.open('GET', '{}', false); x.send(); x.responseText"


def visit(
    client: Client, session: str, path: str = "/", *, domains: Sequence[str] = ("Network", "Log")
) -> list[Params]:
    """Navigate with these domains enabled; return all messages."""
    client.enable(session, *domains)
    return client.send("Page.navigate", {"url": path if "://" in path else LOCAL + path}, session)


def told(messages: list[Params]) -> list[str]:
    """Return the events of Network and Log as lines."""
    lines: list[str] = []
    for message in messages:
        domain, _, event = message.get("method", "").partition(".")
        params = message.get("params", {})
        if domain == "Log":
            lines.append(f"{params['entry']['source']}: {params['entry']['text']}")
        elif domain == "Network":
            shown = params.get("request", params.get("response", {}))
            words = [params.get("type"), shown.get("url"), shown.get("status"), params.get("errorText")]
            lines.append(" ".join([event, *[str(word) for word in words if word is not None]]))
    return lines


def evaluate(client: Client, session: str, expression: str) -> list[Params]:
    return client.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True}, session)


def value(messages: list[Params]) -> Any:
    result = messages[-1]["result"]["result"]
    return result.get("value", result.get("description"))
