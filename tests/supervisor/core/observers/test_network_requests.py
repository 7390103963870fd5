"""Requests that failed, were refused, or were slow, and all of a page once a caller has them kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.mock import sample
from cdp_typed.protocol import network, page
from supervisor.core.observers.failed_requests import MAX_UNDER_WAY, RECENT, SLOW_S
from supervisor.core.observers.seen_requests import MAX_SEEN, MAX_URL
from supervisor.core.state.observed import NetworkRequests, SeenRequest
from supervisor.core.vocabulary import inputs
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Send
from supervisor.core.vocabulary.inputs import EventReceived
from supervisor.core.vocabulary.requests import RequestsWatched
from tests.support.core.play import PAGE, TOP, Core, attached, detached, on, sent, with_page


@pytest.fixture
def core() -> Core:
    watched = Core().having(network_requests=NetworkRequests(is_watched=True))
    return watched.after(inputs.Connected(), attached(PAGE, TOP))


def begins(request_id: str = "r", url: str = "http://a.test/x.js") -> inputs.EventReceived:
    request = replace(sample(network.Request), url=url, method="GET")
    event = replace(
        sample(network.RequestWillBeSent),
        request_id=network.RequestId(request_id),
        request=request,
        type="Script",
        frame_id=page.FrameId(TOP),
    )
    return on(PAGE, event)


def answered(status: int, request_id: str = "r") -> inputs.EventReceived:
    response = replace(sample(network.Response), status=status)
    return on(
        PAGE, replace(sample(network.ResponseReceived), request_id=network.RequestId(request_id), response=response)
    )


def finished(request_id: str = "r") -> inputs.EventReceived:
    return on(PAGE, replace(sample(network.LoadingFinished), request_id=network.RequestId(request_id)))


def failed(error: str, request_id: str = "r") -> inputs.EventReceived:
    event = replace(sample(network.LoadingFailed), request_id=network.RequestId(request_id), error_text=error)
    return on(PAGE, event)


def test_a_request_that_fails_is_kept_with_its_reason(core: Core) -> None:
    core.play(begins())
    core.now += 0.5
    core.play(failed("net::ERR_CONNECTION_REFUSED"))

    (request,) = core.seen.failed_requests
    assert (request.url, request.method, request.type) == ("http://a.test/x.js", "GET", "Script")
    assert (request.frame_id, request.session_id) == (TOP, PAGE)
    assert (request.status, request.error, request.duration_s) == (None, "net::ERR_CONNECTION_REFUSED", 0.5)
    assert core.state.world.change_log.changes[-1].kind == "request_failed"


@pytest.mark.parametrize(
    ("status", "seconds", "kept"), [(399, 0.1, False), (400, 0.1, True), (503, 0.1, True), (200, SLOW_S, True)]
)
def test_a_request_that_is_refused_or_slow_is_kept(core: Core, status: int, seconds: float, kept: bool) -> None:
    core.play(begins(), answered(status))
    core.now += seconds
    core.play(finished())

    assert [request.status for request in core.seen.failed_requests] == ([status] if kept else [])
    assert core.state.world.network_requests.under_way == {}


@pytest.mark.parametrize(("status", "kept"), [(399, []), (400, [400])])
def test_a_refusal_is_kept_although_nobody_reads_its_body(core: Core, status: int, kept: list[int]) -> None:
    core.play(begins(), answered(status))

    assert [request.status for request in core.seen.failed_requests] == kept


def test_what_was_never_begun_is_nothing(core: Core) -> None:
    core.play(answered(500), finished(), failed("x"))

    assert core.seen.failed_requests == ()


def test_what_is_followed_and_what_is_kept_is_bounded(core: Core) -> None:
    for number in range(MAX_UNDER_WAY + 10):
        core.play(begins(str(number)))
    assert len(core.state.world.network_requests.under_way) == MAX_UNDER_WAY
    for number in range(10, RECENT + 20):
        core.play(failed("x", str(number)))

    assert len(core.seen.failed_requests) == RECENT
    assert core.state.world.network_requests.count == RECENT + 10


def test_what_is_watched_from_the_beginning_is_kept_from_the_beginning(core: Core) -> None:
    since = core.state.world.network_requests.keeps_since
    core.play(attached("s-2", "page-2"), begins())
    kept = core.state.world.network_requests

    assert since is not None
    assert since == kept.keeps_since
    assert [seen.request.url for seen in kept.recent.values()] == ["http://a.test/x.js"]


def test_requests_end_with_their_session(core: Core) -> None:
    core.play(begins(), detached(PAGE))

    assert core.state.world.network_requests.under_way == {}


def test_requests_are_watched_only_where_asked_for(core: Core) -> None:
    watched = [send.command for send in sent(core.play(attached("s-2", "page-2"))) if send.session_id == "s-2"]
    assert any(isinstance(command, network.Enable) for command in watched)

    plain = Core()
    commands = [send.command for send in sent(plain.play(inputs.Connected(), attached(PAGE, TOP)))]
    assert not any(isinstance(command, network.Enable) for command in commands)
    plain.play(begins(), failed("x"))
    assert plain.seen.failed_requests == ()


@pytest.fixture
def asked() -> Core:
    core = with_page()
    core.now = 100.0
    core.play(RequestsWatched("c-1"))
    return core


def kept(core: Core) -> list[SeenRequest]:
    return list(core.state.world.network_requests.recent.values())


def test_nothing_is_kept_before_a_caller_asks() -> None:
    core = with_page().after(begins(), finished())

    assert kept(core) == []


def test_the_first_question_enables_the_events_and_later_ones_only_say_since_when() -> None:
    core = with_page()
    core.now = 100.0
    *enabling, completed = core.play(RequestsWatched("c-1"))
    enabled = [(each.session_id, each.command) for each in enabling if isinstance(each, Send)]
    assert [(session_id, type(command)) for session_id, command in enabled] == [
        (PAGE, network.ConfigureDurableMessages),
        (PAGE, network.Enable),
    ]
    assert completed == CompleteCall("c-1", CommandResult(100.0))

    core.now = 200.0
    assert core.play(RequestsWatched("c-2")) == [CompleteCall("c-2", CommandResult(100.0))]
    again = [e.command for e in core.play(attached("new", "u", opener=TOP)) if isinstance(e, Send)]
    assert {command for _, command in enabled} <= {*again}


def test_the_document_of_an_iframe_in_another_process_ends_in_its_session(asked: Core) -> None:
    begun = begins()
    assert isinstance(begun.event, network.RequestWillBeSent)
    asked.play(replace(begun, event=replace(begun.event, type="Document")), answered(200))

    asked.play(replace(finished(), session_id="session-oopif"))

    (ended,) = kept(asked)
    assert ended.ended_at == 100.0


def test_a_request_has_its_response_and_its_end(asked: Core) -> None:
    asked.play(begins(), answered(200))
    (pending,) = kept(asked)
    assert (pending.ended_at, pending.response and pending.response.status) == (None, 200)

    asked.now = 101.5
    asked.play(finished())

    (ended,) = kept(asked)
    assert (ended.started_at, ended.ended_at, ended.error) == (100.0, 101.5, "")


def test_a_failure_is_kept_with_its_error(asked: Core) -> None:
    asked.play(begins(), failed("net::ERR_FAILED"))

    assert [request.error for request in kept(asked)] == ["net::ERR_FAILED"]


def test_each_hop_of_a_redirect_is_a_request(asked: Core) -> None:
    asked.play(begins(url="http://a.test/1"))
    second = begins(url="http://a.test/2")
    moved = replace(sample(network.Response), status=302)
    assert isinstance(second.event, network.RequestWillBeSent)
    asked.play(on(PAGE, replace(second.event, redirect_response=moved)), answered(200), finished())

    assert [(r.request.url[-1], r.response and r.response.status, r.is_redirect) for r in kept(asked)] == [
        ("1", 302, True),
        ("2", 200, False),
    ]


def test_the_newest_are_kept_and_their_urls_cut(asked: Core) -> None:
    for number in range(MAX_SEEN + 1):
        asked.play(begins(str(number), url=f"http://a.test/{number}/" + "x" * MAX_URL))

    requests = asked.state.world.network_requests
    assert (min(requests.recent), len(requests.recent)) == (2, MAX_SEEN)
    assert {len(request.request.url) for request in kept(asked)} == {MAX_URL}


def test_failures_and_json_outlast_what_else_is_not_among_the_newest(asked: Core) -> None:
    def of(name: str, mime_type: str = "text/css", status: int = 200) -> list[EventReceived]:
        response = replace(sample(network.Response), status=status, mime_type=mime_type)
        event = replace(sample(network.ResponseReceived), request_id=network.RequestId(name), response=response)
        return [begins(name, url=name), on(PAGE, event), finished(name)]

    asked.play(*of("500", status=500), *of("json", "application/problem+json"), *of("other"))
    asked.play(begins("refused", url="refused"), failed("net::ERR_FAILED", "refused"))

    def left(others: int, mime_type: str) -> list[str]:
        for number in range(others):
            asked.play(*of(f"{number} {mime_type}", mime_type))
        urls = [request.request.url for request in kept(asked)]
        return [url for url in urls if " " not in url]

    assert left(MAX_SEEN - 4, "text/css") == ["500", "json", "other", "refused"]
    assert left(1, "text/html") == ["500", "json", "refused"]
    assert left(MAX_SEEN, "text/json") == ["500", "refused"]
    assert len(kept(asked)) == MAX_SEEN
    assert "299 text/json" in [request.request.url for request in kept(asked)]
