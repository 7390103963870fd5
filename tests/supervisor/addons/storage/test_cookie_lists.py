"""Cookies from the files that a person exports, judged on another connection and by the writers of such files."""

from __future__ import annotations

import http.cookiejar
import json
import time
from pathlib import Path
from typing import Any

import pytest

from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, MakeBox, calls
from tests.support.stages.stages import Stage

from .test_cookies import call as call
from .test_cookies import jar, names

CHROME_BASH = r"""curl 'https://shop.test/cart?x=1' \
  -H 'accept: text/html' \
  -b $'sid=abc\u0021d=e; theme=it\'s dark' \
  -H 'user-agent: Mozilla/5.0' \
  --data-raw 'not=a; cookie=1'
"""
CHROME_CMD = 'curl ^"https://shop.test/cart^" ^\r\n  -H ^"accept: text/html^" ^\r\n  -b ^"sid=50^%^; theme=dark^"'
FIREFOX = "curl 'https://shop.test/' --compressed -H 'Cookie: sid=abc; theme=dark' -H 'DNT: 1'"


def load(call: Call, tmp_path: Path, text: str, **arguments: Any) -> dict[str, Any]:
    path = tmp_path / "exported"
    path.write_text(text, encoding="utf-8", newline="")
    return call("browser_cookies", action="set", cookie=f"@{path}", **arguments)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHROME_BASH, {"sid": "abc!d=e", "theme": "it's dark"}),
        (CHROME_CMD, {"sid": "50%", "theme": "dark"}),
        (FIREFOX, {"sid": "abc", "theme": "dark"}),
    ],
)
def test_a_copied_curl_command_sets_the_cookies_of_its_address(
    stage: Stage, call: Call, tmp_path: Path, text: str, expected: dict[str, str]
) -> None:
    given = load(call, tmp_path, text)

    assert jar(stage) == expected
    assert {(cookie["domain"], cookie["path"], cookie["secure"]) for cookie in given["cookies"]} == {
        ("shop.test", "/", True)
    }
    assert not any("value" in cookie for cookie in given["cookies"])


def test_a_cookie_header_is_for_the_page_or_the_host_that_is_named(stage: Stage, call: Call, tmp_path: Path) -> None:
    own = load(call, tmp_path, "Cookie: a=1; b=2\n")
    other = load(call, tmp_path, "cookie: __Host-c=3", domain="shop.test")

    assert jar(stage) == {"a": "1", "b": "2", "__Host-c": "3"}
    assert [cookie.get("secure", False) for cookie in own["cookies"]] == [False, False]
    assert other["cookies"][0]["domain"] == "shop.test"


def test_cookies_txt_as_python_writes_it(stage: Stage, call: Call, tmp_path: Path) -> None:
    written = http.cookiejar.MozillaCookieJar(tmp_path / "cookies.txt")
    soon = int(time.time()) + 600
    for name, domain, expires, rest in (
        ("host", "shop.test", soon, {"HTTPOnly": ""}),
        ("all", ".shop.test", soon, {}),
        ("session", "shop.test", None, {}),
        ("old", "shop.test", 1_000_000, {}),
    ):
        flags = (domain, True, domain.startswith("."), "/x", True, name == "all")
        written.set_cookie(http.cookiejar.Cookie(0, name, "1", None, False, *flags, expires, False, None, None, rest))
    written.save(ignore_discard=True, ignore_expires=True)

    given = call("browser_cookies", action="set", cookie=f"@{tmp_path / 'cookies.txt'}")

    assert jar(stage) == {"host": "1", "all": "1", "session": "1"}
    assert given["refused"] == ["old"]
    seen = {cookie["name"]: cookie for cookie in given["cookies"]}
    assert {name: cookie["domain"] for name, cookie in seen.items()} == {
        "host": "shop.test", "all": ".shop.test", "session": "shop.test"
    }  # fmt: skip
    assert [name for name, cookie in seen.items() if cookie.get("http_only")] == ["host"]
    assert [name for name, cookie in seen.items() if cookie.get("secure")] == ["all"]
    assert [name for name, cookie in seen.items() if "expires" not in cookie] == ["session"]
    assert seen["host"]["expires"] == pytest.approx(soon, abs=1)


def test_json_as_extensions_and_playwright_write_it(stage: Stage, call: Call, tmp_path: Path) -> None:
    exported = [
        {"domain": ".shop.test", "expirationDate": time.time() + 600, "hostOnly": False, "httpOnly": True, "name": "a",
         "path": "/x", "sameSite": "no_restriction", "secure": True, "session": False, "storeId": "0", "value": "1"},
        {"name": "b", "value": "2", "domain": "www.shop.test", "path": "/", "expires": -1, "httpOnly": False,
         "secure": False, "sameSite": "Lax"},
        {"name": "c", "value": "3"},
    ]  # fmt: skip
    given = load(call, tmp_path, json.dumps(exported), domain="other.test")

    assert jar(stage) == {"a": "1", "b": "2", "c": "3"}
    seen = {cookie["name"]: cookie for cookie in given["cookies"]}
    assert [seen[name]["domain"] for name in "abc"] == [".shop.test", "www.shop.test", "other.test"]
    assert [seen[name].get("same_site", "") for name in "abc"] == ["None", "Lax", ""]
    assert (seen["a"]["http_only"], seen["a"]["path"], "expires" in seen["b"]) == (True, "/x", False)


NO_LISTS = [
    ("SECRET", "expected a copied curl command"),
    ("", "expected a copied curl command"),
    ("curl 'https://shop.test/ -b 'a=SECRET'", "is not closed"),
    ("curl https://shop.test/ -H 'Authorization: SECRET'", "no cookies"),
    ("curl -b a=SECRET", "no https address"),
    ("# Netscape HTTP Cookie File\nshop.test\tFALSE\t/\tFALSE\tsoon\ta\tSECRET\n", "is no number"),
    ('[{"name": "a", "value": 7}]', "got `int` - at `$[0].value`"),
    ("[{SECRET]", "does not parse"),
    ("[]", "expected 1 to"),
    ("shop.test\tFALSE\t/\tFALSE\t1000\ta\tSECRET\n", "did not keep any cookie"),
]


def test_a_file_without_cookies_is_refused_without_its_text(stage: Stage, call: Call, tmp_path: Path) -> None:
    for text, why in NO_LISTS:
        result = load(call, tmp_path, text)

        assert (result["success"], result["argument"]) == (False, "cookie")
        assert why in result["error"]
        assert "SECRET" not in str(result)
    assert jar(stage) == {}


def test_a_file_that_cannot_be_used_is_refused(stage: Stage, make_box: MakeBox, call: Call, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("Cookie: a=1")
    held = calls(make_box(stage, Policy(allow_files=(str(allowed),), deny_origins=("bank.test",))))

    assert "cannot be read" in call("browser_cookies", action="set", cookie=f"@{tmp_path / 'none'}")["error"]
    assert "absolute path" in call("browser_cookies", action="set", cookie="@cookies.txt")["error"]
    assert held("browser_cookies", action="set", cookie=f"@{tmp_path / 'none'}")["error_type"] == "Refused"
    assert held("browser_cookies", action="set", cookie=f"@{allowed}", domain="bank.test")["error_type"] == "Refused"
    assert names(held("browser_cookies", action="set", cookie=f"@{allowed}")) == ["a"]
    assert jar(stage) == {"a": "1"}
