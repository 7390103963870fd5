"""Secrets and large bodies in `browser_requests` and its files, on Chromium."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from supervisor import Config
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Request, Response, Sites

FORM = """<!doctype html><link rel=icon href=data:,><title>in</title>
<form action="/two"><input name=user><input name=pin type=password><button>Go</button></form>"""
TWO = "<!doctype html><link rel=icon href=data:,><title>two</title><script src=/app.js></script>"
SAVED = "Basic-Pw-77x!"
SPELLINGS = (SAVED, quote(SAVED))
CODE = ";a.password=b.value;"


def echo(request: Request) -> str:
    return f"{TWO}<p>{request.path}"


@pytest.fixture
def call(tools: Tools, sites: Sites) -> Call:
    script = Response(f"var a={{}},b={{}};{CODE}'{SAVED}'", headers={"Content-Type": "text/javascript"})
    sites.pages.update({"/form": FORM, "/two": echo, "/app.js": script, "/data": "from the server"})
    call = tools(Policy(redact=("Of-The-Policy",)))
    call("browser_requests")
    call("browser_navigate", url=sites.local("/form"))
    return call


def whole_har(path: str) -> str:
    """The text of a file, with the bodies as text."""
    har = json.loads(Path(path).read_text(encoding="utf-8"))
    return json.dumps(har) + "".join(body_texts(har))


def body_texts(har: Any) -> list[str]:
    contents = [entry["response"]["content"] for entry in har["log"]["entries"]]
    return [b64decode(content["text"]).decode() for content in contents if "text" in content]


def test_the_password_of_a_login_is_in_no_result_and_no_file(call: Call, sites: Sites, folder: Path) -> None:
    LoginFiles().save("shop", Login(origin=sites.local("/"), user="ada", password=SAVED))
    call("browser_login", name="shop")
    call("browser_click", ref='button "Go"')
    call("browser_wait", until="url", value="/two")
    call("browser_wait", until="loaded")
    (two,) = call("browser_requests", url="/two?")["requests"]

    result = call("browser_requests", id=two["id"], body=True, save="two.html")
    har = whole_har(call("browser_requests", save="all.har")["saved"])

    assert [text for text in SPELLINGS if text in str(result) + (folder / "two.html").read_text()] == []
    assert [text for text in SPELLINGS if text in har] == []
    assert "/two?user=ada" in har
    assert CODE in har
    assert call("browser_requests", url="pin=Basic").get("requests", []) == []


def test_credentials_in_a_query_are_in_no_result_and_no_file(call: Call, sites: Sites) -> None:
    secrets = {"password": "GetForm-Pw-31", "token": "TokVal99", "access_token": "AcT88", "page": "Of-The-Policy"}
    query = "&".join(f"{name}={value}" for name, value in secrets.items())
    call("browser_navigate", url=sites.local(f"/two?{query}&q=tea"))

    listed = call("browser_requests")
    (two,) = call("browser_requests", url="q=tea", type="document")["requests"]
    whole = call("browser_requests", id=two["id"], body=True)
    har = whole_har(call("browser_requests", save="all.har")["saved"])

    seen = {"listed": str(listed), "whole": str(whole), "file": har}
    assert [(place, value) for value in secrets.values() for place, text in seen.items() if value in text] == []
    assert [place for place, text in seen.items() if "&q=tea" not in text] == []


def test_a_file_with_redacted_addresses_answers_the_other_requests(call: Call, sites: Sites) -> None:
    call("browser_evaluate", expression="fetch('/data?token=TokVal99').then(r => r.text())")
    call("browser_evaluate", expression="fetch('/data').then(r => r.text())")
    call("browser_requests", save="all.har")
    sites.pages.clear()

    replayed = call("browser_route", action="replay", har="all.har")

    script = "Promise.all(['/data', '/data?token=TokVal99'].map(u => fetch(u).then(r => r.text(), () => 'failed')))"
    assert call("browser_evaluate", expression=script)["value"] == ["from the server", "failed"]
    assert [route["har"] for route in replayed["routes"]] == ["all.har"]


def test_a_body_of_some_megabytes_is_saved_until_newer_ones_take_its_place(call: Call, sites: Sites) -> None:
    sites.pages.update({"/large": "x" * 15_000_000, "/huge": "x" * 90_000_000})
    load = "fetch('{}').then(answer => answer.text()).then(() => 1)"
    call("browser_evaluate", expression=load.format("/large"))
    (large,) = call("browser_requests", url="/large")["requests"]
    saved = call("browser_requests", id=large["id"], save="large.txt")["saved"]

    call("browser_evaluate", expression=load.format("/huge"))
    (left_out,) = call("browser_requests", url="/large", save="all.har")["bodies_left_out"]

    assert Path(saved).stat().st_size == 15_000_000
    assert left_out["ids"] == [large["id"]]
    assert "newest 100 MB" in left_out["why"]
    assert "newest 100 MB" in call("browser_requests", id=large["id"], body=True)["whole"]["body_left_out"]


def test_bodies_of_failures_and_of_json_stay_when_the_browser_has_given_up_others(tools: Tools, sites: Sites) -> None:
    call = tools(watch_requests=True)
    sites.pages |= {
        "/": "<title>T</title>",
        "/locked": Response("the database is locked", status=500),
        "/cart": Response('{"items": null}', headers={"Content-Type": "application/json"}),
        "/note": "a note",
        "/huge": "x" * 99_999_999,
    }
    call("browser_navigate", url=sites.local("/"))
    for path in ("/note", "/locked", "/cart", "/huge"):
        call("browser_evaluate", expression=f"fetch('{path}').then(answer => answer.text()).then(() => 1)")

    asked = {each["url"].rpartition("/")[2]: each["id"] for each in call("browser_requests")["requests"]}
    told = {name: call("browser_requests", id=asked[name], body=True)["whole"] for name in ("locked", "cart", "note")}

    assert {name: whole.get("response_body") for name, whole in told.items()} == {
        "locked": "the database is locked",
        "cart": '{"items": null}',
        "note": None,
    }


def test_the_newest_requests_are_listed_oldest_first(call: Call) -> None:
    for number in range(3):
        call("browser_evaluate", expression=f"fetch('/data?{number}').then(r => r.text())")
    (schema,) = [each for each in Toolbox(Config(cdp_url="ws://127.0.0.1:9"), toolsets="all").definitions("anthropic")
                 if each["name"] == "browser_requests"]  # fmt: skip

    listed = [each["url"].rpartition("?")[2] for each in call("browser_requests", limit=2)["requests"]]

    assert listed == ["1", "2"]
    assert "oldest first" in schema["input_schema"]["properties"]["limit"]["description"]


PARTS = ["127.0.0.1:8503/api/x", "localhost:8503/*", "/api/*", "api*", "HTTP://a.test/*"]


def test_a_pattern_that_matches_no_whole_url_is_refused(call: Call) -> None:
    for pattern in PARTS:
        result = call("browser_route", action="abort", pattern=pattern)

        assert (result["error_type"], result["argument"]) == ("InvalidArgument", "pattern"), pattern
        assert "https://" in result["error"]


WHOLE = ["*", "*/api/x", "?ttp://a.test/", "http*", "https://a.test/x", "blob:*"]


def test_a_pattern_of_a_whole_url_is_taken(call: Call) -> None:
    for pattern in WHOLE:
        assert call("browser_route", action="change", pattern=pattern)["success"], pattern
