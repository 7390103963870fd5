"""Network requests, response bodies and downloads as frozen values; `browser` holds them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cdp_typed.mock.state.http import HttpRequest, HttpResponse

__all__ = ["DownloadSettings", "FetchPattern", "FetchSettings", "NetworkRequest", "ResponseBody"]


class FetchPattern(Struct, frozen=True):
    url: str = "*"
    type: str = ""
    stage: str = "Request"


class FetchSettings(Struct, frozen=True):
    """Which requests a session wants to hold, and whether it logs in."""

    patterns: tuple[FetchPattern, ...]
    auth: bool


class NetworkRequest(Struct, frozen=True, kw_only=True):
    """A request on its way; what goes on when it has ended is in `State.suspended`, under its `id`.

    `holders` are the sessions that are yet to let it go on from this stage; the first of them has it. `promise` is the
    key of the one that it settles. `column` is the place in the script that asked. One that is `stuck` got an answer of
    the wrong kind, after which Chrome takes no other. After `redirects` its first address is in `asked`.
    `moved` is the site's answer that redirects it, whatever a client makes of that answer.
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
        """Its id in the Fetch domain."""
        return f"interception-job-{self.number}.{self.redirects}"

    @property
    def redirected_interception_id(self) -> str:
        """What that was before the last redirect."""
        return f"interception-job-{self.number}.{self.redirects - 1}"


class ResponseBody(Struct, frozen=True):
    """What a request brought, for `Network.getResponseBody`."""

    target: str
    frame: str
    loader: str
    text: str
    mime: str


class DownloadSettings(Struct, frozen=True):
    """What `setDownloadBehavior` asked for, and the sessions that hear of downloads."""

    behavior: str = "default"
    path: str = ""
    listeners: frozenset[str] = frozenset()
