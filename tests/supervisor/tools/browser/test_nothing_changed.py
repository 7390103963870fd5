"""What results say of changes that no text shows, of the order of items, and of titles. Real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites
from tests.support.stages.shared_browser import SharedBrowser

NO_TEXT = "nothing that this page's text shows"
LIST = "<ul style='display: flex; flex-direction: {}'><li>Tea<li style='order: {}'>Cake<li>Milk</ul>"
GRID = """<div role=grid aria-rowcount=900 style="position: relative; height: 90px">
<div role=row style="position: absolute; top: 0"><span role=gridcell>Tea</span></div>
<div role=row style="position: absolute; top: 20px"><span role=gridcell>Cake</span></div></div>"""


@pytest.fixture(scope="module")
def desk(shared_chromium: SharedBrowser) -> Iterator[tuple[Call, Sites]]:
    registry = SupervisorRegistry()
    with Sites() as sites:
        yield calls(Toolbox(Config(cdp_url=shared_chromium.empty().ws_url), registry=registry, toolsets="all")), sites
        registry.stop_all()


def show(desk: tuple[Call, Sites], html: str) -> tuple[Call, str]:
    call, sites = desk
    sites.pages["/"] = f"<!doctype html><link rel=icon href=data:,><body><button>Do</button>{html}"
    return call, str(call("browser_navigate", url=sites.local("/"), snapshot=True)["page"])


def after(call: Call, script: str) -> str:
    assert (done := call("browser_evaluate", expression=script))["success"], done
    return str(call("browser_hover", ref="Do", snapshot=True)["page"])


@pytest.mark.parametrize(
    ("html", "script"),
    [
        ("<p id=it>Bold</p>", "it.style.fontWeight = 'bold'"),
        ("<p id=it>Bold</p>", "it.innerHTML = '<b>Bold</b>'"),
        ("<p>One</p><p id=it>Two</p>", "getSelection().selectAllChildren(it)"),
        ("<p id=it>Moved</p>", "it.style.marginLeft = '90px'"),
        ("<div id=it><i></i></div>", "it.className = 'chosen'"),
        ("<canvas id=it></canvas>", "it.getContext('2d').fillRect(0, 0, 9, 9)"),
        ("<iframe srcdoc='<p>In</p>'></iframe>", "frames[0].document.querySelector('p').style.color = 'red'"),
    ],
)
def test_a_change_without_a_text_is_not_told_as_none(desk: tuple[Call, Sites], html: str, script: str) -> None:
    call, _ = show(desk, html)
    after(call, "0")

    assert after(call, script) == NO_TEXT


@pytest.mark.parametrize("html", ["<p>Still</p>", "<ul id=it><li>Tea<li>Cake</ul>"])
def test_nothing_changed_is_said_of_a_page_that_did_not_change(desk: tuple[Call, Sites], html: str) -> None:
    call, _ = show(desk, html)
    after(call, "0")

    assert after(call, "0") == "nothing changed"
    assert after(call, "globalThis.it && (it.innerHTML = it.innerHTML)") == "nothing changed"


@pytest.mark.parametrize(
    ("html", "script", "line"),
    [
        ("<table><th aria-sort=none id=it>Name</table>", "it.ariaSort = 'descending'", "[sort=descending]"),
        ("<nav><a href=#a aria-current=page>A</a><a id=it href=#b>B</a></nav>", "it.ariaCurrent = 'page'", "[current"),
        ("<a id=it href=#b>B</a>", "it.ariaCurrent = 'true'", "/#b [current]"),
        (GRID, "document.querySelector('[role=grid]').ariaRowCount = 12", "[rows=12]"),
    ],
)
def test_a_state_of_aria_is_a_change(desk: tuple[Call, Sites], html: str, script: str, line: str) -> None:
    call, _ = show(desk, html)

    assert line in after(call, script)


@pytest.mark.parametrize(
    ("html", "order"),
    [
        (LIST.format("column", 0), ["Tea", "Cake", "Milk"]),
        (LIST.format("column", 1), ["Tea", "Milk", "Cake"]),
        (LIST.format("row", -1), ["Cake", "Tea", "Milk"]),
        (LIST.format("row", -1).replace("<ul", "<ul dir=rtl"), ["Cake", "Tea", "Milk"]),
        (LIST.format("column-reverse", 0), ["Milk", "Cake", "Tea"]),
        (LIST.format("row", 0).replace("flex;", "flex; flex-wrap: wrap; width: 90px;"), ["Tea", "Cake", "Milk"]),
    ],
)
def test_items_are_listed_as_they_are_seen(desk: tuple[Call, Sites], html: str, order: list[str]) -> None:
    _, page = show(desk, html)

    assert sorted(order, key=page.index) == order


def test_a_sort_that_only_moves_rows_is_a_change(desk: tuple[Call, Sites]) -> None:
    call, before = show(desk, GRID)
    assert before.index("Tea") < before.index("Cake")
    assert "[rows=900]" in before

    now = after(call, "document.querySelector('[role=row]').style.top = '40px'")

    assert now.index("Cake") < now.index("Tea")


@pytest.mark.parametrize(
    ("path", "title", "told"),
    [
        ("/react", "react", "react"),
        ("/react/", "", None),
        ("/a?q=localhost", "localhost", "localhost"),
        ("/x", "X", "X"),
    ],
)
def test_a_tab_has_its_title_unless_the_browser_made_it_of_the_address(
    desk: tuple[Call, Sites], path: str, title: str, told: str | None
) -> None:
    call, sites = desk
    sites.pages[path.partition("?")[0]] = f"<!doctype html><link rel=icon href=data:,><title>{title}</title>"
    call("browser_navigate", url=sites.local(path))

    (current,) = [tab for tab in call("browser_tabs")["tabs"] if tab.get("is_current")]

    assert current.get("title") == told


@pytest.mark.parametrize("look", ["nothing", "find", "part"])
def test_changes_are_those_since_the_action_where_the_page_was_not_seen_as_a_whole(
    desk: tuple[Call, Sites], look: str
) -> None:
    call, sites = desk
    sites.pages["/"] = (
        "<!doctype html><link rel=icon href=data:,><p>One</p><p>Two</p><ul id=list><li>Tea</ul>"
        "<button onclick=\"list.innerHTML += '<li>Cake'\">Add</button>"
    )
    call("browser_navigate", url=sites.local("/"))
    if look == "find":
        call("browser_snapshot", find="Add")
    elif look == "part":
        call("browser_snapshot", interactive_only=True)

    page = call("browser_click", ref="Add", snapshot=True)["page"]

    assert ("Cake" in page, "One" in page, "Tea" in page) == (True, False, False), page
