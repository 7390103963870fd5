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
def page(bench: Bench) -> Bench:
    bench.show(PAGE)
    return bench


def test_the_styles_of_an_element_have_the_rules_that_led_to_them_and_its_highlight_stays(page: Bench) -> None:
    page.call("browser_page", action="highlight", ref="css=#told")
    shown = page.call("browser_inspect", ref="css=#told", show="styles")

    assert shown["computed"]["color"] == "rgb(255, 0, 0)"
    assert shown["computed"]["font-size"] == "15px"
    assert shown["rules"] == [
        "p { color: green; font-size: 15px }",
        "@media screen #told { margin: 10px 0 0 20px; color: red !important }",
    ]
    assert page.call("browser_page", action="highlight")["success"]
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


def test_what_cannot_be_inspected_is_refused(page: Bench) -> None:
    ref = page.call("browser_snapshot", find="Same")["page"].partition("[ref=")[2].partition("]")[0]
    denied = page.under(Policy(deny_methods=("CSS.*",)))
    assert denied("browser_inspect", ref=ref, show="styles")["error_type"] == "Refused"

    page.call("browser_evaluate", expression="document.querySelector('button').remove()")

    assert page.call("browser_inspect", ref=ref, show="html")["error_type"] == "StaleRef"
    page.call("browser_evaluate", expression="document.querySelector('#told').style.display = 'none'")
    assert page.call("browser_inspect", ref="css=#told", show="box")["error_type"] == "NotShown"


def test_a_tree_has_boxes_whole_addresses_and_so_many_levels(bench: Bench, sites: Sites) -> None:
    address = sites.local("/a" + "b" * 100)
    sites.pages |= {
        "/top": f"""<body style='margin:0'><nav aria-label=Main style='height:40px'><a href='{address}'
            style='position:absolute;left:10px;top:5px;width:90px;height:20px'>Far</a></nav>
            <ul style='margin:0'><li><button style='position:absolute;left:1.5px;top:60px;width:70px;height:30px'>Tea
            </button><li><button>Cake</button></ul>
            <iframe style='position:absolute;left:100px;top:200px;border:0' src='{sites.remote("/inner")}'></iframe>""",
        "/inner": "<body style='margin:0'><button style='margin:7px;width:40px;height:9px'>Inner",
    }
    bench.open(sites.local("/top"))
    bench.call("browser_snapshot")

    whole = bench.call("browser_inspect", show="tree")["tree"].splitlines()
    flat = bench.call("browser_inspect", show="tree", depth=1)["tree"].splitlines()
    part = bench.call("browser_inspect", show="tree", ref="css=ul")["tree"].splitlines()

    boxes = {line.split('"')[1]: line.rpartition("[box=")[2].rstrip("]") for line in whole if '"' in line}
    assert boxes["Far"] == "10,5,90,20"
    assert boxes["Tea"] == "1.5,60,70,30"
    assert boxes["Inner"] == "107,207,40,9"
    assert [line for line in whole if address in line]
    assert [line.split()[0] for line in flat] == ["navigation", "list", "iframe"]
    assert [line.split()[0] for line in part] == ["list", "button", "button"]
    ref = next(line for line in whole if '"Inner"' in line).partition("[ref=")[2].partition("]")[0]
    assert bench.call("browser_click", ref=ref)["success"]


def test_a_tree_has_the_lines_that_an_expression_matches_with_those_around_them(bench: Bench) -> None:
    bench.show("<ul aria-label=Orders>" + "".join(f"<li><button>Order {n}</button>" for n in range(20)))

    found = bench.call("browser_inspect", show="tree", find=r'"order 1[3-5]"')["tree"].splitlines()
    nothing = bench.call("browser_inspect", show="tree", find="no such")

    assert [line.split(" [")[0].strip() for line in found] == [
        'list "Orders"', 'button "Order 13"', 'button "Order 14"', 'button "Order 15"'
    ]  # fmt: skip
    assert nothing == {"success": True, "tree": ""}


def test_a_long_tree_is_cut_and_says_so(bench: Bench) -> None:
    bench.show("".join(f"<button>Button number {n}</button>" for n in range(900)))

    shown = bench.call("browser_inspect", show="tree")

    assert len(shown["tree"]) <= 8_000
    assert len(shown["tree"].splitlines()) + shown["lines_left"] == 900


WRONG_TREES: list[tuple[dict[str, object], str]] = [
    ({"show": "tree", "find": "("}, "find"),
    ({"show": "tree", "find": "(a+)+b"}, "find"),
    ({"show": "tree", "depth": 0}, "depth"),
    ({"show": "html"}, "ref"),
    ({"show": "html", "ref": "css=p", "depth": 2}, "depth"),
    ({"show": "box", "ref": "css=p", "find": "x"}, "find"),
]


def test_a_wrong_tree_is_refused_in_time(bench: Bench) -> None:
    bench.show(f"<p>{'a' * 60}</p>")
    for arguments, argument in WRONG_TREES:
        refused = bench.call("browser_inspect", **arguments)

        assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", argument)


def test_a_tree_leaves_the_base_of_changes_alone_and_is_blocked_by_a_dialog(page: Bench) -> None:
    page.call("browser_snapshot")
    page.value("document.body.append('Added')")

    tree = page.call("browser_inspect", show="tree")

    assert '"Added"' in tree["tree"]
    assert page.call("browser_snapshot", changed_only=True)["page"] == '"Added"'
    page.call("browser_evaluate", expression="alert(1)")
    assert page.call("browser_inspect", show="tree")["error_type"] == "BlockedByDialog"
    page.call("browser_dialog", action="accept")
