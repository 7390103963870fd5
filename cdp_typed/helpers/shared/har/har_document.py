"""`HarDocument`: makes a HAR 1.2 document of the events of a page. Nothing is sent or written here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

import cdp_typed
from cdp_typed._base import Event
from cdp_typed.protocol import network, page

HAR_EVENTS: Final[tuple[type[Event], ...]] = (
    network.RequestWillBeSent,
    network.RequestWillBeSentExtraInfo,
    network.ResponseReceived,
    network.ResponseReceivedExtraInfo,
    network.DataReceived,
    network.LoadingFinished,
    network.LoadingFailed,
    network.RequestServedFromCache,
    page.DomContentEventFired,
    page.LoadEventFired,
)
"""The events that it is made of."""

Json: TypeAlias = dict[str, Any]


@dataclass
class _Exchange:
    """One request with its response; a redirect is a separate exchange."""

    sent: network.RequestWillBeSent
    page_id: str | None
    sent_headers: dict[str, Any] | None = None
    response: network.Response | None = None
    received_headers: dict[str, Any] | None = None
    size: int = 0
    encoded_size: float = -1
    ended: float | None = None
    error: str | None = None
    is_redirected: bool = False
    is_cached: bool = False
    body: tuple[str, bool] | None = None


@dataclass
class _Page:
    sent: network.RequestWillBeSent
    id: str
    timings: dict[str, float] = field(default_factory=dict[str, float])


class HarDocument:
    """Takes in the events of one page in their order, and returns the document."""

    def __init__(self, target_id: str) -> None:
        self._target_id = target_id
        self._pages: list[_Page] = []
        self._exchanges: list[_Exchange] = []
        self._chains: dict[str, list[_Exchange]] = {}
        self._sent_headers: dict[str, list[dict[str, Any]]] = {}
        self._received_headers: dict[str, list[dict[str, Any]]] = {}

    def add(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case network.RequestWillBeSent():
                self._send(event)
            case network.RequestWillBeSentExtraInfo():
                self._sent_headers.setdefault(event.request_id, []).append(event.headers)
            case network.ResponseReceivedExtraInfo():
                self._received_headers.setdefault(event.request_id, []).append(event.headers)
            case page.DomContentEventFired() | page.LoadEventFired() if self._pages:
                name = "onLoad" if isinstance(event, page.LoadEventFired) else "onContentLoad"
                latest = self._pages[-1]
                latest.timings.setdefault(name, (event.timestamp - latest.sent.timestamp) * 1000)
            case (
                network.ResponseReceived()
                | network.DataReceived()
                | network.LoadingFinished()
                | network.LoadingFailed()
                | network.RequestServedFromCache()
            ) if event.request_id in self._chains:
                _receive(self._chains[event.request_id][-1], event)
            case _:
                pass

    def requests_with_bodies(self) -> list[str]:
        """The ids of the requests whose responses came to their end."""
        return [
            request_id
            for request_id, chain in self._chains.items()
            if chain[-1].response is not None and chain[-1].ended is not None and chain[-1].error is None
        ]

    def add_body(self, request_id: str, body: network.GetResponseBodyResult) -> None:
        """Take in the body of a response."""
        self._chains[request_id][-1].body = (body.body, body.base64_encoded)

    def document(self) -> Json:
        """Return the document, with the requests in the order in which they were sent."""
        for request_id, chain in self._chains.items():
            _give_headers(chain, self._sent_headers.get(request_id, []), self._received_headers.get(request_id, []))
        return {
            "log": {
                "version": "1.2",
                "creator": {"name": "cdp-typed", "version": cdp_typed.__version__},
                "pages": [_page(each) for each in self._pages],
                "entries": [_entry(exchange) for exchange in self._exchanges],
            }
        }

    def _send(self, event: network.RequestWillBeSent) -> None:
        chain = self._chains.setdefault(event.request_id, [])
        if event.redirect_response is not None and chain:
            redirected = chain[-1]
            redirected.response, redirected.ended = event.redirect_response, event.timestamp
            redirected.is_redirected, redirected.encoded_size = True, event.redirect_response.encoded_data_length
        elif str(event.request_id) == event.loader_id and event.frame_id == self._target_id:
            self._pages.append(_Page(event, f"page_{len(self._pages) + 1}"))
        exchange = _Exchange(event, self._pages[-1].id if self._pages else None)
        chain.append(exchange)
        self._exchanges.append(exchange)


def _receive(exchange: _Exchange, event: Event) -> None:
    match event:
        case network.ResponseReceived():
            exchange.response = event.response
        case network.DataReceived():
            exchange.size += event.data_length
        case network.LoadingFinished():
            exchange.ended, exchange.encoded_size = event.timestamp, event.encoded_data_length
        case network.LoadingFailed():
            exchange.ended, exchange.error = event.timestamp, event.error_text
        case _:
            exchange.is_cached = True


def _give_headers(chain: list[_Exchange], sent: list[dict[str, Any]], received: list[dict[str, Any]]) -> None:
    """Give each exchange the headers as they were on the wire, which come apart from it and in the same order."""
    for exchange, headers in zip(chain, sent, strict=False):
        exchange.sent_headers = headers
    for exchange, headers in zip(chain, received, strict=False):
        exchange.received_headers = headers


def _page(recorded: _Page) -> Json:
    return {
        "startedDateTime": _time(recorded.sent.wall_time),
        "id": recorded.id,
        "title": recorded.sent.request.url,
        "pageTimings": {"onContentLoad": -1, "onLoad": -1, **recorded.timings},
    }


def _entry(exchange: _Exchange) -> Json:
    timings = _timings(exchange)
    entry: Json = {
        "startedDateTime": _time(exchange.sent.wall_time),
        "time": sum(ms for name, ms in timings.items() if ms > 0 and name != "ssl"),  # `connect` contains it
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": timings,
        "_resourceType": (exchange.sent.type or "Other").lower(),
    }
    if exchange.page_id is not None:
        entry["pageref"] = exchange.page_id
    if exchange.response is not None and exchange.response.remote_ip_address:
        entry["serverIPAddress"] = exchange.response.remote_ip_address.strip("[]")
        entry["connection"] = f"{exchange.response.connection_id:.0f}"
    if exchange.is_cached or (exchange.response is not None and exchange.response.from_disk_cache):
        entry["_fromCache"] = "memory" if exchange.is_cached else "disk"
    return entry


def _request(exchange: _Exchange) -> Json:
    request = exchange.sent.request
    headers = _headers(exchange.sent_headers or request.headers)
    described: Json = {
        "method": request.method,
        "url": request.url,
        "httpVersion": _version(exchange.response),
        "cookies": [cookie for value in _values(headers, "cookie") for cookie in _cookies(value.split("; "))],
        "headers": headers,
        "queryString": _pairs(parse_qsl(urlsplit(request.url).query, keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": len((request.post_data or "").encode()),
    }
    if request.post_data is not None:
        kind = next(iter(_values(headers, "content-type")), "")
        is_form = kind.startswith("application/x-www-form-urlencoded")
        params = _pairs(parse_qsl(request.post_data, keep_blank_values=True)) if is_form else []
        described["postData"] = {"mimeType": kind, "params": params, "text": request.post_data}
    return described


def _response(exchange: _Exchange) -> Json:
    response = exchange.response
    headers = _headers(exchange.received_headers or (response.headers if response else {}))
    content: Json = {"size": exchange.size, "mimeType": response.mime_type if response else "x-unknown"}
    if exchange.body is not None:
        text, is_base64 = exchange.body
        content |= {"text": text, "encoding": "base64"} if is_base64 else {"text": text}
    described: Json = {
        "status": response.status if response else 0,
        "statusText": response.status_text if response else "",
        "httpVersion": _version(response),
        "cookies": [cookie for value in _values(headers, "set-cookie") for cookie in _cookies([value.split(";")[0]])],
        "headers": headers,
        "content": content,
        "redirectURL": next(iter(_values(headers, "location")), "") if exchange.is_redirected else "",
        "headersSize": -1,
        "bodySize": -1,
        "_transferSize": round(exchange.encoded_size),
    }
    if exchange.ended is None or exchange.error is not None:
        described["_error"] = exchange.error or "not at its end when the recording ended"
    return described


def _timings(exchange: _Exchange) -> dict[str, float]:
    """Return the phases in milliseconds, -1 where one did not take place."""
    timing = exchange.response.timing if exchange.response else None
    ended = exchange.ended or exchange.sent.timestamp
    if timing is None or timing.receive_headers_end < 0:
        whole = max(0.0, (ended - exchange.sent.timestamp) * 1000)
        return {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": whole, "receive": 0}
    begins = next((at for at in (timing.dns_start, timing.connect_start, timing.send_start) if at >= 0), 0.0)
    queued = max(0.0, (timing.request_time - exchange.sent.timestamp) * 1000)
    received = (ended - timing.request_time) * 1000 - timing.receive_headers_end
    return {
        "blocked": queued + begins,
        "dns": _span(timing.dns_start, timing.dns_end),
        "connect": _span(timing.connect_start, timing.connect_end),
        "ssl": _span(timing.ssl_start, timing.ssl_end),
        "send": max(0.0, timing.send_end - timing.send_start),
        "wait": max(0.0, timing.receive_headers_end - timing.send_end),
        "receive": max(0.0, received),
    }


def _span(start: float, end: float) -> float:
    return end - start if start >= 0 else -1


def _time(wall_time: float) -> str:
    return datetime.fromtimestamp(wall_time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _version(response: network.Response | None) -> str:
    protocol = (response.protocol if response else None) or "unknown"
    return {"h2": "HTTP/2.0", "h3": "HTTP/3.0"}.get(protocol, protocol.upper() if "/" in protocol else protocol)


def _headers(headers: dict[str, Any]) -> list[Json]:
    """Return names and values; a header that came several times is one with line breaks in the protocol."""
    return _pairs((name, part) for name, value in headers.items() for part in str(value).split("\n"))


def _values(headers: list[Json], name: str) -> list[str]:
    return [header["value"] for header in headers if header["name"].lower() == name]


def _cookies(texts: Iterable[str]) -> list[Json]:
    return _pairs((name, value) for name, _, value in (text.strip().partition("=") for text in texts))


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[Json]:
    return [{"name": name, "value": value} for name, value in pairs]
