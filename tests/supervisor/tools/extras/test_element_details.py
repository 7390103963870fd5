"""`browser_inspect` on Chromium."""

from __future__ import annotations

import json

import pytest

from supervisor.tools import Policy
from tests.support.servers.sites import Sites, iframe

from .conftest import Bench

PAGE = """<title>p</title><style>
    body { margin: 0 } p { color: green; font-size: 15px }
    @media screen { #told { margin: 10px 0 0 20px; color: red !important } }
</style><p id=told class="big note" data-key=7 style="width: 100px; height: 30px; color: blue">Told</p>
<button>Same</button><button>Same</button>
<form aria-label=Login><input aria-label=Key type=password value=hunter2><input aria-label=Name value=Ann></form>"""


@pytest.fixture
def page(bench: Bench, sites: Sites) -> Bench:
    sites.pages["/page"] = PAGE
    bench.open(sites.local("/page"))
    return bench


def test_the_styles_of_an_element_have_the_rules_that_led_to_them(page: Bench) -> None:
    shown = page.call("browser_inspect", ref="css=#told", show="styles")

    assert shown["computed"]["color"] == "rgb(255, 0, 0)"
    assert shown["computed"]["font-size"] == "15px"
    assert shown["rules"] == [
        "p { color: green; font-size: 15px }",
        "@media screen #told { margin: 10px 0 0 20px; color: red !important }",
    ]
    box = page.call("browser_inspect", ref="css=#told", show="box")["box"]
    assert box == {"x": 20, "y": 10, "width": 100, "height": 30}


def test_html_and_attributes_are_those_of_the_document_without_passwords(page: Bench) -> None:
    found = page.call("browser_inspect", ref="css=#told", show="attributes")["attributes"]
    assert (found["class"], found["data-key"]) == ("big note", "7")

    form = page.call("browser_inspect", ref="css=form", show="html")
    key = page.call("browser_inspect", ref="css=[type=password]", show="attributes")

    assert form["html"].startswith("<form")
    assert 'value="Ann"' in form["html"]
    assert "hunter2" not in json.dumps([form, key])


def test_the_box_of_an_element_in_an_iframe_from_another_site_is_that_on_the_page(bench: Bench, sites: Sites) -> None:
    sites.pages |= {
        "/top": f"<body style='margin:50px'>{iframe(sites.remote('/inner'))}",
        "/inner": "<body style='margin:0'><p id=told style='margin:7px;width:40px;height:9px'>",
    }
    bench.open(sites.local("/top"))
    corner = bench.value("(box => [box.x, box.y])(document.querySelector('iframe').getBoundingClientRect())")
    border = bench.value("document.querySelector('iframe').clientLeft")

    box = bench.call("browser_inspect", ref="css=#told", show="box")["box"]

    assert box == {"x": corner[0] + border + 7, "y": corner[1] + border + 7, "width": 40, "height": 9}


def test_a_highlight_stays_while_styles_are_read(page: Bench) -> None:
    page.call("browser_page", action="highlight", ref="css=#told")
    page.call("browser_inspect", ref="css=#told", show="styles")

    assert page.call("browser_page", action="highlight")["success"]


def test_what_cannot_be_inspected_is_refused(page: Bench) -> None:
    ref = page.call("browser_snapshot", find="Same")["page"].partition("[ref=")[2].partition("]")[0]
    denied = page.under(Policy(deny_methods=("CSS.*",)))
    assert denied("browser_inspect", ref=ref, show="styles")["error_type"] == "Refused"

    page.call("browser_evaluate", expression="document.querySelector('button').remove()")

    assert page.call("browser_inspect", ref=ref, show="html")["error_type"] == "StaleRef"
    page.call("browser_evaluate", expression="document.querySelector('#told').style.display = 'none'")
    assert page.call("browser_inspect", ref="css=#told", show="box")["error_type"] == "NotShown"
