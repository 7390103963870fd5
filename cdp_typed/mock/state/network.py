"""Network requests, response bodies and downloads as frozen values; `browser_state` holds them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cdp_typed.mock.state.http import HttpRequest, HttpResponse


class FetchPattern(Struct, frozen=True):
    url: str = "*"
    type: str = ""
    stage: str = "Request"


class FetchSettings(Struct, frozen=True):
    """The patterns of `Fetch.enable`, and whether it handles authentication."""

    patterns: tuple[FetchPattern, ...]
    auth: bool


class NetworkRequest(Struct, frozen=True, kw_only=True):
    """A request in flight; the work that follows it is in `BrowserState.suspended`, under its `id`.

    `interceptors` are the sessions that are still to continue it at this stage; it is paused for the first one.
    `promise` is the key of the promise that it settles. `column` is the position in the script. `invalid_state`: it got
    a reply of the wrong kind, after which Chrome accepts no other. `original_url` is its URL before `redirects`.
    `redirect_response` is the site's redirect, whatever a client makes of it.
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
