"""Requests of a recording: each from its messages, whatever order they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_typed.redaction import REDACTED
from supervisor.addons.report import report_of
from supervisor.addons.report.page_logs import PageRequests, TrafficMoment
from tests.support.stages.stages import Stage, open_page

START, ANSWER, END = TrafficMoment(1, 10.0, "TAB"), TrafficMoment(2, 25.0, "TAB"), TrafficMoment(3, 40.0, "TAB")


def began(url: str, **more: Any) -> dict[str, Any]:
    """The beginning of a request."""
    return {"requestId": "1", "request": {"url": url, "method": "GET", "headers": {"Accept": "*/*"}}, **more}


def test_a_redirect_is_a_request_of_its_own() -> None:
    requests = PageRequests()

    requests.take("Network.requestWillBeSent", began("http://a.test/"), START)
    moved = {"status": 302, "headers": {"Location": "/b"}}
    requests.take("Network.requestWillBeSent", began("http://a.test/b", redirectResponse=moved), ANSWER)
    requests.take("Network.loadingFailed", {"requestId": "1", "errorText": "net::ERR_ABORTED"}, END)

    assert [(one.url, one.status, one.end, one.error) for one in requests.spans()] == [
        ("http://a.test/", 302, 25.0, ""),
        ("http://a.test/b", None, 40.0, "net::ERR_ABORTED"),
    ]


def test_an_answer_has_its_timing_and_a_header_that_came_later_replaces_the_first() -> None:
    requests = PageRequests()
    timing = {"dnsStart": -1, "dnsEnd": -1, "sendStart": 1, "sendEnd": 1.5, "receiveHeadersEnd": 9.25}

    requests.take("Network.requestWillBeSent", began("http://a.test/", initiator={"type": "parser", "url": "x"}), START)
    requests.take("Network.requestWillBeSentExtraInfo", {"requestId": "1", "headers": {"accept": "text/html"}}, START)
    answer = {"status": 200, "mimeType": "text/html", "headers": {"Server": "s"}, "timing": timing}
    requests.take("Network.responseReceived", {"requestId": "1", "response": answer}, ANSWER)
    requests.take("Network.loadingFinished", {"requestId": "1", "encodedDataLength": 120}, END)

    (one,) = requests.spans()
    assert (one.status, one.answered, one.end, one.size, one.initiator) == (200, 25.0, 40.0, 120.0, "parser x")
    assert (one.sent, one.received) == ({"accept": "text/html"}, {"Server": "s"})
    assert one.timing == {"send": 0.5, "wait": 7.8}


def test_a_message_that_is_not_as_the_protocol_has_it_is_left_out() -> None:
    requests = PageRequests()

    no_address = {"requestId": "1", "request": {"url": 3}}
    malformed: tuple[object, ...] = (None, [], {"requestId": 1}, no_address, {"requestId": "1"})
    for params in malformed:
        requests.take("Network.requestWillBeSent", params, START)
    requests.take("Network.loadingFinished", {"requestId": "unknown"}, END)

    assert requests.spans() == []


@pytest.mark.parametrize("stage", ["chromium"], indirect=True)
def test_headers_of_a_real_request_are_without_secrets(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "flight.jsonl"
    with stage.supervisor(record_to=str(path), watch_requests=True) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        send = "fetch('/missing', {headers: {Authorization: 'Bearer planted-4711', Accept: 'text/plain'}})"
        supervisor.evaluate(f"{send}.then(answer => answer.text())")

    report = report_of(path)

    document, fetched = (one for one in report.requests if one.url.endswith(("/plain", "/missing")))
    assert (document.type, document.status, document.origin) == ("Document", 200, "network")
    sent = {name.lower(): value for name, value in fetched.sent.items()}
    assert (fetched.status, sent["authorization"], sent["accept"]) == (404, REDACTED, "text/plain")
    assert fetched.initiator.startswith("script")
    assert fetched.page == document.page != ""
    assert 0 <= fetched.time - document.time < 60_000
    assert fetched.end is not None
    assert fetched.answered is not None
    assert fetched.time <= fetched.answered <= fetched.end
    assert "planted-4711" not in repr(report)
