"""HTTP requests and responses as values, and the responses of a site."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.mock.document_html import document_html
from cdp_typed.mock.site import Page, Site, origin_of
from cdp_typed.mock.urls import BLANK_URL

Headers = tuple[tuple[str, str], ...]
UNAUTHORIZED: Final = 401
_HTML: Final = "text/html; charset=utf-8"
_WITHOUT_BODY: Final = (204, 205)

REASONS: Final = {
    "Failed": "net::ERR_FAILED",
    "Aborted": "net::ERR_ABORTED",
    "TimedOut": "net::ERR_TIMED_OUT",
    "AccessDenied": "net::ERR_ACCESS_DENIED",
    "ConnectionClosed": "net::ERR_CONNECTION_CLOSED",
    "ConnectionReset": "net::ERR_CONNECTION_RESET",
    "ConnectionRefused": "net::ERR_CONNECTION_REFUSED",
    "ConnectionAborted": "net::ERR_CONNECTION_ABORTED",
    "ConnectionFailed": "net::ERR_CONNECTION_FAILED",
    "NameNotResolved": "net::ERR_NAME_NOT_RESOLVED",
    "InternetDisconnected": "net::ERR_INTERNET_DISCONNECTED",
    "AddressUnreachable": "net::ERR_ADDRESS_UNREACHABLE",
    "BlockedByClient": "net::ERR_BLOCKED_BY_CLIENT",
    "BlockedByResponse": "net::ERR_BLOCKED_BY_RESPONSE",
}
"""`Network.ErrorReason`, and Chrome's net error for each."""

_DATA: Final = re.compile(
    r"(?is)data:(?P<type>text/html(?:;(?!base64)[^,;]*)*)(?P<encoded>;base64)?,(?P<text>[^#]*)(?:#.*)?"
)
_TITLE: Final = (re.compile("<title", re.IGNORECASE), re.compile("</title>", re.IGNORECASE))
_SCRIPT: Final = (re.compile("<script(?=>)", re.IGNORECASE), re.compile("</script>", re.IGNORECASE))


class HttpRequest(Struct, frozen=True):
    method: str
    url: str
    headers: Headers = ()
    body: str | None = None


class HttpResponse(Struct, frozen=True):
    """A response, or with `error` (as `net::ERR_FAILED`) a failure. `page` is the document of the site."""

    status: int = 0
    headers: Headers = ()
    body: str = ""
    error: str = ""
    status_text: str = ""
    page: Page | None = None


def document_at(site: Site, url: str) -> Page | None:
    """Return the document of the site at this URL, or that of an HTML `data:` URL; None if there is none."""
    match = _DATA.fullmatch(url)
    if match is None or site.page(url) is not None:
        return site.page(url)
    return page_of(HttpResponse(200, body=_text_of(match)))


def _text_of(data: re.Match[str]) -> str:
    text = unquote(data["text"])
    if not data["encoded"]:
        return text
    try:
        return base64.b64decode(text, validate=True).decode()
    except ValueError:
        return ""


def is_requested(url: str) -> bool:
    """Return whether a document at this URL is requested over the network."""
    return urlsplit(url).scheme in ("http", "https")


def is_reported(url: str) -> bool:
    """Return whether the Network domain reports the load of a document at this URL."""
    return urlsplit(url).scheme in ("http", "https", "data")


def header(headers: Headers | Mapping[str, str], name: str) -> str:
    """Return a header's value, ignoring case; empty if there is none."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    return next((value for key, value in pairs if key.lower() == name.lower()), "")


def mime_type(headers: Headers | Mapping[str, str]) -> str:
    """Return the type of a response's content, without its parameters."""
    return header(headers, "Content-Type").partition(";")[0].strip()


def charset_of(headers: Headers) -> str:
    """Return the character set that the response names; empty if it names none."""
    parameters = (part.strip().partition("=") for part in header(headers, "Content-Type").split(";")[1:])
    return next((value for name, _, value in parameters if name.lower() == "charset"), "")


def phrase(response: HttpResponse) -> str:
    """Return the status text."""
    known = {status.value: status.phrase for status in HTTPStatus}
    return response.status_text or known.get(response.status, "")


def site_response(site: Site, http: HttpRequest, logins: frozenset[str]) -> HttpResponse:
    """Return the site's response. `logins` are the stored credentials of each origin."""
    page = site.page(http.url)
    made = _DATA.fullmatch(http.url)
    if made is not None and page is None:
        return HttpResponse(200, (("Content-Type", made["type"]),), _text_of(made))
    if page is None or http.url == BLANK_URL:
        error = site.failure(http.url)
        if error == "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
            return HttpResponse(404, (("Content-Type", _HTML),))
        unknown = (urlsplit(http.url).hostname or "").endswith(".invalid")
        return HttpResponse(error="net::ERR_NAME_NOT_RESOLVED" if unknown else error)
    headers: Headers = tuple({"Content-Type": _HTML, **page.headers}.items())
    if page.login and with_login(http.url, page.login) not in logins:
        challenge = ("WWW-Authenticate", f'Basic realm="{origin_of(http.url)}"')
        return HttpResponse(UNAUTHORIZED, (*headers, challenge), document_html(Page()), page=Page())
    return HttpResponse(page.status, headers, page.body or _body(page, headers), page=page)


def _body(page: Page, headers: Headers) -> str:
    is_document = mime_type(headers) == "text/html" and not header(headers, "Content-Disposition")
    return document_html(page) if is_document and page.status not in _WITHOUT_BODY else ""


def with_login(url: str, login: str) -> str:
    """Return the entry of `logins` for `user:password` at the origin of this URL."""
    return f"{origin_of(url)} {base64.b64encode(login.encode()).decode()}"


def _contents(html: str, begins: re.Pattern[str], ends: re.Pattern[str]) -> Iterator[str]:
    """Yield the content of each element with these tags, up to the first one without an end tag."""
    at = 0
    while (begin := begins.search(html, at)) and (start := html.find(">", begin.end()) + 1):
        end = ends.search(html, start)
        if end is None:
            return
        yield html[start : end.start()]
        at = end.end()


class ClientsDocument(Page, frozen=True, kw_only=True):
    """A document that a client or a script has written, of which the mock reads no more than `page_of` says."""


def page_of(response: HttpResponse) -> Page | None:
    """Return the document for a response; None for an error.

    Of HTML that a client made, the title and the inline scripts are read.
    """
    if response.error:
        return None
    headers = dict(response.headers)
    if response.page is not None:
        return replace(response.page, status=response.status, headers=headers, body=response.body)
    return ClientsDocument(
        title=next(_contents(response.body, *_TITLE), "").strip(),
        script=";".join(_contents(response.body, *_SCRIPT)),
        status=response.status,
        headers=headers,
        body=response.body,
    )
