"""One navigation, as a page's events report it: its document, the response, and its progress."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from cdp_typed._base import Event
from cdp_typed.addresses import redact
from cdp_typed.errors import NavigationFailed, NavigationTimeout
from cdp_typed.protocol import network, page
from cdp_typed.redaction.texts import without_credentials

NavigationKind: TypeAlias = Literal[
    "document", "same-document", "restored", "download", "no-content", "script", "external", "no-entry"
]

Until: TypeAlias = Literal["load", "domcontentloaded", "commit"]

WATCHED = (
    page.LifecycleEvent,
    page.FrameNavigated,
    page.FrameStoppedLoading,
    page.NavigatedWithinDocument,
    network.ResponseReceived,
    network.LoadingFailed,
)

_STAGES: dict[Until, str] = {"load": "load", "domcontentloaded": "DOMContentLoaded", "commit": "commit"}

_EMPTY = {204, 205}
"""Status codes whose responses leave the page where it is."""

_LOADED_BY_BROWSERS = (
    "about", "blob", "chrome", "chrome-extension", "chrome-untrusted", "data", "devtools", "edge", "file", "filesystem",
    "http", "https", "view-source",
)  # fmt: skip

_SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+):\d+([/?#]|$)", re.ASCII)


class NavigationResult(Struct, frozen=True, kw_only=True):
    """The result of a navigation. Only `"document"`, `"same-document"` and `"restored"` changed the page.

    - `"document"`: a new document, which has reached the stage `until`.
    - `"same-document"`: the address changed, the document did not (a fragment, an entry of `history.pushState`).
    - `"restored"`: a document from the back/forward cache, loaded long ago.
    - `"download"`: the browser downloads the response, or refused to download it as instructed.
    - `"no-content"`: the server answered 204 or 205.
    - `"script"`: a `javascript:` address; the page runs it, and its result is unknown.
    - `"external"`: an address for another program, such as `mailto:`; the browser opens that program if it knows one.
    - `"no-entry"`: there is no page before or after this one.
    """

    kind: NavigationKind
    url: str
    """The address of the page after redirects; if the page has not moved, the requested address."""
    loader_id: network.LoaderId | None = None
    """The id of the document, or of the request for one."""
    status: int | None = None
    """The status code of the response, such as 200 or 404; `None` if no server was asked."""


def _shown(url: str) -> str:
    """Return an address for a sentence, without credentials: only the scheme of one without a host, such as `data:`."""
    scheme, _, rest = url.partition(":")
    if scheme == "about":
        return url
    return without_credentials(url) if rest.startswith("//") else f"{scheme}:..."


def require_until(until: str) -> None:
    """Raise `ValueError` if no page has this stage."""
    if until not in get_args(Until):
        raise ValueError(f"until must be one of {', '.join(get_args(Until))}, not {until!r}")


class DocumentWatch:
    """Follows the main frame's document through events, which must be fed in order."""

    def __init__(self, url: str, until: Until, timeout: float | None) -> None:
        if _HOST_AND_PORT.match(url):
            raise ValueError(f"{redact(url)} has no scheme; write http://{redact(url)}")
        if url and not _SCHEME.match(url):
            instead = f"write https://{redact(url)}" if "." in url else "such as https://"
            raise ValueError(f"{redact(url)} has no scheme; {instead}")
        self._url = url
        self._until: Until = until
        self._timeout = timeout
        self._frame_id: page.FrameId | None = None
        self._expected: network.LoaderId | None = None
        self._document: page.Frame | None = None
        self._stages: set[str] = set()
        self._response: network.RequestId | None = None
        self._statuses: dict[str, int] = {}
        self._failures: dict[str, str] = {}
        self._arrival: NavigationResult | None = None

    def expect(self, frame_id: page.FrameId, loader_id: network.LoaderId | None) -> None:
        """Wait for this document in this frame, or for any change of the frame."""
        self._frame_id = frame_id
        self._expected = loader_id

    @property
    def arrival(self) -> NavigationResult | None:
        """The result of the navigation, once it is known."""
        return self._arrival

    def feed(self, event: Event) -> None:
        """Process an event. Raises `NavigationFailed` for the error page of a document that was followed."""
        match event:
            case network.ResponseReceived(type="Document", request_id=request, response=response):
                self._statuses[request] = response.status
                if event.frame_id == self._frame_id:
                    self._response = request
            case network.LoadingFailed(type="Document", request_id=request, error_text=text):
                self._failures[request] = text
            case page.FrameStoppedLoading() if event.frame_id == self._frame_id:
                self._on_stopped()
            case page.FrameNavigated(frame=frame) if frame.id == self._frame_id:
                self._on_document(frame, restored=event.type == "BackForwardCacheRestore")
            case page.NavigatedWithinDocument() if event.frame_id == self._frame_id and self._expected is None:
                self._on_same_document(event)
            case page.LifecycleEvent(loader_id=self._expected, name=name) if name != "init":
                self._stages.add(name)
            case _:
                return
        self._arrive()

    @property
    def lacks_frame(self) -> bool:
        """True if the document came before the page reported its frames: ask, and `announce` its frame."""
        return self._document is None and bool(self._stages)

    def announce(self, frame: page.Frame) -> None:
        """Set the main frame as the page has it now."""
        if frame.loader_id != self._expected:
            self._stages.clear()
            self._expected = frame.loader_id
        self._on_document(frame, restored=False)
        self._arrive()

    def _arrive(self) -> None:
        if self._document is not None and _STAGES[self._until] in self._stages and self._arrival is None:
            self._arrival = self._result("document", self._document)

    def _on_same_document(self, event: page.NavigatedWithinDocument) -> None:
        # The page's own script may call history.pushState() at any time.
        if event.url == self._url or event.navigation_type in {None, "fragment"}:
            self._arrival = NavigationResult(kind="same-document", url=event.url)

    def _on_document(self, frame: page.Frame, *, restored: bool) -> None:
        if self._document is None and self._expected not in {None, frame.loader_id}:
            return  # the document before
        if frame.loader_id != self._expected:  # a document to which the page's own script or a refresh went on
            self._stages.clear()
        self._document = frame
        self._expected = frame.loader_id
        self._stages.add("commit")
        if restored:
            self._arrival = self._result("restored", frame)
        elif frame.unreachable_url is not None:
            raise NavigationFailed(
                _shown(frame.unreachable_url), self._failures.get(frame.loader_id, "net::ERR_FAILED")
            )

    def _on_stopped(self) -> None:
        """Note that a navigation in the history led to no document; `Page.navigate` itself would have said so."""
        aborted = self._failures.get(self._response or "") == "net::ERR_ABORTED"
        if self._response is not None and aborted and self._expected is None:
            status = self._statuses[self._response]
            self._arrival = NavigationResult(
                kind="no-content" if status in _EMPTY else "download",
                url=self._url,
                loader_id=network.LoaderId(self._response),
                status=status,
            )

    def _result(self, kind: NavigationKind, frame: page.Frame) -> NavigationResult:
        status = self._statuses.get(frame.loader_id) or None
        url = frame.url + (frame.url_fragment or "")
        return NavigationResult(kind=kind, url=url, loader_id=frame.loader_id, status=status)

    def without_document(self, reply: page.NavigateResult) -> NavigationResult:
        """Return the result of a navigation that the browser gave up. Raises `NavigationFailed` for a failure."""
        scheme = self._url.partition(":")[0].strip().lower()
        status = self._statuses.get(reply.loader_id or "") or None
        aborted = reply.error_text == "net::ERR_ABORTED"
        kind: NavigationKind
        if reply.is_download:
            kind = "download"
        elif aborted and status in _EMPTY:
            kind = "no-content"
        elif aborted and scheme == "javascript":
            kind = "script"
        elif aborted and scheme not in _LOADED_BY_BROWSERS:
            kind = "external"
        else:
            raise NavigationFailed(_shown(self._url), reply.error_text or "net::ERR_FAILED")
        return NavigationResult(kind=kind, url=self._url, loader_id=reply.loader_id, status=status)

    def too_late(self, hint: str) -> NavigationTimeout:
        """Return the error for a navigation that did not reach the stage `until` in time."""
        if self._document is not None:
            missing = f"committed, but no {_STAGES[self._until]}"
        else:  # the browser answers Page.navigate when it has the response; a busy page tells of its document later
            missing = "no response" if self._expected is None else f"a response, but no {_STAGES[self._until]}"
        return NavigationTimeout(_shown(self._url), missing, timeout=self._timeout, hint=hint)
