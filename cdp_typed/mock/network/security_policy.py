"""CSP, CORS and mixed content: the requests and responses that they block, with Chrome's console texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.mock.network.request_headers import HINTS
from cdp_typed.mock.site import origin_of
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.http import HttpRequest, HttpResponse, header
from cdp_typed.mock.state.step import origin_url_of

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class LogEntry(Struct, frozen=True):
    """The source, text and category of a `Log.LogEntry`."""

    source: str
    text: str
    category: str = ""


class CorsViolation(Struct, frozen=True):
    """The entry of a violation of CORS, and the `corsErrorStatus` of the request."""

    entry: LogEntry
    status: Mapping[str, str]


def needs_preflight(frame: FrameNode, http: HttpRequest) -> bool:
    """Return whether Chrome asks the server of another origin before it sends this request."""
    if origin_of(origin_url_of(frame)) == origin_of(http.url):
        return False
    safe = all(
        name.lower() in _SAFE_HEADERS or (name.lower(), text.partition(";")[0].strip().lower()) in _SAFE_TYPES
        for name, text in http.headers
    )
    return http.method not in ("GET", "HEAD", "POST") or not safe


_SAFE_HEADERS: Final = frozenset(
    {"accept", "accept-language", "content-language", "origin", "referer", "user-agent", *HINTS}
)
_SAFE_TYPES: Final = frozenset(
    ("content-type", kind) for kind in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
)


def request_violations(frame: FrameNode, http: HttpRequest, kind: str) -> tuple[LogEntry, ...]:
    """Return the violations for which the document may not send this `XHR` or `Fetch`."""
    headers = frame.document.headers
    if kind == "XHR" and "sync-xhr=()" in header(headers, "Permissions-Policy"):
        text = "Permissions policy violation: Synchronous requests are disabled by permissions policy."
        return (LogEntry("violation", text),)
    directive = "" if frame.bypasses_csp else _violated(header(headers, "Content-Security-Policy"), frame, http.url)
    if directive:
        text = (
            f"Connecting to '{http.url}' violates the following Content Security Policy directive: "
            f'"{directive}". The action has been blocked.'
        )
        return (LogEntry("security", text), *_fetch_refused(http, kind))
    if _is_mixed(origin_url_of(frame), http.url):
        what = "XMLHttpRequest endpoint" if kind == "XHR" else "resource"
        text = (
            f"Mixed Content: The page at '{frame.url}' was loaded over HTTPS, but requested an insecure {what} "
            f"'{http.url}'. This request has been blocked; the content must be served over HTTPS."
        )
        return (LogEntry("security", text),)
    return ()


def _fetch_refused(http: HttpRequest, kind: str) -> tuple[LogEntry, ...]:
    if kind != "Fetch":
        return ()
    text = (
        f"Fetch API cannot load {http.url}. Refused to connect because it violates the document's "
        "Content Security Policy."
    )
    return (LogEntry("javascript", text),)


def _violated(policy: str, frame: FrameNode, url: str) -> str:
    directives = {words[0]: words for words in (part.split() for part in policy.split(";")) if words}
    words = directives.get("connect-src") or directives.get("default-src") or []
    if not words:
        return ""
    origin = origin_of(url)
    sources = {origin_of(origin_url_of(frame)) if word == "'self'" else word.rstrip("/") for word in words[1:]}
    return "" if sources & {"*", origin, urlsplit(url).scheme + ":"} else " ".join(words)


def _is_mixed(page: str, url: str) -> bool:
    parts = urlsplit(url)
    return urlsplit(page).scheme == "https" and parts.scheme == "http" and parts.hostname not in _LOCAL


def cors_violation(
    frame: FrameNode, http: HttpRequest, response: HttpResponse, kind: str, original_url: str = ""
) -> CorsViolation | None:
    """Return the violation for which the document may not read the response, or None."""
    origin = origin_of(origin_url_of(frame))
    allowed = header(response.headers, "Access-Control-Allow-Origin")
    # A document with an opaque origin sends "null".
    shown_origin = "null" if origin == "://" else origin
    if origin == origin_of(http.url) or allowed in ("*", shown_origin):
        return None
    what = "XMLHttpRequest" if kind == "XHR" else "fetch"
    redirected = f" (redirected from '{original_url}')" if original_url else ""
    start = (
        f"Access to {what} at '{http.url}'{redirected} from origin '{shown_origin}' has been blocked by CORS policy: "
    )
    if allowed:
        problem = (
            f"The 'Access-Control-Allow-Origin' header has a value '{allowed}' that is not equal to the supplied "
            "origin. Have the server send the header with a valid value."
        )
    else:
        problem = "No 'Access-Control-Allow-Origin' header is present on the requested resource."
    name = "AllowOriginMismatch" if allowed else "MissingAllowOriginHeader"
    status = {"corsError": name, "failedParameter": allowed}
    return CorsViolation(LogEntry("javascript", start + problem, "cors"), status)
