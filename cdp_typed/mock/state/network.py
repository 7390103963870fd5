"""Network requests, response bodies and downloads as frozen values; `browser_state` holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from cdp_typed.mock.state.http import HttpRequest, HttpResponse


class FetchPattern(Struct, frozen=True):
    url: str = "*"
    type: str = ""
    stage: str = "Request"


class FetchSettings(Struct, frozen=True):
    """The patterns of `Fetch.enable`, and whether it handles authentication."""

    patterns: tuple[FetchPattern, ...]
    auth: bool


class Initiator(Struct, frozen=True):
    """Who caused a request: the document at `document`, or without one a client.

    `described` is its `Network.Initiator`. `referrer` and its `policy` are what the `Referer` is made of.
    `typed`: it counts as a URL that the user has typed.
    """

    document: str = ""
    referrer: str = ""
    policy: str = ""
    gesture: bool = False
    typed: bool = True
    described: Mapping[str, Any] = field(default_factory=lambda: {"type": "other"})


class NetworkRequest(Struct, frozen=True, kw_only=True):
    """A request in flight; the work that follows it is in `BrowserState.suspended`, under its `id`.

    `interceptors` are the sessions that are still to continue it at this stage; it is paused for the first one.
    `promise` is the key of the promise that it settles. `column` is the position in the script. `invalid_state`: it got
    a reply of the wrong kind, after which Chrome accepts no other. `original_url` is its URL before `redirects`.
    `redirect_response` is the site's redirect, whatever a client makes of it. `from_site` is the site's
    response, unless a client answers in its place. `cache` is its `Cache-Control`. `in_body`: an element of the body
    has caused it.
    """

    id: str
    number: int
    frame: str
    target: str
    loader: str
    type: str
    http: HttpRequest
    stage: Literal["request", "auth", "response"] = "request"
    interceptors: tuple[str, ...] = ()
    wants_response: frozenset[str] = frozenset()
    response: HttpResponse | None = None
    promise: str = ""
    column: int = 0
    invalid_state: bool = False
    redirects: int = 0
    original_url: str = ""
    redirect_response: HttpResponse | None = None
    initiator: Initiator = Initiator()
    from_site: HttpResponse | None = None
    cache: str = ""
    in_body: bool = False

    @property
    def interception_id(self) -> str:
        """Return its request id in the Fetch domain."""
        return f"interception-job-{self.number}.{self.redirects}"

    @property
    def redirected_interception_id(self) -> str:
        """Return that id before the last redirect."""
        return f"interception-job-{self.number}.{self.redirects - 1}"


class ResponseBody(Struct, frozen=True):
    """A response body, for `Network.getResponseBody`."""

    target: str
    frame: str
    loader: str
    text: str
    mime: str


class DownloadSettings(Struct, frozen=True):
    """The settings of `setDownloadBehavior`, and the sessions that get download events."""

    behavior: str = "default"
    path: str = ""
    listeners: frozenset[str] = frozenset()
