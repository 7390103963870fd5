"""The first request that matches a URL pattern, and its response, from the events of Network."""

from __future__ import annotations

from typing import Generic, Literal, TypeAlias, TypeVar, get_args

from cdp_typed._base import Event
from cdp_typed.errors import RequestTimeout
from cdp_typed.protocol import network
from cdp_typed.redaction.texts import without_credentials
from cdp_typed.url_patterns import matches

ResponsePart: TypeAlias = Literal["headers", "body"]
"""How much of a response has arrived."""

E_co = TypeVar("E_co", bound=Event, covariant=True)

NETWORK_EVENTS = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)


class Awaited(Generic[E_co]):
    """The event that `wait_for_request` or `wait_for_response` waits for at the end of its block."""

    def __init__(self) -> None:
        self._event: E_co | None = None

    @property
    def value(self) -> E_co:
        """The event. Raises `RuntimeError` before the end of the block."""
        if self._event is None:
            raise RuntimeError("the event is still awaited; read its value after the block")
        return self._event

    def complete(self, event: E_co) -> None:  # type: ignore[misc]  # called once, by the helper that made it
        """Store the event; the helper calls this."""
        self._event = event


class RequestMatch:
    """Finds a request and its response in events, which must be fed in order."""

    def __init__(self, pattern: str, method: str | None, until: ResponsePart, timeout: float) -> None:
        if until not in get_args(ResponsePart):
            raise ValueError(f"until must be one of {', '.join(get_args(ResponsePart))}, not {until!r}")
        self._pattern = pattern
        self._method = method
        self._until = until
        self._timeout = timeout
        self._seen: dict[str, str] = {}
        self._matching: set[str] = set()
        self._answered: dict[str, network.ResponseReceived] = {}
        self._failure: str | None = None
        self._request: network.RequestWillBeSent | None = None
        self._response: network.ResponseReceived | None = None

    @property
    def request(self) -> network.RequestWillBeSent | None:
        """The first request that matches, once the page has made it."""
        return self._request

    @property
    def response(self) -> network.ResponseReceived | None:
        """The first response that has arrived as far as `until` says."""
        return self._response

    def feed(self, event: Event) -> None:
        """Process an event."""
        match event:
            case network.ResponseReceived(type="Preflight"):
                return
            case network.RequestWillBeSent():
                # A preflight request of CORS has the type Other (Chromium 156).
                if event.initiator.type != "preflight":
                    self._on_request(event)
            case network.ResponseReceived() if self._is_awaited(event):
                self._answered[event.request_id] = event
                if self._until == "headers":
                    self._on_end(event.request_id)
            case network.LoadingFinished():
                self._on_end(event.request_id)
            case network.LoadingFailed():
                if event.request_id in self._matching:
                    self._failure = event.error_text
                self._on_end(event.request_id)
            case _:
                pass

    def _on_request(self, event: network.RequestWillBeSent) -> None:
        self._seen[event.request_id] = event.request.url
        if self._method in {None, event.request.method} and matches(self._pattern, event.request.url):
            self._matching.add(event.request_id)
            self._request = self._request or event

    def _is_awaited(self, event: network.ResponseReceived) -> bool:
        if event.request_id in self._seen:  # under this address, or under one that redirected to it
            return event.request_id in self._matching
        return self._method is None and matches(self._pattern, event.response.url)  # requested before the block

    def _on_end(self, request_id: str) -> None:
        self._response = self._response or self._answered.get(request_id)

    def too_late(self, hint: str) -> RequestTimeout:
        """Return the error for a request or a response that did not arrive in time."""
        if self._answered:
            happened = "the response has begun, but its body does not end"
        elif self._failure is not None:
            happened = f"the request failed: {self._failure}"
        elif self._matching:
            happened = "the request has no response"
        else:
            happened = "no such request"
        others = tuple(without_credentials(url) for url in self._seen.values()) if not self._matching else ()
        return RequestTimeout(self._pattern, happened, others=others, timeout=self._timeout, hint=hint)
