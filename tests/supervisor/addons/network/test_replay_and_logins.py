"""Changed responses, logins, saved bodies and replayed HAR files on Chromium, judged by the page and its server."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, Tools, calls
from tests.support.secrets import CANARY
from tests.support.servers.sites import Request, Response, Sites, iframe

from .conftest import fetched

PAGE = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>shop</title><h1>Shop</h1>"
PICTURE = b"\x89PNG\r\n\x1a\n\x00\xff"


CROSS = {"Access-Control-Allow-Origin": "*"}


def guarded(request: Request) -> Response:
    return Response("welcome", headers=CROSS) if request.authorization else Response("no", 401, CROSS)


@pytest.fixture
def call(tools: Tools, sites: Sites, tmp_path: Path) -> Call:
    sites.pages.update(
        {
            "/shop": PAGE + iframe(sites.remote("/inner")),
            "/inner": "<p>inner",
            "/data": Response("from the server", headers={"X-Old": "1", "X-Kept": "2", "Set-Cookie": "a=1"}),
            "/picture": Response(PICTURE, headers={"Content-Type": "image/png"}),
            "/guarded": guarded,
            "/echo-login": lambda request: request.authorization,
            "/away": Response(status=302, headers={"Location": sites.remote("/guarded"), **CROSS}),
            "/moved": Response(status=302, headers={"Location": "/data"}),
            "/echo": lambda request: f"{request.method} {request.body.decode()}",
        }
    )
    call = tools(record_to=str(tmp_path / "flight.jsonl"))
    call("browser_navigate", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    return call


def test_headers_of_a_response_are_changed_and_its_body_and_cookies_stay(call: Call, sites: Sites) -> None:
    call("browser_route", action="change_response", pattern="*/data", status=203, headers=["X-Mine: yes", "X-Old:"])

    script = """fetch('/data').then(async r => [r.status, r.headers.get('x-mine'), r.headers.get('x-old'),
        r.headers.get('x-kept'), await r.text(), document.cookie])"""
    assert call("browser_evaluate", expression=script)["value"] == [203, "yes", None, "2", "from the server", "a=1"]
    assert sum(request.path == "/data" for request in sites.requests) == 1


def test_a_body_of_a_response_is_changed_also_in_a_frame_and_so_many_times(call: Call) -> None:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    call("browser_route", action="change_response", pattern="*/data", body="caf\u00e9", times=2)

    assert fetched(call, "/data") == "200 caf\u00e9"
    assert fetched(call, "/data", frame_id=child["frame_id"]) == "200 caf\u00e9"
    assert fetched(call, "/data") == "200 from the server"


def test_a_changed_request_has_its_response_changed_by_another_route(call: Call) -> None:
    call("browser_route", action="change", pattern="*/echo", body="other")
    call("browser_route", action="change_response", pattern="*/echo", status=201)

    assert fetched(call, "/echo", "{method: 'POST', body: 'mine'}") == "201 POST other"


def test_a_page_in_a_sandbox_lends_its_address_to_no_login(call: Call, sites: Sites) -> None:
    sites.pages["/theirs"] = Response("<p>theirs", headers={"Content-Security-Policy": "sandbox allow-scripts"})
    call("browser_navigate", url=sites.local("/theirs"))

    refused = call("browser_route", action="change", login="ada:secret")

    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "pattern")
    assert call("browser_route", action="change", login="ada:secret", pattern=sites.local("/*"))["success"]


def test_a_login_is_sent_to_its_site_alone_and_shown_nowhere(call: Call, sites: Sites, tmp_path: Path) -> None:
    LoginFiles().save("staging", Login(origin=sites.local("/"), user="ada", password=CANARY))
    assert fetched(call, "/guarded") == "401 no"

    added = call("browser_route", action="change", login="staging")
    assert (added["success"], CANARY in str(added)) == (True, False)
    call("browser_requests")

    assert fetched(call, "/guarded") == "200 welcome"
    assert fetched(call, "/away") == "401 no"
    (request,) = call("browser_requests", url="/guarded", status=200)["requests"]
    assert CANARY not in str(call("browser_requests", id=request["id"], body=True))
    call("browser_navigate", url=sites.local("/guarded"))
    assert "welcome" in call("browser_snapshot")["page"]
    recording = (tmp_path / "flight.jsonl").read_text(encoding="utf-8")
    assert "requests.RouteAdded" in recording
    sent = b64encode(f"ada:{CANARY}".encode()).decode()
    assert sent not in recording
    echoed = fetched(call, "/echo-login")
    assert (sent in echoed, CANARY in echoed, "redacted" in echoed) == (False, False, True)


@pytest.mark.parametrize("toolsets", ["all", "browser"])
def test_a_page_that_needs_credentials_says_how_to_send_them(
    endpoint: str, registry: SupervisorRegistry, sites: Sites, toolsets: str
) -> None:
    asking = {"WWW-Authenticate": 'Basic realm="Staff"'}
    sites.pages["/staff"] = lambda request: "in" if request.authorization else Response("no", 401, asking)
    call = calls(Toolbox(Config(cdp_url=endpoint, call_timeout_s=20), registry=registry, toolsets=toolsets))

    refused = call("browser_navigate", url=sites.local("/staff"))

    asks = "navigation failed: net::ERR_INVALID_AUTH_CREDENTIALS. The server asks for a user name and a password."
    assert refused["error"].startswith(asks)
    assert ("browser_route: action=change" in refused["error"]) == (toolsets == "all")
    if toolsets == "all":
        call("browser_route", action="change", pattern=sites.local("/*"), headers=["Authorization: Basic YTpi"])
        assert call("browser_navigate", url=sites.local("/staff"))["success"]


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"login": "nobody"}, "login"),
        ({"login": "../x"}, "login"),
        ({"login": "staging", "pattern": "*"}, "pattern"),
        ({"login": "staging", "pattern": "https://evil.test/*"}, "pattern"),
    ],
)
def test_a_login_for_another_site_is_refused(call: Call, arguments: dict[str, str], argument: str) -> None:
    LoginFiles().save("staging", Login(origin="https://a.test:8443", user="ada", password=CANARY))

    result = call("browser_route", action="change", **arguments)

    assert (result["error_type"], result["argument"]) == ("InvalidArgument", argument)


def test_a_body_is_saved_to_a_file(call: Call, folder: Path) -> None:
    call("browser_requests")
    fetched(call, "/picture")
    (request,) = call("browser_requests", url="/picture")["requests"]

    saved = call("browser_requests", id=request["id"], save="picture.png")["saved"]

    assert saved == str(folder / "picture.png")
    assert Path(saved).read_bytes() == PICTURE
    assert Path(saved).stat().st_mode & 0o777 == 0o600
    result = call("browser_requests", id=request["id"], save="../picture.png")
    assert (result["error_type"], result["argument"]) == ("InvalidArgument", "save")


def test_what_was_saved_as_har_is_replayed_without_a_server(call: Call, sites: Sites) -> None:
    post = "{method: 'POST', body: 'tea'}"
    (child,) = call("browser_snapshot")["frame_tree"]["children"]

    def seen() -> list[str]:
        inner = fetched(call, "/data", frame_id=child["frame_id"])
        return [fetched(call, "/data"), fetched(call, "/moved"), fetched(call, "/echo", post), inner]

    call("browser_requests")
    call("browser_navigate", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    expected = seen()
    saved = call("browser_requests", save="shop.har")
    log = json.loads(Path(saved["saved"]).read_text(encoding="utf-8"))["log"]
    assert ([page["title"] for page in log["pages"]], saved.get("bodies_left_out", [])) == ([sites.local("/shop")], [])
    assert all(entry["time"] < 60_000 and min(entry["timings"].values()) >= -1 for entry in log["entries"])
    sites.pages.clear()
    sites.requests.clear()

    added = call("browser_route", action="replay", har="shop.har")
    assert added["success"], added
    call("browser_navigate", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert seen() == expected
    assert expected == ["200 from the server", "200 from the server", "200 POST tea", "200 from the server"]
    assert fetched(call, "/new") == "failed"
    assert sites.requests == []


def test_requests_that_are_no_longer_kept_are_counted(call: Call) -> None:
    call("browser_requests")
    script = "(async () => { for (let n = 0; n < 302; n++) await (await fetch('/echo?' + n)).text() })()"
    call("browser_evaluate", expression=script)

    result = call("browser_requests", limit=1)

    assert (result["forgotten"], result["more"]) == (2, 299)


def test_a_saved_har_has_no_cookies_and_no_credentials(call: Call, folder: Path) -> None:
    call("browser_requests")
    fetched(call, "/data", "{headers: {'X-Api-Key': 'hunter22'}}")
    fetched(call, "/echo", "{method: 'POST', body: JSON.stringify({password: 'hunter22'})}")

    call("browser_requests", save="shop.har")

    data, login = json.loads((folder / "shop.har").read_text(encoding="utf-8"))["log"]["entries"]
    assert "hunter22" not in str((data["request"], login["request"]))
    assert not [header for header in data["response"]["headers"] if header["name"].lower() == "set-cookie"]
    assert login["request"].get("postData") is None


@pytest.mark.parametrize(
    ("status", "header"), [(99, ("A", "b")), (200, ("A", "b\r\nC: d")), (200, ("A b", "c")), (1000, ("A", "b"))]
)
def test_a_request_fails_whose_recorded_answer_the_browser_refuses(
    call: Call, folder: Path, sites: Sites, status: int, header: tuple[str, str]
) -> None:
    headers = [{"name": header[0], "value": header[1]}]
    entry: dict[str, Any] = {
        "request": {"method": "GET", "url": sites.local("/data"), "headers": []},
        "response": {"status": status, "headers": headers, "content": {"text": "old"}},
    }
    folder.mkdir()
    (folder / "shop.har").write_text(json.dumps({"log": {"entries": [entry]}}), encoding="utf-8")
    assert call("browser_route", action="replay", har="shop.har")["success"]

    assert fetched(call, "/data") in ("failed", "200 old")


@pytest.mark.parametrize("har", [None, "missing.har", "../x", "text.har"])
def test_a_har_file_that_cannot_be_replayed_is_refused(call: Call, folder: Path, har: str | None) -> None:
    folder.mkdir()
    (folder / "text.har").write_text("no JSON")

    result = call("browser_route", action="replay", har=har)

    assert (result["error_type"], result["argument"]) == ("InvalidArgument", "har")


@pytest.mark.parametrize("action", ["change_response", "replay", "answer"])
def test_where_scripts_are_denied_no_response_is_made_up(tools: Tools, action: str) -> None:
    call = tools(Policy(deny_methods=("Runtime.evaluate",)))

    assert call("browser_route", action=action, pattern="*", body="x")["error_type"] == "Refused"
