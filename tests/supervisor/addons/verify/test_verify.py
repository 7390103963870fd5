"""`browser_verify` on Chromium: each check holds, does not hold, and gives evidence."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.shared_browser import SharedBrowser

PAGE = """<!doctype html><link rel=icon href=data:,><title>Tea shop</title>
<h1>Order   <b>placed</b></h1><p id=gone style="visibility:hidden">Hidden words</p>
<label>Name <input value=Ann></label><label>Pin <input type=password value=1234></label>
<label>Agree <input type=checkbox checked></label>
<ul aria-label=Basket><li>Green <b>tea</b><ul><li>2 bags</li></ul></li><li>Cake</li></ul>
<script>for (let i = 0; i < 20; i++) document.write('<i class=many></i>')</script>"""


@pytest.fixture(scope="module")
def shop() -> Iterator[Sites]:
    with Sites() as sites:
        sites.pages["/shop"] = PAGE + iframe(sites.remote("/inner"))
        sites.pages["/inner"] = "<link rel=icon href=data:,><p>inner words<i class=many></i>"
        yield sites


@pytest.fixture(scope="module")
def ws_url(shared_chromium: SharedBrowser) -> str:
    return shared_chromium.empty().ws_url


@contextmanager
def tools_on(shop: Sites, config: Config) -> Generator[Call]:
    registry = SupervisorRegistry()
    call = calls(Toolbox(config, registry=registry, toolsets="all"))
    call("browser_navigate", url=shop.local("/shop"))
    call("browser_wait", until="loaded")
    yield call
    registry.stop_all()


@pytest.fixture(scope="module")
def call(ws_url: str, shop: Sites) -> Iterator[Call]:
    """Tools on the shop, for tests that change nothing there."""
    with tools_on(shop, Config(cdp_url=ws_url, call_timeout_s=20)) as call:
        yield call


@pytest.fixture
def own(ws_url: str, shop: Sites) -> Iterator[Call]:
    """The tools on a page that only this test sees, because it changes it."""
    with tools_on(shop, Config(cdp_url=ws_url, call_timeout_s=20, scope="own", own_context=True)) as call:
        yield call


@pytest.mark.parametrize(
    ("asked", "evidence"),
    [
        ({"check": "visible", "ref": "Cake"}, {}),
        ({"check": "text", "expected": "Order placed"}, {"found": "Order placed Name "}),
        ({"check": "value", "ref": "label=Name", "expected": "Ann"}, {"found": "Ann"}),
        ({"check": "value", "ref": "label=Agree", "expected": "true"}, {"found": "true"}),
        (
            {"check": "list", "ref": "css=ul", "expected": ["Green tea 2 bags", "Cake"]},
            {"items": ["Green tea 2 bags", "Cake"]},
        ),
        ({"check": "count", "ref": "css=.many", "expected": "21"}, {"found": "21"}),
        ({"check": "url", "expected": "/shop"}, {}),
        ({"check": "title", "expected": "Tea shop"}, {"found": "Tea shop"}),
        ({"check": "console"}, {"found": "0"}),
        ({"check": "request", "expected": "/inner"}, {}),
    ],
)
def test_a_check_that_holds(call: Call, asked: dict[str, Any], evidence: dict[str, Any]) -> None:
    if asked.get("ref") == "css=ul":
        asked = {**asked, "ref": 'list "Basket"'}

    result = call("browser_verify", **asked)

    assert (result["success"], result["holds"]) == (True, True)
    assert {name: result[name][: len(value)] for name, value in evidence.items()} == evidence


DO_NOT_HOLD: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"check": "visible", "ref": "css=#gone"}, {"found": "the element is hidden"}),
    ({"check": "visible", "ref": "Coffee"}, {}),
    ({"check": "text", "expected": "Hidden words"}, {}),
    ({"check": "text", "expected": "inner words"}, {}),
    ({"check": "value", "ref": "label=Name", "expected": "Bob"}, {"found": "Ann"}),
    ({"check": "list", "ref": 'list "Basket"', "expected": ["Cake"]}, {"items": ["Green tea 2 bags", "Cake"]}),
    ({"check": "count", "ref": "css=.many", "expected": "12"}, {"found": "21"}),
    ({"check": "url", "expected": "/cart"}, {}),
    ({"check": "title", "expected": "Tea"}, {"found": "Tea shop"}),
    ({"check": "request", "expected": "/nothing"}, {}),
]


def test_a_check_that_does_not_hold_is_no_failure(call: Call) -> None:
    for asked, evidence in DO_NOT_HOLD:
        result = call("browser_verify", **asked)

        assert (result["success"], result["holds"]) == (True, False), asked
        assert {name: result[name] for name in evidence} == evidence


def test_a_frame_from_another_site_is_checked_by_its_id(call: Call) -> None:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]

    assert call("browser_verify", check="text", expected="inner words", frame_id=child["frame_id"])["holds"]


def test_an_error_on_the_console_is_evidence_on_its_page_alone(own: Call, shop: Sites) -> None:
    own("browser_evaluate", expression="console.error('it broke')")

    result = own("browser_verify", check="console")
    own("browser_navigate", url=shop.local("/inner"))
    later = own("browser_verify", check="console")

    assert (result["holds"], result["items"]) == (False, ["it broke"])
    assert "items[]" in result["untrusted"]
    assert (later["holds"], later["found"]) == (True, "0")


def test_an_error_that_is_no_longer_held_still_counts(own: Call) -> None:
    own("browser_evaluate", expression="console.error('it broke'); for (let i = 0; i < 60; i++) console.log(i)")

    result = own("browser_verify", check="console")

    assert (result["holds"], result["found"]) == (False, "0 to 1")


NO_CHECKS: list[tuple[dict[str, Any], str]] = [
    ({"check": "value", "ref": "label=Pin", "expected": "1234"}, "ElementError"),
    ({"check": "text"}, "InvalidArgument"),
    ({"check": "visible"}, "InvalidArgument"),
    ({"check": "count", "ref": "css=.many", "expected": "many"}, "InvalidArgument"),
    ({"check": "count", "ref": "css=<", "expected": "1"}, "InvalidArgument"),
    ({"check": "title", "expected": ["a"]}, "InvalidArgument"),
]


def test_what_cannot_be_checked_is_refused(call: Call) -> None:
    for asked, error in NO_CHECKS:
        result = call("browser_verify", **asked)

        assert (result["success"], result["error_type"]) == (False, error), asked
