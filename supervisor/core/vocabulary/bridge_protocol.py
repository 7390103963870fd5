"""The requests of the bridge's script (`supervisor/bridge/bridge.js`) and the responses of the supervisor."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.protocol import fetch, page

HEADERS = [
    # A document with an opaque origin may read only responses that allow any origin.
    fetch.HeaderEntry(name="Access-Control-Allow-Origin", value="*"),
    fetch.HeaderEntry(name="Content-Type", value="text/plain;charset=utf-8"),
    fetch.HeaderEntry(name="Cache-Control", value="no-store"),
]

KINDS = ("alert", "confirm", "prompt")


class SessionKeys(Struct, frozen=True):
    """The secrets and the addresses by which the pages of one session and the supervisor recognise each other."""

    nonce: str
    """In each request: proves that the script made it."""
    proof: str
    """In each response: proves that the supervisor made it."""
    path: str
    """The URL path of the requests. The same for all sessions of a supervisor."""
    removal_event: str
    """The type of the DOM event that removes the script. The same for all sessions: a new script removes an old one."""

    @property
    def host(self) -> str:
        """The host for documents without one: a name that never resolves (RFC 6761)."""
        return f"{self.nonce[:16]}.invalid"


class DialogRequest(Struct, frozen=True):
    """The dialog that a page asks for."""

    type: str
    sandboxed: bool
    """The document says that it is in a sandbox."""
    message: str
    default_prompt: str


def session_keys(secret: str, session_id: str) -> SessionKeys:
    """Derive the keys of a session from the supervisor's secret."""

    def derive(*parts: str) -> str:
        return hashlib.sha256("\0".join((secret, *parts)).encode()).hexdigest()[:32]

    path = f"/.well-known/{derive('path')}"
    return SessionKeys(derive("nonce", session_id), derive("proof", session_id), path, derive("removal_event"))


def pattern(secret: str) -> fetch.RequestPattern:
    """Return the pattern of the requests that are held for the bridge, on any host."""
    return fetch.RequestPattern(url_pattern=f"*://*{session_keys(secret, '').path}")


def install(script: str, keys: SessionKeys) -> page.AddScriptToEvaluateOnNewDocument:
    """Return the command that puts the script into all documents of a session, before their own scripts."""
    arguments = json.dumps([keys.nonce, keys.proof, keys.path, keys.host, keys.removal_event])
    return page.AddScriptToEvaluateOnNewDocument(source=f"({script.strip()})(...{arguments})", run_immediately=True)


def remove(keys: SessionKeys) -> page.AddScriptToEvaluateOnNewDocument:
    """Return the command that removes the script from all present documents."""
    source = f"window.dispatchEvent(new Event({json.dumps(keys.removal_event)}))"
    return page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True)


def is_for_us(url: str, keys: SessionKeys) -> bool:
    """Return True for a URL with the bridge's path; no server ever gets such a request."""
    return url.partition("?")[0].partition("#")[0].endswith(keys.path) or url.endswith(keys.path)


def read(event: fetch.RequestPaused, keys: SessionKeys) -> DialogRequest | None:
    """Return the dialog that the script asks for; None for a request that the script did not make."""
    request, url = event.request, urlsplit(event.request.url)
    is_exact = url.path == keys.path and not (url.query or url.username or request.url_fragment)
    if not is_exact or request.method != "POST" or event.resource_type != "XHR":
        return None
    head, _, body = (request.post_data or "").partition("\n")
    match head.split(" "):
        case [keys.nonce, kind, sandboxed, length] if kind in KINDS and length.isdecimal() and len(length) < 6:
            message, default = _cut(body, int(length))
            return DialogRequest(kind, sandboxed == "1", message.replace("\r\n", "\n"), default)
        case _:
            return None


def with_texts(post_data: str, change: Callable[[str], str]) -> str:
    """Return the body of such a request with its texts changed; what is no such body is one text."""
    head, newline, body = post_data.partition("\n")
    first, _, length = head.rpartition(" ")
    if not (newline and length.isdecimal() and len(length) < 6):
        return change(post_data)
    message, default = (change(text) for text in _cut(body, int(length)))
    return f"{first} {len(message.encode('utf-16-le', 'replace')) // 2}\n{message}{default}"


def _cut(text: str, units: int) -> tuple[str, str]:
    """Split a text after a number of UTF-16 code units, the unit of JavaScript's `length`."""
    coded = text.encode("utf-16-le", "replace")
    return coded[: 2 * units].decode("utf-16-le", "replace"), coded[2 * units :].decode("utf-16-le", "replace")


def answer(request_id: str, proof: str, accepted: bool, text: str) -> fetch.FulfillRequest:
    """Return the response with the result of the function that the page called."""
    return _reply(request_id, [proof, "answer", accepted, text])


def hand_over(request_id: str, proof: str) -> fetch.FulfillRequest:
    """Return the response that makes the script call the page's own function."""
    return _reply(request_id, [proof, "native"])


def dismiss_script(request_id: str, proof: str) -> fetch.FulfillRequest:
    """Return the response that makes the script remove itself and call the page's own function."""
    return _reply(request_id, [proof, "leave"])


def _reply(request_id: str, said: list[str | bool]) -> fetch.FulfillRequest:
    body = base64.b64encode(json.dumps(said).encode()).decode()
    return fetch.FulfillRequest(
        request_id=fetch.RequestId(request_id), response_code=200, response_headers=HEADERS, body=body
    )


def fail(request_id: str) -> fetch.FailRequest:
    """Return the command that fails a request which the script did not make."""
    return fetch.FailRequest(request_id=fetch.RequestId(request_id), error_reason="BlockedByClient")
