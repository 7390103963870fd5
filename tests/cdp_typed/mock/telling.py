"""Pages that ask the network, and the telling of it as short lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.cdp_typed.mock.wire import LOCAL, Client, Params

__all__ = ["SEND", "evaluate", "told", "value", "visit"]

SEND = "var x = new XMLHttpRequest(); x.open('GET', '{}', false); x.send(); x.responseText"


def visit(
    client: Client, session: str, path: str = "/", *, domains: Sequence[str] = ("Network", "Log")
) -> list[Params]:
    """Show a page with these domains enabled; what came."""
    client.enable(session, *domains)
    return client.send("Page.navigate", {"url": path if "://" in path else LOCAL + path}, session)


def told(messages: list[Params]) -> list[str]:
    """The events of Network and Log, each with what tells it apart."""
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
