"""What our side of the bridge and the page's (`supervisor/bridge/bridge.js`) say to each other."""

from __future__ import annotations

import base64
import hashlib
import json
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.protocol import fetch, page

HEADERS = [
    # Without an origin of its own, a document may read only what says so.
    fetch.HeaderEntry(name="Access-Control-Allow-Origin", value="*"),
    fetch.HeaderEntry(name="Content-Type", value="text/plain;charset=utf-8"),
    fetch.HeaderEntry(name="Cache-Control", value="no-store"),
]

KINDS = ("alert", "confirm", "prompt")


class Keys(Struct, frozen=True):
    """What one session's pages prove themselves with, and where they ask."""

    nonce: str
    """In each request: only our script knows it."""
    proof: str
    """In each reply: only we know it, and our script."""
    path: str
    """The same for all sessions of a supervisor."""
    farewell: str
    """The type of the event that takes the script back. The same for all sessions: a new script ends an old one."""

    @property
    def host(self) -> str:
        """For documents that have no site: a name that never resolves (RFC 6761)."""
        return f"{self.nonce[:16]}.invalid"


class Ask(Struct, frozen=True):
    """What a page asks."""

    type: str
    sandboxed: bool
    """The document is in a sandbox, as far as it can tell itself."""
    message: str
    default_prompt: str


def keys(secret: str, session_id: str) -> Keys:
    """Those of a session, from the supervisor's own secret."""

    def derive(*parts: str) -> str:
        return hashlib.sha256("\0".join((secret, *parts)).encode()).hexdigest()[:32]

    path = f"/.well-known/{derive('path')}"
    return Keys(derive("nonce", session_id), derive("proof", session_id), path, derive("farewell"))


def pattern(secret: str) -> fetch.RequestPattern:
    """The requests that are held for the bridge, wherever they seem to go."""
    return fetch.RequestPattern(url_pattern=f"*://*{keys(secret, '').path}")


def install(script: str, own: Keys) -> page.AddScriptToEvaluateOnNewDocument:
    """Put the script into all documents of a session, those to come before their own scripts."""
    given = json.dumps([own.nonce, own.proof, own.path, own.host, own.farewell])
    return page.AddScriptToEvaluateOnNewDocument(source=f"({script.strip()})(...{given})", run_immediately=True)


def take_back(own: Keys) -> page.AddScriptToEvaluateOnNewDocument:
    """Take the script out of all documents that there are."""
    source = f"window.dispatchEvent(new Event({json.dumps(own.farewell)}))"
    return page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True)


def is_for_us(url: str, own: Keys) -> bool:
    """The path is ours, and so nobody else's matter."""
    return url.partition("?")[0].partition("#")[0].endswith(own.path) or url.endswith(own.path)


def read(event: fetch.RequestPaused, own: Keys) -> Ask | None:
    """What our script asks; None for a request that it did not make."""
    request, url = event.request, urlsplit(event.request.url)
    is_exact = url.path == own.path and not (url.query or url.username or request.url_fragment)
    if not is_exact or request.method != "POST" or event.resource_type != "XHR":
        return None
    head, _, body = (request.post_data or "").partition("\n")
    match head.split(" "):
        case [own.nonce, kind, sandboxed, length] if kind in KINDS and length.isdecimal() and len(length) < 6:
            message, default = _cut(body, int(length))
            return Ask(kind, sandboxed == "1", message.replace("\r\n", "\n"), default)
        case _:
            return None


def _cut(text: str, units: int) -> tuple[str, str]:
    """In two, after so many of the units in which JavaScript counts."""
    coded = text.encode("utf-16-le", "replace")
    return coded[: 2 * units].decode("utf-16-le", "replace"), coded[2 * units :].decode("utf-16-le", "replace")


def answer(request_id: str, proof: str, accepted: bool, text: str) -> fetch.FulfillRequest:
    """The page gets this back from the function that it called."""
    return _reply(request_id, [proof, "answer", accepted, text])


def hand_over(request_id: str, proof: str) -> fetch.FulfillRequest:
    """The script is to call the page's own function."""
    return _reply(request_id, [proof, "native"])


def dismiss_script(request_id: str, proof: str) -> fetch.FulfillRequest:
    """The script is to take itself back, and to call the page's own function."""
    return _reply(request_id, [proof, "leave"])


def _reply(request_id: str, said: list[str | bool]) -> fetch.FulfillRequest:
    body = base64.b64encode(json.dumps(said).encode()).decode()
    return fetch.FulfillRequest(
        request_id=fetch.RequestId(request_id), response_code=200, response_headers=HEADERS, body=body
    )


def fail(request_id: str) -> fetch.FailRequest:
    """Let a request fail that is none of ours."""
    return fetch.FailRequest(request_id=fetch.RequestId(request_id), error_reason="BlockedByClient")
