"""`browser_cookies`, judged on another connection."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.protocol import storage
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, MakeBox, calls
from tests.support.stages.stages import Stage, send_as_another_client


@pytest.fixture
def call(stage: Stage, make_box: MakeBox) -> Call:
    """Calls on the plain page of a stage without any cookie."""
    send_as_another_client(stage, storage.ClearCookies())
    call = calls(make_box(stage))
    assert call("browser_navigate", url=f"{stage.own}/plain")["success"]
    return call


def jar(stage: Stage) -> dict[str, str]:
    """The cookies of the browser, asked on another connection."""
    (found,) = send_as_another_client(stage, storage.GetCookies())
    return {cookie.name: cookie.value for cookie in found.cookies}


def names(result: dict[str, Any]) -> list[str]:
    return sorted(cookie["name"] for cookie in result.get("cookies", []))


def test_a_cookie_is_set_listed_shown_and_deleted(stage: Stage, call: Call) -> None:
    given = call("browser_cookies", action="set", cookie="sid=a=b; HttpOnly; Max-Age=600; SameSite=Lax")
    call("browser_cookies", action="set", cookie="plain=1")

    assert jar(stage) == {"sid": "a=b", "plain": "1"}
    (kept,) = given["cookies"]
    assert (kept["value"], kept["http_only"], kept["same_site"], "expires" in kept) == ("a=b", True, "Lax", True)
    listed = call("browser_cookies")
    assert names(listed) == ["plain", "sid"]
    assert not any("value" in cookie for cookie in listed["cookies"])
    assert {"cookies[].name", "cookies[].domain"} <= set(listed["untrusted"])
    assert call("browser_cookies", action="get", name="sid")["cookies"][0]["value"] == "a=b"
    assert call("browser_cookies", action="delete", name="sid")["deleted"] == 1
    assert jar(stage) == {"plain": "1"}


def test_only_the_cookies_of_a_domain_are_meant(stage: Stage, call: Call) -> None:
    for host in ("shop.test", "www.shop.test", "notshop.test"):
        assert call("browser_cookies", action="set", cookie=f"{host[0]}=1; Path=/x", domain=host)["success"]

    assert names(call("browser_cookies", domain="shop.test")) == ["s", "w"]
    assert call("browser_cookies", action="clear", domain="shop.test")["deleted"] == 2
    assert jar(stage) == {"n": "1"}
    assert call("browser_cookies", action="clear")["deleted"] == 1
    assert jar(stage) == {}


IMPOSSIBLE = [
    ("no equals", "expected name=value"),
    ("a=SECRET; Colour=red", "an attribute is none of"),
    ("a=SECRET; Expires=soon", "Expires is no date"),
    ("a=SECRET; Max-Age=0", "the browser did not keep the cookie"),
]


def test_a_cookie_that_cannot_be_set_is_refused_without_its_value(stage: Stage, call: Call) -> None:
    for line, why in IMPOSSIBLE:
        result = call("browser_cookies", action="set", cookie=line)

        assert (result["success"], result["argument"]) == (False, "cookie")
        assert why in result["error"]
        assert "SECRET" not in str(result)
    assert jar(stage) == {}


def test_cookies_of_refused_sites_are_neither_shown_nor_deleted(stage: Stage, make_box: MakeBox, call: Call) -> None:
    call("browser_cookies", action="set", cookie="bank=1", domain="bank.test")
    call("browser_cookies", action="set", cookie="own=1")
    held = calls(make_box(stage, Policy(deny_origins=("bank.test",))))
    denied = calls(make_box(stage, Policy(deny_methods=("*.getAllCookies",))))

    assert names(held("browser_cookies")) == ["own"]
    assert held("browser_cookies", action="clear")["deleted"] == 1
    assert held("browser_cookies", action="set", cookie="x=1", domain="bank.test")["error_type"] == "Refused"
    assert jar(stage) == {"bank": "1"}
    assert denied("browser_cookies")["error_type"] == "Refused"


def test_a_cookie_with_a_domain_is_for_subdomains_too(stage: Stage, call: Call) -> None:
    given = call("browser_cookies", action="set", cookie="a=1; Domain=shop.test", domain="www.shop.test")

    assert given["cookies"][0]["domain"] == ".shop.test"
    assert call("browser_cookies", action="set", cookie="b=1; Domain=localhost", domain="localhost")["success"]


def test_cookies_are_listed_by_path(call: Call) -> None:
    for path in ("/", "/Cart", "/Cart/items", "/Cartoon"):
        call("browser_cookies", action="set", cookie=f"at{path.replace('/', '_')}=1; Path={path}", domain="shop.test")

    assert names(call("browser_cookies", domain="shop.test/Cart")) == ["at_Cart", "at_Cart_items"]
    assert names(call("browser_cookies", domain="/Cart/items/")) == ["at_Cart_items"]
    assert len(names(call("browser_cookies", domain="shop.test/"))) == 4
