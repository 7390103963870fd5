"""The HTTP side of the debugging port: `/json/version` and the like, and the checks of a websocket upgrade.

Paths, verbs, statuses and texts are those of Chromium 156. It accepts any verb for anything but `/json/new`, which
requires PUT; it rejects a `Host` that is neither an IP address nor localhost, and a websocket with an `Origin`.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.engine.handle import version
from cdp_typed.mock.personality import LOCAL, Personality
from cdp_typed.mock.state.browser_state import Target
from cdp_typed.mock.target.attachment import BROWSER_ID
from cdp_typed.mock.urls import BLANK_URL, is_valid_url
from cdp_typed.schema import schema_bytes

BROWSER_PATH = f"/devtools/browser/{BROWSER_ID}"
PAGE_PATH = "/devtools/page/"
_HTML = "text/html"
_WRONG_HOST = b"Host header is specified and is not an IP address or localhost."


class PortRequest(Struct, frozen=True):
    """The head of a request; the names of its fields are in lower case."""

    verb: str
    path: str
    query: str
    fields: Mapping[str, str]

    @property
    def host(self) -> str:
        """Return the `Host` header."""
        return self.fields.get("host", "")

    @property
    def upgrades(self) -> bool:
        """Return whether the client asks for a websocket."""
        return self.fields.get("upgrade", "").lower() == "websocket" and "sec-websocket-key" in self.fields


class PortResponse(Struct, frozen=True):
    """A response of the debugging port."""

    status: HTTPStatus
    body: bytes
    content_type: str = "application/json; charset=UTF-8"


def read_request(head: bytes) -> PortRequest | None:
    """Parse the head of a request; None if it is not HTTP."""
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return None
    path, _, query = words[1].partition("?")
    pairs = (line.partition(":") for line in lines if line)
    return PortRequest(words[0], path, query, {name.strip().lower(): value.strip() for name, _, value in pairs})


class DebuggingPort:
    """The HTTP endpoints of one browser's debugging port."""

    def __init__(self, browser: MockBrowser, personality: Personality = LOCAL) -> None:
        self._browser = browser
        self._missing = personality.missing
        self._version = version(personality.chromium, personality.product)

    def answer(self, request: PortRequest, token: str = "") -> PortResponse | None:
        """Return the response, or None to upgrade to a websocket; `token` is appended to websocket URLs."""
        if not _is_local(request.host):
            return PortResponse(HTTPStatus.INTERNAL_SERVER_ERROR, _WRONG_HOST, _HTML)
        if request.upgrades:
            return self._upgrade(request)
        path = request.path
        if path == "/":
            return PortResponse(HTTPStatus.OK, b"", "text/html; charset=UTF-8")
        if path == "/json":
            path = "/json/list"
        if path.startswith("/devtools/"):
            return PortResponse(HTTPStatus.OK, b"", "text/plain")
        if not path.startswith("/json/"):
            return PortResponse(HTTPStatus.NOT_FOUND, b"", _HTML)
        command, _, argument = path.removeprefix("/json/").partition("/")
        return self._command(command, argument, request, token)

    def _upgrade(self, request: PortRequest) -> PortResponse | None:
        target = request.path.removeprefix(PAGE_PATH)
        if request.path == BROWSER_PATH or target in self._browser.state.targets:
            return None if "origin" not in request.fields else _foreign(request.fields["origin"])
        if request.path.startswith(PAGE_PATH):
            return PortResponse(HTTPStatus.INTERNAL_SERVER_ERROR, f"No such target id: {target}".encode(), _HTML)
        return PortResponse(HTTPStatus.NOT_FOUND, b"", _HTML)

    def _command(self, command: str, argument: str, request: PortRequest, token: str) -> PortResponse:
        match command:
            case "version":
                return _json(_version(self._version, request.host, token))
            case "list":
                targets = [item for item in self._browser.state.targets.values() if item.type != "tab"]
                return _json([_described(item, request.host, token) for item in targets])
            case "protocol":
                schema = _schema_without(self._missing) if self._missing else schema_bytes()
                return PortResponse(HTTPStatus.OK, schema)
            case "new":
                return self._new(request, token)
            case "activate" | "close":
                return self._with_page(command, argument)
            case _:
                return PortResponse(HTTPStatus.NOT_FOUND, f"Unknown command: {command}".encode())

    def _new(self, request: PortRequest, token: str) -> PortResponse:
        if request.verb != "PUT":
            words = f"Using unsafe HTTP verb {request.verb} to invoke /json/new. This action supports only PUT verb."
            return PortResponse(HTTPStatus.METHOD_NOT_ALLOWED, words.encode())
        url = unquote(request.query)
        page = self._browser.open_page(url if is_valid_url(url) else BLANK_URL)
        return _json(_described(self._browser.state.targets[page], request.host, token))

    def _with_page(self, command: str, target: str) -> PortResponse:
        if target not in {page.id for page in self._browser.pages}:
            return PortResponse(HTTPStatus.NOT_FOUND, f"No such target id: {target}".encode())
        if command == "activate":
            return PortResponse(HTTPStatus.OK, b"Target activated")
        self._browser.close_page(target)
        return PortResponse(HTTPStatus.OK, b"Target is closing")


def _is_local(host: str) -> bool:
    """Return whether Chrome accepts the host: an IP address, localhost, or none."""
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return name == "" or name.lower() == "localhost" or name.lower().endswith(".localhost")


def _foreign(origin: str) -> PortResponse:
    words = (
        f"Rejected an incoming WebSocket connection from the {origin} origin. Use the command line flag "
        f"--remote-allow-origins={origin} to allow connections from this origin or --remote-allow-origins=* to allow "
        "all origins."
    )
    return PortResponse(HTTPStatus.FORBIDDEN, words.encode(), _HTML)


def _json(value: Any) -> PortResponse:
    return PortResponse(HTTPStatus.OK, json.dumps(value, indent=3).encode())


def _schema_without(missing: frozenset[str]) -> bytes:
    schema = json.loads(schema_bytes())
    for domain in schema["domains"]:
        commands = domain.get("commands", [])
        domain["commands"] = [item for item in commands if f"{domain['domain']}.{item['name']}" not in missing]
    return json.dumps(schema).encode()


def _version(version_info: dict[str, str], host: str, token: str) -> dict[str, str]:
    return {
        "Browser": version_info["product"],
        "Protocol-Version": version_info["protocolVersion"],
        "User-Agent": version_info["userAgent"],
        "V8-Version": version_info["jsVersion"],
        "WebKit-Version": f"537.36 (@{'0' * 40})",
        "webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}{token}",
    }


def _described(target: Target, host: str, token: str) -> dict[str, str]:
    return {
        "description": "",
        "devtoolsFrontendUrl": "",
        "id": target.id,
        "title": target.title,
        "type": target.type,
        "url": target.url,
        "webSocketDebuggerUrl": f"ws://{host}{PAGE_PATH}{target.id}{token}",
    }
