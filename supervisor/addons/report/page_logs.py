"""Console messages and requests: those that failed, from the core, and all, from the messages of the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from cdp_typed.conversions import convert
from supervisor.core.vocabulary.console_values import ConsoleMessage

from .describe import LINE
from .model import ConsoleEntry, NetworkFailure, RequestSpan
from .report_events import ReportEvent, Spans, cut

_STACK = 10


class ConsoleEntries:
    """Collects console messages."""

    def __init__(self) -> None:
        self.all: list[ConsoleEntry] = []

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        console = moment.world.console
        new = min(console.count - moment.before.world.console.count, len(console.messages))
        if new > 0:
            self.all.extend(_entry(message, moment) for message in console.messages[-new:])


def _entry(message: ConsoleMessage, moment: ReportEvent) -> ConsoleEntry:
    return ConsoleEntry(
        seq=message.seq,
        input=moment.index,
        time=moment.time,
        level=message.level,
        text=cut(message.text),
        length=message.text_length,
        page=moment.page_of(message.session_id),
        frame_id=message.frame_id,
        url=cut(message.url),
        line=None if message.line is None else message.line + 1,
        stack=[f"{at.function} ({cut(at.url, 300)}:{at.line + 1}:{at.column + 1})" for at in message.stack[:_STACK]],
    )


class NetworkFailures:
    """Collects failed requests."""

    def __init__(self) -> None:
        self.all: list[NetworkFailure] = []

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        requests = moment.world.network_requests
        new = min(requests.count - moment.before.world.network_requests.count, len(requests.failed))
        for failed in requests.failed[-new:] if new > 0 else ():
            failure = NetworkFailure(
                input=moment.index,
                time=moment.time,
                duration=round(failed.duration_s * 1_000, 1),
                method=failed.method,
                url=cut(failed.url),
                type=failed.type,
                status=failed.status,
                error=failed.error,
                page=moment.page_of(failed.session_id),
                frame_id=failed.frame_id,
            )
            self.all.append(failure)


class TrafficMoment(NamedTuple):
    """When a message came, and of which page."""

    input: int
    time: float
    page: str


class _Head(Struct, frozen=True, rename="camel"):
    url: str
    method: str = "GET"
    headers: dict[str, Any] = {}


class _Frame(Struct, frozen=True, rename="camel"):
    url: str = ""
    line_number: int = 0


class _Stack(Struct, frozen=True, rename="camel"):
    call_frames: list[_Frame] = []


class _Initiator(Struct, frozen=True, rename="camel"):
    type: str = ""
    url: str = ""
    line_number: float | None = None
    stack: _Stack = _Stack()


class _Answer(Struct, frozen=True, rename="camel"):
    status: int = 0
    headers: dict[str, Any] = {}
    mime_type: str = ""
    from_disk_cache: bool = False
    from_prefetch_cache: bool = False
    from_service_worker: bool = False
    timing: dict[str, float] = {}


class _Message(Struct, frozen=True, rename="camel"):
    """The fields that the report reads of events of `Network`."""

    request_id: str
    request: _Head | None = None
    response: _Answer | None = None
    redirect_response: _Answer | None = None
    initiator: _Initiator = _Initiator()
    type: str = ""
    frame_id: str | None = None
    headers: dict[str, Any] = {}
    encoded_data_length: float | None = None
    error_text: str = ""
    blocked_reason: str = ""


_PHASES = {
    "dns": ("dnsStart", "dnsEnd"),
    "connect": ("connectStart", "connectEnd"),
    "tls": ("sslStart", "sslEnd"),
    "send": ("sendStart", "sendEnd"),
    "wait": ("sendEnd", "receiveHeadersEnd"),
}


class PageRequests:
    """Collects requests."""

    def __init__(self) -> None:
        self._spans = Spans[RequestSpan]()
        self._takes: Mapping[str, Callable[[_Message, TrafficMoment], None]] = {
            "Network.requestWillBeSent": self._begin,
            "Network.requestWillBeSentExtraInfo": self._add_headers,
            "Network.responseReceived": self._answer,
            "Network.requestServedFromCache": self._note_cache,
            "Network.loadingFinished": self._finish,
            "Network.loadingFailed": self._fail,
        }

    def take(self, method: str, params: object, moment: TrafficMoment) -> None:
        """A message; one that is not as the protocol has it is left out."""
        take = self._takes.get(method)
        if take is None:
            return
        try:
            message = convert(params, _Message)
        except msgspec.ValidationError:
            return
        take(message, moment)

    def spans(self) -> list[RequestSpan]:
        """All that was collected."""
        return self._spans.all

    def _begin(self, message: _Message, moment: TrafficMoment) -> None:
        key, head = message.request_id, message.request
        if head is None:
            return
        if message.redirect_response is not None and key in self._spans.open:
            self._spans.end(key, **_answered(message.redirect_response, moment), **_over(moment))
        if key in self._spans.open:  # a frame that moves to another process is announced twice
            return
        span = RequestSpan(
            id=key,
            method=head.method,
            url=cut(head.url),
            type=message.type,
            initiator=_initiator(message.initiator),
            page=moment.page,
            frame_id=message.frame_id,
            input=moment.input,
            time=moment.time,
            end=None,
            end_input=None,
            answered=None,
            status=None,
            mime="",
            size=None,
            error="",
            origin="",
            sent=_headers(head.headers),
            received={},
            timing={},
        )
        self._spans.begin(key, span)

    def _add_headers(self, message: _Message, _: TrafficMoment) -> None:
        current = self._spans.current(message.request_id)
        if current is not None:
            known = {name.lower() for name in message.headers}
            kept = {name: value for name, value in current.sent.items() if name.lower() not in known}
            self._spans.update(message.request_id, sent={**kept, **_headers(message.headers)})

    def _answer(self, message: _Message, moment: TrafficMoment) -> None:
        if message.response is not None and message.request_id in self._spans.open:
            more = {"type": message.type} if message.type else {}
            self._spans.update(message.request_id, **_answered(message.response, moment), **more)

    def _note_cache(self, message: _Message, _: TrafficMoment) -> None:
        if message.request_id in self._spans.open:
            self._spans.update(message.request_id, origin="cache")

    def _finish(self, message: _Message, moment: TrafficMoment) -> None:
        if message.request_id in self._spans.open:
            self._spans.end(message.request_id, size=message.encoded_data_length, **_over(moment))

    def _fail(self, message: _Message, moment: TrafficMoment) -> None:
        if message.request_id in self._spans.open:
            error = " ".join(filter(None, (message.error_text, message.blocked_reason))) or "failed"
            self._spans.end(message.request_id, error=cut(error, LINE), **_over(moment))


def _over(moment: TrafficMoment) -> dict[str, Any]:
    return {"end": moment.time, "end_input": moment.input}


def _answered(response: _Answer, moment: TrafficMoment) -> dict[str, Any]:
    is_cached = response.from_disk_cache or response.from_prefetch_cache
    return {
        "answered": moment.time,
        "status": response.status,
        "mime": cut(response.mime_type, LINE),
        "origin": "cache" if is_cached else "service worker" if response.from_service_worker else "network",
        "received": _headers(response.headers),
        "timing": _timing(response.timing),
    }


def _headers(headers: Mapping[str, Any]) -> dict[str, str]:
    return {cut(name, LINE): cut(str(value)) for name, value in headers.items()}


def _timing(timing: Mapping[str, float]) -> dict[str, float]:
    """The length of each phase; Chromium says -1 for one that there was not."""
    ends = {name: (timing.get(first, -1), timing.get(last, -1)) for name, (first, last) in _PHASES.items()}
    return {name: round(last - first, 1) for name, (first, last) in ends.items() if 0 <= first <= last}


def _initiator(initiator: _Initiator) -> str:
    frames = initiator.stack.call_frames
    url, line = (frames[0].url, frames[0].line_number) if frames else (initiator.url, initiator.line_number)
    at = f" {url}" + (f":{int(line) + 1}" if line is not None else "") if url else ""
    return cut(f"{initiator.type}{at}", LINE)
