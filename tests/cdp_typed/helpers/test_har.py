"""HAR files: what real pages load, and what only events of other browsers hold."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from cdp_typed import Event, Session, connect_sync
from cdp_typed.helpers import blocking, goto, har, js, replay_har
from cdp_typed.helpers.shared.har.har_answers import HarAnswer
from cdp_typed.helpers.shared.har.har_document import HarDocument
from cdp_typed.helpers.shared.har.har_reading import read_answers
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import fetch, network, page
from tests.cdp_typed.helpers.conftest import load
from tests.support.servers.sites import Request, Response, Sites

ICON = "<!doctype html><link rel=icon href=data:,>"


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {"type": "object", "required": [*required], "properties": required | optional}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT, NUMBER, INTEGER = {"type": "string"}, {"type": "number", "minimum": -1}, {"type": "integer", "minimum": -1}
PAIRS = _list(_object({"name": TEXT, "value": TEXT}))
MESSAGE = {"httpVersion": TEXT, "cookies": PAIRS, "headers": PAIRS, "headersSize": INTEGER, "bodySize": INTEGER}
POST_DATA = _object({"mimeType": TEXT, "params": PAIRS, "text": TEXT})
CONTENT = _object({"size": INTEGER, "mimeType": TEXT}, text=TEXT, encoding=TEXT)
TIMINGS = _object(dict.fromkeys(("blocked", "dns", "connect", "ssl", "send", "wait", "receive"), NUMBER))
ENTRY = _object(
    {
        "startedDateTime": TEXT,
        "time": {"type": "number", "minimum": 0},
        "request": _object({"method": TEXT, "url": TEXT, "queryString": PAIRS, **MESSAGE}, postData=POST_DATA),
        "response": _object(
            {"status": INTEGER, "statusText": TEXT, "content": CONTENT, "redirectURL": TEXT, **MESSAGE}
        ),
        "cache": _object({}),
        "timings": TIMINGS,
    },
    pageref=TEXT,
    serverIPAddress=TEXT,
    connection=TEXT,
)
PAGE = _object(
    {
        "startedDateTime": TEXT,
        "id": TEXT,
        "title": TEXT,
        "pageTimings": _object({"onContentLoad": NUMBER, "onLoad": NUMBER}),
    }
)
LOG = _object(
    {
        "version": {"const": "1.2"},
        "creator": _object({"name": TEXT, "version": TEXT}),
        "pages": _list(PAGE),
        "entries": _list(ENTRY),
    }
)
"""What HAR 1.2 asks for, from its specification (http://www.softwareishard.com/blog/har-12-spec/)."""


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(document, _object({"log": LOG}))
    log: dict[str, Any] = document["log"]
    for dated in (*log["pages"], *log["entries"]):
        assert datetime.fromisoformat(dated["startedDateTime"]).tzinfo is not None
    return log


def entry(log: dict[str, Any], end: str) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = (each for each in log["entries"] if each["request"]["url"].endswith(end))
    return found


def _served(request: Request) -> Response:
    return Response(
        request.body or b"{}", headers={"Content-Type": "application/json", "Set-Cookie": "seen=yes; Path=/"}
    )


@pytest.fixture
def shop(sites: Sites) -> Sites:
    sites.pages.update(
        {
            "/": f"{ICON}<img src=/picture.png>",
            "/picture.png": Response(b"\x89PNG\r\n", headers={"Content-Type": "image/png"}),
            "/api": _served,
            "/moved": Response(status=302, headers={"Location": "/second", "Set-Cookie": "hop=1"}),
            "/second": ICON,
        }
    )
    return sites


async def test_it_has_pages_requests_redirects_and_failures(tab: Session, shop: Sites, tmp_path: Path) -> None:
    path = tmp_path / "shop.har"
    async with har(tab, path):
        await load(tab, shop.local("/"))
        await js(tab, "fetch('/api?q=a%20b&q=').then(response => response.text())")
        form = "{method: 'POST', body: new URLSearchParams({name: 'Ada', e: '\u00e9'})}"
        await js(tab, f"fetch('/api', {form}).then(response => response.text())")
        await js(tab, "fetch('http://localhost:1/refused').catch(() => 0)")
        await load(tab, shop.remote("/moved"))
        assert not path.exists()
    log = read(path)

    assert [(each["id"], each["title"]) for each in log["pages"]] == [
        ("page_1", shop.local("/")),
        ("page_2", shop.remote("/moved")),
    ]
    assert all(0 < each["pageTimings"]["onContentLoad"] <= each["pageTimings"]["onLoad"] for each in log["pages"])
    assert [(each["request"]["method"], each["response"]["status"], each["pageref"]) for each in log["entries"]] == [
        ("GET", 200, "page_1"),
        ("GET", 200, "page_1"),
        ("GET", 200, "page_1"),
        ("POST", 200, "page_1"),
        ("GET", 0, "page_1"),
        ("GET", 302, "page_2"),
        ("GET", 200, "page_2"),
    ]
    query = entry(log, "/api?q=a%20b&q=")
    assert query["request"]["queryString"] == [{"name": "q", "value": "a b"}, {"name": "q", "value": ""}]
    assert query["response"]["cookies"] == [{"name": "seen", "value": "yes"}]
    assert query["response"]["content"]["mimeType"] == "application/json"
    assert (query["serverIPAddress"], query["_resourceType"]) == ("127.0.0.1", "fetch")
    assert query["time"] == pytest.approx(sum(ms for ms in query["timings"].values() if ms > 0))
    posted = entry(log, "/api")["request"]
    assert posted["cookies"] == [{"name": "seen", "value": "yes"}]  # of the headers as they were on the wire
    assert posted["postData"]["params"] == [{"name": "name", "value": "Ada"}, {"name": "e", "value": "\u00e9"}]
    assert posted["bodySize"] == len(b"name=Ada&e=%C3%A9")
    assert entry(log, "/refused")["response"]["_error"].startswith("net::ERR_")
    moved = entry(log, "/moved")["response"]
    assert (moved["redirectURL"], moved["cookies"]) == ("/second", [{"name": "hop", "value": "1"}])
    assert "text" not in entry(log, "/second")["response"]["content"]


async def test_bodies_outlive_navigations(tab: Session, shop: Sites, tmp_path: Path) -> None:
    path = tmp_path / "shop.har"
    async with har(tab, str(path), bodies=True):
        await goto(tab, shop.local("/"))
        await js(tab, "fetch('/api', {method: 'POST', body: '{\"a\": 1}'}).then(response => response.text())")
        await goto(tab, shop.remote("/moved"))
    log = read(path)

    assert entry(log, "/api")["response"]["content"]["text"] == '{"a": 1}'
    assert entry(log, "/api")["response"]["content"]["size"] == 8
    picture = entry(log, "/picture.png")["response"]["content"]
    assert (picture["text"], picture["encoding"]) == ("iVBORw0K", "base64")
    assert entry(log, "/second")["response"]["content"]["text"] == ICON


@pytest.mark.parametrize("end", ["crash", "detach", "error"])
async def test_it_is_written_whatever_ends_the_block(tab: Session, shop: Sites, tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.har"
    with suppress(ZeroDivisionError):
        async with har(tab, path, bodies=True):
            await load(tab, shop.local("/second"))
            if end == "crash":
                await asyncio.wait([tab.send_nowait(page.Crash())])
            elif end == "detach":
                await tab.detach()
            else:
                raise ZeroDivisionError

    assert len(read(path)["entries"]) == 1


def test_without_async(no_leaks: None, chromium: LaunchedBrowser, shop: Sites, tmp_path: Path) -> None:
    path = tmp_path / "a.har"
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab, blocking.har(tab, path, bodies=True):
        tab.send(page.Enable())
        with tab.expect(page.LoadEventFired, timeout=20):
            tab.send(page.Navigate(url=shop.local("/second")))

    assert read(path)["entries"][0]["response"]["content"]["text"] == ICON


def _event(kind: type[Event], **params: Any) -> Event:
    return msgspec.convert(params, kind)


def _sent(request_id: str, **params: Any) -> Event:
    request: dict[str, Any] = {"url": "http://a.test/", "method": "GET", "headers": {}}
    request |= {"initialPriority": "High", "referrerPolicy": "origin"}
    sent: dict[str, Any] = {"requestId": request_id, "loaderId": "L", "documentURL": "http://a.test/"}
    sent |= {"request": request, "timestamp": 5.0, "wallTime": 1.5e9, "initiator": {"type": "other"}}
    return _event(network.RequestWillBeSent, **sent | {"redirectHasExtraInfo": False, "frameId": "F"} | params)


def _received(request_id: str, **params: Any) -> Event:
    response: dict[str, Any] = {"url": "http://a.test/", "status": 200, "statusText": "", "headers": {}}
    response |= {"mimeType": "", "charset": "", "connectionReused": False, "connectionId": 7.0}
    response |= {"encodedDataLength": 0, "securityState": "insecure"}
    received = {"requestId": request_id, "loaderId": "L", "timestamp": 6.0, "type": "Other", "hasExtraInfo": False}
    return _event(network.ResponseReceived, **received, response=response | params)


def _document(*events: Event) -> dict[str, Any]:
    document = HarDocument("F")
    for event in events:
        document.add(event)
    written = document.document()
    jsonschema.validate(written, _object({"log": LOG}))
    log: dict[str, Any] = written["log"]
    return log


def test_what_was_under_way_at_the_beginning_or_at_the_end_is_told_apart() -> None:
    log = _document(
        _event(page.LoadEventFired, timestamp=4.0),
        _event(network.LoadingFinished, requestId="before", timestamp=4.0, encodedDataLength=1),
        _sent("1"),
        _sent("2", redirectResponse=None),
        _received("2"),
    )

    assert log["pages"] == []
    assert [each["response"]["_error"] for each in log["entries"]] == ["not at its end when the recording ended"] * 2


@pytest.mark.parametrize(
    ("protocol", "version"), [("h2", "HTTP/2.0"), ("h3", "HTTP/3.0"), ("http/1.0", "HTTP/1.0"), ("data", "data")]
)
def test_the_version_of_http_is_written_as_in_other_hars(protocol: str, version: str) -> None:
    (written,) = _document(_sent("1"), _received("1", protocol=protocol))["entries"]

    assert written["response"]["httpVersion"] == version


def test_headers_of_one_name_and_what_came_from_a_cache_are_told() -> None:
    both = {"Set-Cookie": "a=1; Path=/\nb=2"}
    one, other = _document(
        _sent("1"),
        _received("1", headers=both),
        _event(network.RequestServedFromCache, requestId="1"),
        _sent("2"),
        _received("2", fromDiskCache=True, remoteIPAddress="[::1]"),
    )["entries"]

    assert one["response"]["headers"] == [{"name": "Set-Cookie", "value": each} for each in ("a=1; Path=/", "b=2")]
    assert one["response"]["cookies"] == [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]
    assert (one["_fromCache"], other["_fromCache"]) == ("memory", "disk")
    assert (other["serverIPAddress"], other["connection"]) == ("::1", "7")


def test_the_phases_of_a_request_over_tls_are_in_milliseconds() -> None:
    timing = dict.fromkeys(("proxyStart", "proxyEnd", "workerStart", "workerReady", "workerFetchStart"), -1.0)
    timing |= {"workerRespondWithSettled": -1.0, "pushStart": 0.0, "pushEnd": 0.0, "receiveHeadersStart": 69.0}
    timing |= {"requestTime": 5.5, "dnsStart": 1.0, "dnsEnd": 11.0, "connectStart": 11.0, "connectEnd": 41.0}
    timing |= {"sslStart": 21.0, "sslEnd": 41.0, "sendStart": 41.0, "sendEnd": 42.0, "receiveHeadersEnd": 70.0}
    finished = _event(network.LoadingFinished, requestId="1", timestamp=5.6, encodedDataLength=123.4)

    (written,) = _document(_sent("1"), _received("1", timing=timing), finished)["entries"]

    assert {name: round(ms, 3) for name, ms in written["timings"].items()} == {
        "blocked": 501, "dns": 10, "connect": 30, "ssl": 20, "send": 1, "wait": 28, "receive": 30,
    }  # fmt: skip
    assert round(written["time"], 3) == 600
    assert written["response"]["_transferSize"] == 123


# -- replay -----------------------------------------------------------------------------------------------------

SHOWN = """(async () => [
    document.querySelector('img').naturalWidth,
    await (await fetch('/api?q=1')).text(),
    await (await fetch('/api', {method: 'POST', body: 'tea'})).text(),
    await fetch('/api', {method: 'POST', body: 'coffee'}).then(response => response.text(), () => 'failed'),
    await fetch('/moved').then(async response => (await response.text()) && response.url),
])()"""
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63f8cfc0f01f0005000180bfa5d0c30000000049454e44ae426082"
)


async def recorded(tab: Session, shop: Sites, path: Path) -> list[Any]:
    """Visit the shop, and return what its page shows."""
    shop.pages["/picture.png"] = Response(PIXEL, headers={"Content-Type": "image/png"})
    async with har(tab, path, bodies=True):
        await load(tab, shop.local("/"))
        shown: list[Any] = await js(tab, SHOWN.replace("body: 'coffee'", "body: 'tea'"))
    shown[3] = "failed"  # nobody asked for coffee
    return shown


async def test_a_page_is_replayed_without_its_server(tab: Session, shop: Sites, tmp_path: Path) -> None:
    shown = await recorded(tab, shop, tmp_path / "a.har")
    shop.pages.clear()
    shop.requests.clear()

    async with replay_har(tab, tmp_path / "a.har"):
        await load(tab, shop.local("/"))
        assert await js(tab, SHOWN) == shown
        assert shown == [1, "{}", "tea", "failed", shop.local("/second")]
    assert shop.requests == []


def test_the_blocking_twin_replays_what_matches_alone(chromium: LaunchedBrowser, shop: Sites, tmp_path: Path) -> None:
    path, text = tmp_path / "a.har", "fetch('/api').then(response => response.text())"
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab:
        with blocking.har(tab, path, bodies=True):
            blocking.goto(tab, shop.local("/second"))
            blocking.js(tab, text)
        shop.pages["/api"] = "new"
        with blocking.replay_har(tab, path, pattern="*/api*", missing="continue"):
            blocking.goto(tab, shop.local("/second"))
            assert blocking.js(tab, text) == "{}"
            assert blocking.js(tab, "fetch('/api?new').then(response => response.text())") == "new"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "it is no HAR file"),
        ('{"log": {}}', "it is no HAR file"),
        (
            '{"log": {"entries": [{"request": {"method": "GET", "url": "http://a.test/"},'
            ' "response": {"status": 200, "content": {"size": 3}}}]}}',
            "recorded without bodies",
        ),
    ],
)
async def test_a_file_that_cannot_answer_is_refused(tab: Session, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.har").write_text(text)

    with pytest.raises(ValueError, match=message):
        async with replay_har(tab, tmp_path / "a.har"):
            pytest.fail("it has no answers")


def test_bodies_are_read_from_files_in_the_folder_alone(tmp_path: Path) -> None:
    def har_with(name: str) -> Path:
        content = {"size": 3, "_file": name}
        response = {"status": 200, "headers": [{"name": "Content-Encoding", "value": "gzip"}], "content": content}
        entry = {"request": {"method": "GET", "url": "http://a.test/#part"}, "response": response}
        (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [entry]}}))
        return tmp_path / "a.har"

    (tmp_path / "body.txt").write_bytes(b"tea")

    assert read_answers(har_with("body.txt")) == (
        HarAnswer(method="GET", url="http://a.test/", status=200, body_base64="dGVh"),
    )
    with pytest.raises(ValueError, match="outside its folder"):
        read_answers(har_with("../body.txt"))


def test_a_request_that_failed_fails_again() -> None:
    failed = HarAnswer(method="GET", url="http://a.test/", status=0).command(fetch.RequestId("1"))

    assert failed == fetch.FailRequest(request_id=fetch.RequestId("1"), error_reason="Failed")
