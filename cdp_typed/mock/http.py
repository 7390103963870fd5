"""The HTTP side of the debugging port: `/json/version`, `/json/list` and `/json/protocol`."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from cdp_typed.mock.browser import MockBrowser
from cdp_typed.mock.core import VERSION
from cdp_typed.mock.target_domain import BROWSER_ID
from cdp_typed.schema import schema_bytes

__all__ = ["BROWSER_PATH", "PAGE_PATH", "Answer", "answer"]

BROWSER_PATH = f"/devtools/browser/{BROWSER_ID}"
PAGE_PATH = "/devtools/page/"


class Answer(Struct, frozen=True):
    """An HTTP response."""

    status: HTTPStatus
    body: bytes
    content_type: str = "application/json; charset=UTF-8"


def answer(browser: MockBrowser, path: str, host: str) -> Answer | None:
    """The response to a GET of `path`, or None if it is the address of a websocket. `host` is host and port."""
    plain = path.partition("?")[0].rstrip("/") or "/"
    if plain == BROWSER_PATH or plain.removeprefix(PAGE_PATH) in browser.state.targets:
        return None
    match plain:
        case "/json/version":
            return _json(_version(host))
        case "/json" | "/json/list":
            return _json(_list(browser, host))
        case "/json/protocol":
            return Answer(HTTPStatus.OK, schema_bytes())
        case _ if plain.startswith("/json/"):
            unknown = f"Unknown command: {plain.removeprefix('/json/')}".encode()
            return Answer(HTTPStatus.NOT_FOUND, unknown, "text/html; charset=UTF-8")
        case _:
            return Answer(HTTPStatus.NOT_FOUND, b"", "text/html; charset=UTF-8")


def _json(value: Any) -> Answer:
    return Answer(HTTPStatus.OK, json.dumps(value, indent=3).encode())


def _version(host: str) -> dict[str, str]:
    return {
        "Browser": VERSION["product"],
        "Protocol-Version": VERSION["protocolVersion"],
        "User-Agent": VERSION["userAgent"],
        "V8-Version": VERSION["jsVersion"],
        "WebKit-Version": "0",
        "webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}",
    }


def _list(browser: MockBrowser, host: str) -> list[dict[str, str]]:
    return [
        {
            "description": "",
            "devtoolsFrontendUrl": "",
            "id": target.id,
            "title": target.title,
            "type": target.type,
            "url": target.url,
            "webSocketDebuggerUrl": f"ws://{host}{PAGE_PATH}{target.id}",
        }
        for target in browser.state.targets.values()
        if target.type != "tab"
    ]
