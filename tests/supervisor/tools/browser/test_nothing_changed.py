"""The changes in results: since when, which ones, how many; the order of items, and titles. Real Chromium."""

from __future__ import annotations

import re

import pytest

from tests.supervisor.tools.desk import Desk

NO_TEXT = "nothing that this page's text shows"
LIST = "<ul style='display: flex; flex-direction: {}'><li>Tea<li style='order: {}'>Cake<li>Milk</ul>"
GRID = """<div role=grid aria-rowcount=900 style="position: relative; height: 90px">
<div role=row style="position: absolute; top: 0"><span role=gridcell>Tea</span></div>
<div role=row style="position: absolute; top: 20px"><span role=gridcell>Cake</span></div></div>"""


def show(desk: Desk, html: str) -> str:
    """Show a page with a button that does nothing."""
    return desk.show(f"<button>Do</button>{html}")


def after(desk: Desk, script: str) -> str:
    """What a result says of the page once a script has run."""
    assert (done := desk.call("browser_evaluate", expression=script))["success"], done
    return str(desk.call("browser_hover", ref="Do", snapshot=True)["page"])


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
def test_a_change_without_a_text_is_not_told_as_none(desk: Desk, html: str, script: str) -> None:
    show(desk, html)
    after(desk, "0")

    assert after(desk, script) == NO_TEXT


@pytest.mark.parametrize("html", ["<p>Still</p>", "<ul id=it><li>Tea<li>Cake</ul>"])
def test_nothing_changed_is_said_of_a_page_that_did_not_change(desk: Desk, html: str) -> None:
    show(desk, html)
    after(desk, "0")

    assert after(desk, "0") == "nothing changed"
    assert after(desk, "globalThis.it && (it.innerHTML = it.innerHTML)") == "nothing changed"


DIALOG = "<div role=dialog aria-label=First id=it><button>OK</button></div>"
QUESTION = "<h2>Empty the cart?</h2><div id=it><button>OK</button></div>"
MADE_ANEW = "it.outerHTML = it.outerHTML"


@pytest.mark.parametrize(
    ("html", "script", "line"),
    [
        ("<table><th aria-sort=none id=it>Name</table>", "it.ariaSort = 'descending'", "[sort=descending]"),
        ("<nav><a href=#a aria-current=page>A</a><a id=it href=#b>B</a></nav>", "it.ariaCurrent = 'page'", "[current"),
        ("<a id=it href=#b>B</a>", "it.ariaCurrent = 'true'", "#b [current]"),
        (GRID, "document.querySelector('[role=grid]').ariaRowCount = 12", "[rows=12]"),
        (DIALOG, f"it.ariaLabel = 'Second'; {MADE_ANEW}", 'button "OK"'),
        (QUESTION, f"it.before('Delete all'); it.ariaLabel = 1; {MADE_ANEW}", 'button "OK"'),
    ],
)
def test_a_state_of_aria_and_a_button_made_anew_elsewhere_are_changes(
    desk: Desk, html: str, script: str, line: str
) -> None:
    show(desk, html)

    assert line in after(desk, script)


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
def test_items_are_listed_as_they_are_seen(desk: Desk, html: str, order: list[str]) -> None:
    page = show(desk, html)

    assert sorted(order, key=page.index) == order


def test_a_sort_that_only_moves_rows_is_a_change(desk: Desk) -> None:
    before = show(desk, GRID)
    assert before.index("Tea") < before.index("Cake")
    assert "[rows=900]" in before

    now = after(desk, "document.querySelector('[role=row]').style.top = '40px'")

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
    desk: Desk, path: str, title: str, told: str | None
) -> None:
    desk.sites.pages[path.partition("?")[0]] = f"<!doctype html><link rel=icon href=data:,><title>{title}</title>"
    desk.call("browser_navigate", url=desk.sites.local(path))

    (current,) = [tab for tab in desk.call("browser_tabs")["tabs"] if tab.get("is_current")]

    assert current.get("title") == told


@pytest.mark.parametrize("look", ["nothing", "find", "part"])
def test_changes_are_since_the_action_where_the_page_was_not_wholly_seen(desk: Desk, look: str) -> None:
    desk.show(
        "<p>One</p><p>Two</p><ul id=list><li>Tea</ul><button onclick=\"list.innerHTML += '<li>Cake'\">Add</button>",
        snapshot=False,
    )
    if look == "find":
        desk.call("browser_snapshot", find="Add")
    elif look == "part":
        desk.call("browser_snapshot", interactive_only=True)

    page = desk.call("browser_click", ref="Add", snapshot=True)["page"]

    assert ("Cake" in page, "One" in page, "Tea" in page) == (True, False, False), page


TEXTS = "".join(f"<p>Text {number}</p>" for number in range(300))
STEPS = f"""<script>const add = text => {{ document.body.appendChild(document.createElement('p')).textContent = text }}
</script><button onclick="add('first')">Add 1</button><button ondblclick="add('second')">Add 2</button>{TEXTS}"""


@pytest.mark.parametrize("seen", [{}, {"find": "Add"}, {"interactive_only": True}, {"find": "Text 7"}, None])
def test_changes_are_those_since_just_before_the_action(desk: Desk, seen: dict[str, str] | None) -> None:
    desk.show(STEPS, snapshot=False)
    if seen is not None:
        desk.call("browser_snapshot", **seen)
    desk.call("browser_click", ref="Add 1")

    page = desk.call("browser_click", ref="Add 2", count=2, snapshot=True)["page"]

    assert ('"second"' in page, '"first"' in page, "Text" in page) == (True, False, False), page
    assert ("first" in desk.call("browser_snapshot", changed_only=True)["page"]) is (seen == {})


@pytest.mark.parametrize(
    ("html", "new"),
    [
        ("<button onclick=\"it.innerHTML = '<li><a href=/1>Jena</a>Hot<li><a href=/2>Ulm</a>'\">Open</button>", "Jena"),
        ("<input aria-label=Open onclick=\"it.innerHTML = '<button>Jena</button> Hot'\">", "Jena"),
    ],
)
def test_an_element_that_was_made_unseen_is_told_with_the_next_changes(desk: Desk, html: str, new: str) -> None:
    show(desk, f"{html}<ul id=it></ul><button onclick=\"it.title = 'x'\">Next</button>")
    desk.call("browser_click", ref="Open")

    page = desk.call("browser_click", ref="Next", snapshot=True)["page"]

    assert re.search(new + r'" \[ref=e\d+\]', page), page
    assert new not in desk.call("browser_click", ref="Next", snapshot=True)["page"]


def test_a_batch_tells_the_changes_of_all_its_steps_that_it_has_not_told(desk: Desk) -> None:
    show(desk, STEPS)

    def step(ref: str, count: int = 1, *, snapshot: bool = False) -> dict[str, object]:
        return {"tool": "click", "arguments": {"ref": ref, "count": count, "snapshot": snapshot}}

    untold = desk.call("browser_batch", steps=[step("Add 1"), step("Add 2", 2, snapshot=True)])["results"]
    told = desk.call("browser_batch", steps=[step("Add 1", snapshot=True), step("Add 2", 2, snapshot=True)])

    assert untold.index('"first"') < untold.index('"second"')
    assert told["results"].count('"first"') == told["results"].count('"second"') == 1


@pytest.mark.parametrize(
    ("html", "script"),
    [
        ("<a href='#a1'>Next</a>", "document.links[0].href = '#a2'"),
        ("<a href='/list?token=1'>Next</a>", "document.links[0].href = '/list?token=2'"),
        ("<ul><li><a href=/1>Tea</a> hot</ul>", "document.links[0].href = '/2'"),
    ],
)
def test_a_link_that_only_leads_elsewhere_has_not_changed(desk: Desk, html: str, script: str) -> None:
    before = show(desk, html)

    assert "link" not in after(desk, script)
    assert re.findall(r"ref=\w+", desk.call("browser_snapshot")["page"]) == re.findall(r"ref=\w+", before)


ANEW = "document.querySelectorAll('#it').forEach(it => { it.innerHTML = it.innerHTML })"
ROWS = "".join(f"<tr><td>Row {number}<td><button>Delete</button><td><a href=/{number}>Show</a>" for number in range(40))
CARDS = "".join(f"<div><b>Card {number}</b><input aria-label=Amount><button>Buy</button></div>" for number in range(5))


@pytest.mark.parametrize(
    "html",
    [
        f"<table id=it>{ROWS}</table>",
        f"<div id=it>{CARDS}</div>",
        "<div id=it><button>Save</button><button>Save</button><input></div>",
    ],
)
def test_what_is_made_anew_alike_has_not_changed_and_keeps_its_refs(desk: Desk, html: str) -> None:
    before = show(desk, html)

    assert after(desk, ANEW) == "nothing changed"
    assert desk.call("browser_snapshot")["page"] == before


def test_rows_that_are_made_anew_beside_a_change_keep_their_refs(desk: Desk) -> None:
    before = show(desk, f"<p id=count>40 rows</p><table id=it>{ROWS}</table>")
    (ref,) = re.findall(r'"Row 7"(?:.|\n)*?"Delete" \[(ref=e\d+)', before)[:1]

    page = after(desk, "it.rows[3].remove(); it.innerHTML = it.innerHTML; count.textContent = '39 rows'")
    now = desk.call("browser_snapshot")["page"]

    assert "Delete" not in page, page
    assert re.findall(r'"Row 7"(?:.|\n)*?"Delete" \[(ref=e\d+)', now)[:1] == [ref]


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (
            "for (let n = 0; n < 400; n++) box.appendChild(document.createElement('p')).textContent = n + ' of 400'",
            "400 text",
        ),
        ("box.innerHTML = '<li><a href=/x>A long name of a link</a>'.repeat(200)", "200 link"),
        ("box.innerHTML = '<label>Yes <input type=checkbox></label>'.repeat(120)", "120 checkbox"),
    ],
)
def test_a_large_change_is_told_by_its_summary_its_first_lines_and_the_way_to_the_rest(
    desk: Desk, script: str, told: str
) -> None:
    show(desk, "<main aria-label=Shop><ul id=box></ul></main>")
    desk.call("browser_evaluate", expression=script)

    seen = desk.call("browser_hover", ref="Do", snapshot=True)
    first, *lines = seen["page"].splitlines()
    rest = desk.call("browser_snapshot", cursor=seen["cursor"])["page"].splitlines()

    assert (told in first, "lines changed" in first, "Shop" in first or "list" in first) == (True, True, True), first
    assert 2_000 < len(seen["page"]) <= 2_500
    assert len(rest) == seen["lines_left"]
    assert len(lines) + len(rest) >= 120


def test_what_lies_behind_a_cut_is_not_taken_as_read(desk: Desk) -> None:
    before = show(desk, "".join(f"<p>Old {n}</p>" for n in range(300)) + "<button id=last>Save</button>")
    (ref,) = re.findall(r'"Save" \[ref=(e\d+)\]', before)
    desk.call(
        "browser_evaluate",
        expression="document.querySelectorAll('p').forEach(p => p.textContent += '!'); last.textContent = 'Discard'",
    )
    desk.call("browser_hover", ref="Do", snapshot=True)

    refused = desk.call("browser_click", ref=ref)

    assert (refused["success"], refused["error_type"]) == (False, "ElementChanged")


def test_an_element_that_changed_before_the_action_is_not_taken_as_read(desk: Desk) -> None:
    before = show(desk, "<button onclick=\"last.textContent = 'Discard'\">Turn</button><button id=last>Save</button>")
    (ref,) = re.findall(r'"Save" \[ref=(e\d+)\]', before)
    desk.call("browser_click", ref="Turn")
    assert "Discard" not in desk.call("browser_hover", ref="Do", snapshot=True)["page"]

    refused = desk.call("browser_click", ref=ref)

    assert (refused["success"], refused["error_type"]) == (False, "ElementChanged")


def test_handles_without_a_name_are_told_by_their_number(desk: Desk) -> None:
    show(desk, "<div id=it></div>")

    page = after(desk, "it.innerHTML = '<div onclick=0 style=\"height: 20px; cursor: pointer\"></div>'.repeat(58)")

    assert page.count("generic") == 3
    assert "55 more like this" in page


def test_what_went_away_is_told_by_its_number_where_it_is_long(desk: Desk) -> None:
    show(desk, f"<p id=it>{'long ' * 100}</p>")
    assert after(desk, "it.remove()") == "gone: 1 line"


@pytest.mark.parametrize(
    ("html", "text", "beside"),
    [
        (f"<table>{ROWS}</table>", "Row 7", 'button "Delete"'),
        ("<ul><li><p>Tea</p><p>3 EUR</p><button>Buy</button><li>Cake</ul>", "3 EUR", 'button "Buy"'),
        ("<div role=tree><div role=treeitem aria-label=src><button>Open</button></div></div>", "src", 'button "Open"'),
        (f"<table><tr>{''.join(f'<td>C{n}' for n in range(20))}<td><a href=/x>Show</a></table>", "C3", 'link "Show"'),
    ],
)
def test_find_shows_the_whole_row_or_item_of_a_hit(desk: Desk, html: str, text: str, beside: str) -> None:
    show(desk, html)

    page = desk.call("browser_snapshot", find=text)["page"]

    assert re.search(re.escape(beside) + r" \[ref=e\d+\]", page), page
    assert "Row 8" not in page
    assert "Cake" not in page
