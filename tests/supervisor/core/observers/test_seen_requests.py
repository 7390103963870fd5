"""All requests of a page, once a caller has them kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.mock import sample
from cdp_typed.protocol import network
from supervisor.core.observers.seen_requests import MAX_SEEN, MAX_URL
from supervisor.core.state.observed import SeenRequest
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Send
from supervisor.core.vocabulary.inputs import EventReceived
from supervisor.core.vocabulary.requests import RequestsWatched
from tests.supervisor.core.observers.test_failed_requests import answered, begins, failed, finished
from tests.support.core.play import PAGE, TOP, Core, attached, on, with_page


@pytest.fixture
def core() -> Core:
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


def test_the_document_of_an_iframe_in_another_process_ends_in_its_session(core: Core) -> None:
    begun = begins()
    assert isinstance(begun.event, network.RequestWillBeSent)
    core.play(replace(begun, event=replace(begun.event, type="Document")), answered(200))

    core.play(replace(finished(), session_id="session-oopif"))

    (ended,) = kept(core)
    assert ended.ended_at == 100.0


def test_a_request_has_its_response_and_its_end(core: Core) -> None:
    core.play(begins(), answered(200))
    (pending,) = kept(core)
    assert (pending.ended_at, pending.response and pending.response.status) == (None, 200)

    core.now = 101.5
    core.play(finished())

    (ended,) = kept(core)
    assert (ended.started_at, ended.ended_at, ended.error) == (100.0, 101.5, "")


def test_a_failure_is_kept_with_its_error(core: Core) -> None:
    core.play(begins(), failed("net::ERR_FAILED"))

    assert [request.error for request in kept(core)] == ["net::ERR_FAILED"]


def test_each_hop_of_a_redirect_is_a_request(core: Core) -> None:
    core.play(begins(url="http://a.test/1"))
    second = begins(url="http://a.test/2")
    moved = replace(sample(network.Response), status=302)
    assert isinstance(second.event, network.RequestWillBeSent)
    core.play(on(PAGE, replace(second.event, redirect_response=moved)), answered(200), finished())

    assert [(r.request.url[-1], r.response and r.response.status, r.is_redirect) for r in kept(core)] == [
        ("1", 302, True),
        ("2", 200, False),
    ]


def test_the_newest_are_kept_and_their_urls_cut(core: Core) -> None:
    for number in range(MAX_SEEN + 1):
        core.play(begins(str(number), url=f"http://a.test/{number}/" + "x" * MAX_URL))

    requests = core.state.world.network_requests
    assert (min(requests.recent), len(requests.recent)) == (2, MAX_SEEN)
    assert {len(request.request.url) for request in kept(core)} == {MAX_URL}


def test_failures_and_json_outlast_what_else_is_not_among_the_newest(core: Core) -> None:
    def asked(name: str, mime_type: str = "text/css", status: int = 200) -> list[EventReceived]:
        response = replace(sample(network.Response), status=status, mime_type=mime_type)
        event = replace(sample(network.ResponseReceived), request_id=network.RequestId(name), response=response)
        return [begins(name, url=name), on(PAGE, event), finished(name)]

    core.play(*asked("500", status=500), *asked("json", "application/problem+json"), *asked("other"))
    core.play(begins("refused", url="refused"), failed("net::ERR_FAILED", "refused"))

    def left(others: int, mime_type: str) -> list[str]:
        for number in range(others):
            core.play(*asked(f"{number} {mime_type}", mime_type))
        urls = [request.request.url for request in kept(core)]
        return [url for url in urls if " " not in url]

    assert left(MAX_SEEN - 4, "text/css") == ["500", "json", "other", "refused"]
    assert left(1, "text/html") == ["500", "json", "refused"]
    assert left(MAX_SEEN, "text/json") == ["500", "refused"]
    assert len(kept(core)) == MAX_SEEN
    assert "299 text/json" in [request.request.url for request in kept(core)]
