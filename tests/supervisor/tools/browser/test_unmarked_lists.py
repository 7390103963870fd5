"""Fields in cells beside a list that no role marks as one: what a result says is in the page, on real Chromium."""

from __future__ import annotations

import pytest

from tests.supervisor.tools.desk import Desk

pytestmark = pytest.mark.thorough

GRID = """<style>.list {{ position: absolute; z-index: 9; background: white }} td {{ width: 9em; height: 2em }}</style>
<table role=grid><tr><td role=gridcell id=cell tabindex=0></td></table><p style="height: 200px"></p>
<button>Elsewhere</button><script>
const kind = '{kind}', labels = {labels}, list = document.createElement('div'), field = document.createElement('input');
const several = kind === 'several', typed = ['filter', 'free'].includes(kind);
let kept = {kept}, chosen = [], isTyping = false, clicks = 0;
field.ariaLabel = 'State';
list.className = 'list';
const draw = () => {{ cell.replaceChildren([kept].flat().join(',')) }};
const show = text => {{
    const plain = label => label.replace(/<.*?>/g, '').toLowerCase();
    const found = Object.entries(labels).filter(([, label]) => plain(label).includes(text.toLowerCase()));
    list.replaceChildren(...found.map(([key, label]) => {{
        const option = document.createElement('div');
        option.innerHTML = label;
        option.onclick = () => {{ clicks += 1; if (key !== 'group') choose(key) }};
        return option;
    }}));
    if (!found.length) list.textContent = 'No results';
    const {{left, bottom}} = cell.getBoundingClientRect();
    Object.assign(list.style, {{left: left + 'px', top: bottom + 'px'}});
    document.body.append(list);
}};
const choose = key => {{
    if (several) {{
        chosen = chosen.includes(key) ? chosen.filter(each => each !== key) : [...chosen, key];
        field.value = chosen.map(each => labels[each]).join(',');
        return;
    }}
    if (kind !== 'strict') kept = key;
    end();
}};
const end = () => {{ list.remove(); field.onblur = null; draw() }};
cell.onclick = event => {{
    if (field.isConnected) return;
    chosen = several ? [...kept] : [];
    field.value = [kept].flat().map(each => labels[each] ?? each).join(',');
    isTyping = false;
    cell.replaceChildren(field);
    field.focus();
    field.onblur = leave;
    show('');
}};
const leave = () => {{
    if (several) kept = chosen;
    if (kind === 'free' && isTyping) kept = field.value;
    end();
}};
field.onkeydown = event => {{ if (!typed) event.preventDefault() }};
field.onkeyup = () => {{ if (typed) {{ isTyping = true; setTimeout(show, {delay}, field.value) }} }};
list.onmousedown = event => event.preventDefault();
draw();
</script>"""
"""A table whose cell becomes a text field with a list of values at a click, as that of Tabulator."""

STATES = "{open: 'open', paid: 'paid', late: 'late'}"
KEYS = "{o: 'open', p: 'paid', l: 'late'}"


def grid(kind: str, kept: str = "'open'", labels: str = STATES, delay: int = 0) -> str:
    return GRID.format(kind=kind, kept=kept, labels=labels, delay=delay)


def edit(desk: Desk, html: str) -> None:
    """Show a page with a table, and open the editor of its cell."""
    desk.show(html)
    assert desk.call("browser_click", ref="css=#cell")["success"]


def fill(desk: Desk, text: str) -> tuple[str | None, str]:
    """The value that the result has, and the error without the ref."""
    result = desk.fill("label=State", text)
    return (result["filled"][0]["value"] if result["success"] else None), result.get("error", "").partition(": ")[2]


def kept(desk: Desk) -> object:
    """What the table holds, also once another place was clicked."""
    before = desk.value("kept")
    desk.call("browser_click", ref="Elsewhere")
    return [before, desk.value("kept")]


TAKEN = {
    "a list": (grid("list"), "paid", "paid", "paid"),
    "what it holds": (grid("list"), "open", "open", "open"),
    "a filter": (grid("filter"), "paid", "paid", "paid"),
    "a slow filter": (grid("filter", delay=200), "paid", "paid", "paid"),
    "other letters": (grid("filter", labels="{open: 'open', paid: 'P<b>aid</b>'}"), "Paid", "paid", "paid"),
    "free text": (grid("free"), "lost", "lost", "lost"),
    "free text that is listed": (grid("free"), "paid", "paid", "paid"),
    "a cell that shows a key": (grid("list", "'o'", KEYS), "paid", "p", "p"),
    "several": (grid("several", "[]"), "paid", "paid", ["paid"]),
    "a mark beside it": (
        grid("list", labels="{open: '<i>✓</i> <b>open</b>', paid: '<i>✓</i> <b>paid</b>'}"),
        "paid",
        "paid",
        "paid",
    ),
}


@pytest.mark.parametrize("what", TAKEN)
def test_a_text_that_a_list_has_is_chosen_from_it(desk: Desk, what: str) -> None:
    html, text, shown, data = TAKEN[what]
    edit(desk, html)

    assert fill(desk, text) == (shown, "")
    assert kept(desk) == [data, data]


DROPPED = "it did not keep the text when it lost the focus; click its cell, then an option of the list that opens"
REFUSED = {
    "a list": (grid("list"), "lost", DROPPED),
    "nothing": (grid("list"), "", DROPPED),
    "a key": (grid("list", "'o'", KEYS), "p", DROPPED),
    "a filter": (grid("filter"), "lost", DROPPED),
    "a beginning": (grid("filter"), "pa", DROPPED),
    "a heading": (grid("list", labels="{open: 'open', group: 'paid'}"), "paid", DROPPED),
    "a choice that the page refuses": (grid("strict"), "paid", "its option was clicked, and it does not show that"),
    "a text that says more": (grid("list", labels="{paid: '<b>paid</b> <small>in full</small>'}"), "paid", DROPPED),
    "a link": (grid("list", labels="{open: 'open', paid: '<a href=/elsewhere>paid</a>'}"), "paid", DROPPED),
    "a button of a form": (grid("list", labels="{paid: '<form><button>paid</button></form>'}"), "paid", DROPPED),
    "a choice that the page refuses in an empty cell": (
        grid("strict", "''"),
        "paid",
        "its option was clicked, and it does not show that",
    ),
    "a text that could be a date": (grid("list"), "Team 9", DROPPED),
    "two of one text": (grid("list", labels="{open: 'open', paid: 'paid', p: 'paid'}"), "paid", DROPPED),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_text_that_the_cell_does_not_take_is_no_success(desk: Desk, what: str) -> None:
    html, text, why = REFUSED[what]
    edit(desk, html)
    before = desk.value("kept")

    assert fill(desk, text) == (None, why)
    assert kept(desk) == [before, before]


def test_a_text_that_is_typed_has_the_hint_that_a_list_is_open(desk: Desk) -> None:
    edit(desk, grid("list"))

    typed = desk.call("browser_type", ref="label=State", text="paid")

    assert (typed["value"], typed["hint"]) == (
        "paid",
        "A list is open at this field, which may drop what is not chosen there: browser_fill_form chooses an option.",
    )
    assert fill(desk, "paid") == ("paid", "")


def test_a_number_field_that_is_empty_afterwards_is_no_success(desk: Desk) -> None:
    desk.show("<input type=number aria-label=State value=5>")

    assert fill(desk, "x") == (None, "expected a number; it is empty now")
    assert fill(desk, "-7") == ("-7", "")
    assert fill(desk, "") == ("", "")


def test_of_a_list_for_several_it_is_said_that_others_are_chosen_too(desk: Desk) -> None:
    edit(desk, grid("several", "['open']"))

    assert fill(desk, "paid") == (None, "its option was clicked; others are chosen too: click each, then elsewhere")
    assert desk.value("[clicks, list.isConnected]") == [1, True]
    assert desk.call("browser_click", ref="css=.list > :first-child")["success"]
    assert kept(desk) == [["open"], ["paid"]]


BESIDE = """<style>#list { position: absolute; z-index: 9; background: white }</style><form>
<input aria-label=State id=field></form><div id=list hidden><p>Bergen<p>Oslo</div><p style="height: 200px"></p><script>
field.oninput = () => { list.hidden = false };
list.onmousedown = event => event.preventDefault();
list.onclick = event => { window.hit = event.target.textContent; list.hidden = true };
</script>"""


def test_a_suggestion_outside_of_a_table_is_left_alone(desk: Desk) -> None:
    desk.show(BESIDE)

    assert fill(desk, "Oslo") == ("Oslo", "")
    assert desk.value("[window.hit, field.value, list.hidden]") == [None, "Oslo", False]


ROWS = """<style>.row { position: absolute; left: 0; height: 30px; width: 300px; background: white }</style>
<div role=grid style="position: relative; height: 90px">
<div class=row style="top: 0; z-index: 1"><span role=gridcell><input aria-label=State id=field></span></div>
<div class=row style="top: 30px; z-index: 1" onclick="window.hit = 1"><span role=gridcell>paid</span></div>
<div class=row style="top: 60px; z-index: 1"><span role=gridcell>late</span></div></div>"""


def test_the_next_row_of_a_table_is_no_list(desk: Desk) -> None:
    desk.show(ROWS)

    assert fill(desk, "paid") == ("paid", "")
    assert desk.value("[window.hit, document.activeElement === field]") == [None, True]
