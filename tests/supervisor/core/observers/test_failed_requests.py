"""Requests that failed, were refused, or were slow."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.mock import sample
from cdp_typed.protocol import network, page
from supervisor.core.observers.failed_requests import MAX_UNDER_WAY, RECENT, SLOW_S
from supervisor.core.state.observed import NetworkRequests
from supervisor.core.state.world import State, World
from supervisor.core.vocabulary import inputs
from tests.support.core.play import PAGE, TOP, Core, attached, detached, on, sent


@pytest.fixture
def core() -> Core:
    core = Core()
    core.state = State(World(network_requests=NetworkRequests(is_watched=True)))
    core.play(inputs.Connected(), attached(PAGE, TOP))
    return core


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
    ("status", "seconds", "kept"), [(200, 0.1, False), (404, 0.1, True), (503, 0.1, True), (200, SLOW_S, True)]
)
def test_a_request_that_is_refused_or_slow_is_kept(core: Core, status: int, seconds: float, kept: bool) -> None:
    core.play(begins(), answered(status))
    core.now += seconds
    core.play(finished())

    assert [request.status for request in core.seen.failed_requests] == ([status] if kept else [])
    assert core.state.world.network_requests.under_way == {}


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
