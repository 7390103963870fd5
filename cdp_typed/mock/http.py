"""The HTTP side of the debugging port: `/json/version`, `/json/list`, `/json/close` and `/json/protocol`."""

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
_CLOSE = "/json/close/"
_HTML = "text/html; charset=UTF-8"
_NEW_IS_A_PUT = b"cdp_typed.mock cannot open a page over HTTP: send Target.createTarget"


class Answer(Struct, frozen=True):
    """An HTTP response."""

    status: HTTPStatus
    body: bytes
    content_type: str = "application/json; charset=UTF-8"


def answer(
    browser: MockBrowser, path: str, host: str, *, token: str = "", missing: frozenset[str] = frozenset()
) -> Answer | None:
    """The response to a GET of `path`, or None if it is the address of a websocket.

    `host` is host and port; `token` goes into the addresses; `missing` are commands that the schema shall not have.
    """
    plain = path.partition("?")[0].rstrip("/") or "/"
    if plain == BROWSER_PATH or plain.removeprefix(PAGE_PATH) in browser.state.targets:
        return None
    match plain:
        case "/json/version":
            return _json(_version(host, token))
        case "/json" | "/json/list":
            return _json(_list(browser, host, token))
        case "/json/protocol":
            return Answer(HTTPStatus.OK, _schema_without(missing) if missing else schema_bytes())
        case _ if plain.startswith(_CLOSE):
            return _close(browser, plain.removeprefix(_CLOSE))
        case "/json/new":
            # Chrome wants a PUT, and the websocket library takes nothing but a GET: a client reads why.
            return Answer(HTTPStatus.METHOD_NOT_ALLOWED, _NEW_IS_A_PUT, _HTML)
        case _ if plain.startswith("/json/"):
            unknown = f"Unknown command: {plain.removeprefix('/json/')}".encode()
            return Answer(HTTPStatus.NOT_FOUND, unknown, _HTML)
        case _:
            return Answer(HTTPStatus.NOT_FOUND, b"", _HTML)


def _json(value: Any) -> Answer:
    return Answer(HTTPStatus.OK, json.dumps(value, indent=3).encode())


def _schema_without(missing: frozenset[str]) -> bytes:
    schema = json.loads(schema_bytes())
    for domain in schema["domains"]:
        commands = domain.get("commands", [])
        domain["commands"] = [item for item in commands if f"{domain['domain']}.{item['name']}" not in missing]
    return json.dumps(schema).encode()


def _close(browser: MockBrowser, target: str) -> Answer:
    if target not in {page.id for page in browser.pages}:
        return Answer(HTTPStatus.NOT_FOUND, f"No such target id: {target}".encode(), _HTML)
    browser.close_page(target)
    return Answer(HTTPStatus.OK, b"Target is closing", _HTML)


def _version(host: str, token: str) -> dict[str, str]:
    return {
        "Browser": VERSION["product"],
        "Protocol-Version": VERSION["protocolVersion"],
        "User-Agent": VERSION["userAgent"],
        "V8-Version": VERSION["jsVersion"],
        "WebKit-Version": "0",
        "webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}{token}",
    }


def _list(browser: MockBrowser, host: str, token: str) -> list[dict[str, str]]:
    return [
        {
            "description": "",
            "devtoolsFrontendUrl": "",
            "id": target.id,
            "title": target.title,
            "type": target.type,
            "url": target.url,
            "webSocketDebuggerUrl": f"ws://{host}{PAGE_PATH}{target.id}{token}",
        }
        for target in browser.state.targets.values()
        if target.type != "tab"
    ]
