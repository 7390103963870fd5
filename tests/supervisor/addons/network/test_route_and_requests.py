"""`browser_route` and `browser_requests` on Chromium, judged by the page and by its server."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from cdp_typed.loop_thread import LOOP_THREAD
from supervisor import SupervisorRegistry
from supervisor.core.state.world import World
from supervisor.driver.driver import Driver
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, Tools, running_in
from tests.support.servers.sites import Response, Sites, iframe

from .conftest import fetched

PAGE = "<!doctype html><link rel=icon href=data:,><title>shop</title><h1>Shop</h1>"


@pytest.fixture
def call(tools: Tools, sites: Sites) -> Call:
    framed = PAGE + iframe(sites.remote("/inner"))
    sites.pages |= {"/shop": framed, "/inner": "<p>inner", "/data": "from the server"}
    call = tools()
    call("browser_navigate", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    return call


@pytest.mark.parametrize("watches", [True, False])
def test_only_requests_that_are_kept_from_a_call_on_say_since_when(tools: Tools, watches: bool) -> None:
    call = tools(watch_requests=watches)
    before = datetime.now(UTC).replace(microsecond=0)

    told = call("browser_requests")

    assert ("kept_since" in told) is not watches
    assert watches or before <= datetime.fromisoformat(told["kept_since"]) <= datetime.now(UTC)


def test_requests_of_dedicated_workers_are_routed_and_other_workers_are_named(call: Call, sites: Sites) -> None:
    script = {"Content-Type": "text/javascript"}
    ask = "fetch('/data?own').then(async r => r.status + ' ' + await r.text(), e => 'failed')"
    sites.pages |= {
        "/workers": PAGE + """<script>
            var dedicated = new Worker('/dedicated.js'), shared = new SharedWorker('/shared.js');
            var registered = navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready);
        </script>""",
        "/dedicated.js": Response(f"onmessage = async () => postMessage(await {ask})", headers=script),
        "/shared.js": Response(
            f"onconnect = ({{ports: [port]}}) => {{ port.onmessage = async () => port.postMessage(await {ask}) }}",
            headers=script,
        ),
        "/service.js": Response(
            "onactivate = event => event.waitUntil(clients.claim());"
            "onfetch = event => { if (event.request.url.endsWith('/data')) event.respondWith(fetch(event.request)) }",
            headers=script,
        ),
    }  # fmt: skip
    call("browser_navigate", url=sites.local("/workers"))
    controlled = "registered.then(() => new Promise(done => navigator.serviceWorker.controller ? done(1) :"
    call("browser_evaluate", expression=f"{controlled} navigator.serviceWorker.oncontrollerchange = () => done(1)))")

    routed = call("browser_route", action="answer", pattern="*/data*", status=201, body="made up")

    told = "new Promise(done => { %s.onmessage = ({data}) => done(data); %s.postMessage(1) })"
    answers = [
        call("browser_evaluate", expression=told % (port, port))["value"] for port in ("dedicated", "shared.port")
    ]
    assert answers == ["201 made up", "200 from the server"]
    assert [fetched(call, path) for path in ("/data?own", "/data")] == ["201 made up", "200 from the server"]
    assert sorted(routed["unrouted"]) == [sites.local("/service.js"), sites.local("/shared.js")]
    assert "unrouted[]" in routed["untrusted"]
    assert "unrouted" not in call("browser_route", action="remove")


def server_saw(sites: Sites, path: str) -> int:
    return sum(request.path.split("?")[0] == path for request in sites.requests)


def test_a_route_answers_in_place_of_the_server_until_it_is_removed(call: Call, sites: Sites) -> None:
    added = call(
        "browser_route", action="answer", pattern="*/data*", status=201, headers=["X-Mine: yes"], body="made up"
    )["added"]

    assert fetched(call, "/data?x=1") == "201 made up"
    assert server_saw(sites, "/data") == 0
    (route,) = call("browser_route", action="list")["routes"]
    assert (route["id"], route["hits"]) == (added, 1)
    assert call("browser_route", action="remove", id=added)["removed"] == [added]
    assert fetched(call, "/data") == "200 from the server"
    assert call("browser_route", action="remove", id=added)["error_type"] == "UnknownRoute"


def test_a_route_takes_so_many_requests_only_and_the_newest_is_first(call: Call) -> None:
    call("browser_route", action="answer", pattern="*/data", body="old")
    call("browser_route", action="abort", pattern="*/data", times=2)

    assert [fetched(call, "/data") for _ in range(3)] == ["failed", "failed", "200 old"]
    assert [route.get("used_up", False) for route in call("browser_route", action="list")["routes"]] == [False, True]


def test_requests_of_another_method_and_address_go_on(call: Call) -> None:
    call("browser_route", action="abort", pattern="*/data", method="post")
    call("browser_route", action="abort", pattern="*/data?")

    assert fetched(call, "/data") == "200 from the server"


def test_a_route_takes_requests_of_some_types_only(call: Call, sites: Sites) -> None:
    sites.pages["/gallery"] = "<!doctype html><link rel=icon href=data:,><img src=/data><script src=/data></script>"
    call("browser_route", action="abort", pattern="*/data", type="Image, font")
    call("browser_route", action="answer", pattern="*/data", type="fetch", body="made up")

    call("browser_navigate", url=sites.local("/gallery"))
    call("browser_wait", until="loaded")

    assert server_saw(sites, "/data") == 1
    assert fetched(call, "/data") == "200 made up"
    assert call("browser_navigate", url=sites.local("/data"))["success"]
    image, script = call("browser_route", action="list")["routes"]
    assert (image["types"], image["hits"], script["types"], script["hits"]) == (["Image", "Font"], 1, ["XHR"], 1)
    assert server_saw(sites, "/data") == 2


def test_a_delay_holds_a_request(call: Call, sites: Sites) -> None:
    call("browser_route", action="change", pattern="*/data", delay_s=0.4)

    script = "(async () => { const t = performance.now(); await fetch('/data'); return performance.now() - t })()"
    assert call("browser_evaluate", expression=script)["value"] >= 390
    assert server_saw(sites, "/data") == 1


def test_headers_and_body_of_a_request_are_changed_and_cookies_stay(call: Call, sites: Sites) -> None:
    call("browser_evaluate", expression="document.cookie = 'a=1'")
    call(
        "browser_route", action="change", pattern="*/data",
        headers=["X-Mine: yes", "X-Old:", "Content-Type: text/x"], body="other",
    )  # fmt: skip

    script = "fetch('/data', {method: 'POST', headers: {'X-Old': '1', 'X-Kept': '2'}, body: 'mine'}).then(() => 1)"
    call("browser_evaluate", expression=script)

    (request,) = [each for each in sites.requests if each.path == "/data"]
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert {name: headers.get(name) for name in ("x-mine", "x-old", "x-kept", "content-type", "cookie")} == {
        "x-mine": "yes", "x-old": None, "x-kept": "2", "content-type": "text/x", "cookie": "a=1"
    }  # fmt: skip


def test_a_frame_from_another_site_and_a_new_document_have_the_route(call: Call, sites: Sites) -> None:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    call("browser_route", action="answer", pattern="*/data", body="made up")
    call("browser_route", action="answer", pattern="*/shop2", body=PAGE, headers=["Content-Type: text/html"])

    assert fetched(call, "/data", frame_id=child["frame_id"]) == "200 made up"
    assert call("browser_navigate", url=sites.local("/shop2"))["success"]
    assert fetched(call, "/data") == "200 made up"


def test_a_page_with_an_open_dialog_can_be_given_a_route(call: Call) -> None:
    call("browser_evaluate", expression="setTimeout(() => alert('hello'))")
    call("browser_wait", until="dialog")

    assert call("browser_route", action="abort", pattern="*/data")["success"]
    assert call("browser_requests")["success"]
    call("browser_dialog", action="accept")
    assert fetched(call, "/data") == "failed"


NO_ROUTES: list[dict[str, Any]] = [
    {"action": "abort"},
    {"action": "answer", "pattern": "*", "headers": ["no colon"]},
    {"action": "answer", "pattern": "*", "headers": ["A: b\r\nC: d"]},
    {"action": "answer", "pattern": "*", "status": 99},
    {"action": "abort", "pattern": "*", "type": "picture"},
    {"action": "abort", "pattern": "*", "type": "websocket"},
    {"action": "abort", "pattern": "*", "type": ""},
]


def test_a_route_that_cannot_be_is_refused(call: Call) -> None:
    for arguments in NO_ROUTES:
        assert call("browser_route", **arguments)["error_type"] == "InvalidArgument", arguments
    assert call("browser_route", action="list").get("routes", []) == []


def test_url_rules_hold_and_a_policy_decides_about_routes(tools: Tools, sites: Sites) -> None:
    sites.pages |= {"/shop": PAGE, "/data": "from the server"}
    call = tools(Policy(deny_origins=("127.0.0.1",), deny_methods=("Runtime.evaluate",)))
    call("browser_navigate", url=sites.local("/shop"))

    assert call("browser_route", action="answer", pattern="*", body="<script>1</script>")["error_type"] == "Refused"
    assert call("browser_route", action="change", pattern="*", headers=["X-Mine: yes"])["success"]
    assert call("browser_navigate", url=sites.remote("/shop"))["error_type"] == "Refused"
    call("browser_snapshot")
    assert call("browser_navigate", url=sites.local("/data"))["success"]
    headers = next(each for each in sites.requests if each.path == "/data").headers
    assert {name.lower(): value for name, value in headers.items()}["x-mine"] == "yes"


def test_requests_are_listed_by_filters_and_shown_whole(call: Call, sites: Sites) -> None:
    assert call("browser_requests").get("requests", []) == []
    fetched(call, "/data?page=abc")
    fetched(call, "/nothing")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    fetched(call, "/data", frame_id=child["frame_id"])

    def listed(**arguments: Any) -> list[tuple[str, Any]]:
        found = call("browser_requests", **arguments).get("requests", [])
        return [(each["url"].partition("//")[2].partition("/")[2], each.get("status")) for each in found]

    assert listed() == [("data?page=abc", 200), ("nothing", 404), ("data", 200)]
    assert listed(failed=True) == listed(status=404) == [("nothing", 404)]
    assert listed(host="127.0.0.1") == [("data", 200)]
    assert listed(url="/data?", method="get", type="fetch") == [("data?page=abc", 200)]
    assert listed(method="POST") == listed(type="image") == []
    inner = call("browser_requests", host="127.0.0.1")["requests"][0]
    whole = call("browser_requests", id=inner["id"], body=True)["whole"]
    assert whole["response_body"] == "from the server"
    assert (whole["initiator"], "wait" in whole["timing_ms"]) == ("script", True)
    assert call("browser_requests", id=99)["error_type"] == "InvalidArgument"


def test_lists_whose_length_nobody_chose_fit_into_what_every_host_shows(call: Call, sites: Sites) -> None:
    sites.pages["/long"] = PAGE + (
        "<script>for (let n = 0; n < 60; n++) { console.log(n + 'm'.repeat(900));"
        "document.write(`<img width=9 height=9 src='/data?${n}${'i'.repeat(900)}'>`) }</script>"
    )
    call("browser_navigate", url=sites.local("/long"))
    call("browser_requests")
    call(
        "browser_evaluate",
        expression="Promise.all([...Array(60).keys()].map(n => fetch('/data?' + n + 'u'.repeat(1500))))",
    )
    lists = {"browser_console": "messages", "browser_requests": "requests", "browser_get_images": "images"}

    told = {name: call(name) for name in lists}
    whole = {name: len(call(name, limit=50)[rows]) for name, rows in lists.items()}

    assert {name: len(json.dumps(result)) for name, result in told.items() if len(json.dumps(result)) > 10_000} == {}
    assert whole == dict.fromkeys(lists, 50)
    assert told["browser_console"]["messages"][-1]["text"].startswith("59")
    assert told["browser_console"]["counts"] == {"log": 60}
    assert told["browser_requests"]["more"] + len(told["browser_requests"]["requests"]) >= 60
    assert told["browser_get_images"]["total"] == 60


def test_headers_and_bodies_with_credentials_are_redacted(call: Call, sites: Sites) -> None:
    sites.pages["/data"] = '{"password": "hunter22"}'
    call("browser_requests")
    script = (
        "fetch('/data', {headers: {'X-Shop-Key': 'hunter22', 'Accept': 'text/x'}}).then(r => r.text()).then(() => 1)"
    )
    call("browser_evaluate", expression=script)

    (request,) = call("browser_requests")["requests"]
    result = call("browser_requests", id=request["id"], body=True)

    assert "hunter22" not in str(result)
    assert result["whole"]["request_headers"]["X-Shop-Key"] == "<redacted>"
    assert result["whole"]["request_headers"]["Accept"] == "text/x"
    assert "whole.response_body" in result["untrusted"]


def test_nothing_is_held_or_watched_before_a_tool_asks(call: Call, registry: SupervisorRegistry) -> None:
    fetched(call, "/data")

    running = running_in(registry)
    world = LOOP_THREAD.run(running.aio.with_driver(_world))

    assert (dict(world.interception.applied), world.network_requests.is_watched) == ({}, False)


async def _world(driver: Driver) -> World:
    return driver.state.world
