"""Parts of an outline (one element, lines with a text, what changed), and merged lines; on real Chromium and alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from supervisor.tools.page.document.element_line import OutlineLine
from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.outline_parts import OutlineOptions, merged, selected
from tests.support.stages.playground import Playground

PAGE = (
    "main",
    " list",
    '  listitem "Tea" [ref=e1]',
    '   button "Buy" [ref=e2]',
    '  listitem "Cake" [ref=e3]',
    '   button "Buy" [ref=e4]',
    ' button "Pay" [ref=e5]',
)


def part(before: tuple[str, ...] = (), hidden: tuple[str, ...] = (), **options: Any) -> tuple[str, ...]:
    selection = selected(PAGE, OutlineOptions(**options), before, hidden)
    return (*(PAGE[number] for number in selection.numbers), *selection.gone)


def heads(seen: str) -> list[str]:
    """The lines without refs and what follows them."""
    return [line.split(" [ref")[0].strip() for line in seen.splitlines()]


def test_one_element_and_what_is_in_it() -> None:
    assert part() == PAGE
    assert part(ref="e3") == PAGE[4:6]
    with pytest.raises(StaleRef, match="does not show it"):
        part(ref="e9")


def test_lines_with_a_text_and_what_they_are_in() -> None:
    assert part(find="cake") == (*PAGE[:2], *PAGE[4:6])
    assert part(find="BUTTON", ref="e1") == (*PAGE[:2], *PAGE[2:4])
    assert part(find="coffee") == ()


def test_a_row_in_which_something_changed_is_shown_with_all_its_cells() -> None:
    def table(*rows: tuple[str, ...]) -> tuple[str, ...]:
        lines = ["table"]
        for ref, *texts in rows:
            lines += [" row", f"  checkbox [ref={ref}]", *(f'  "{text}"' for text in texts)]
        return tuple(lines)

    now = table(("e3", "Sue", "10", "15"), ("e4", "Joe", "3", "7"), ("e9", "Zoe", "1", "1"))
    before = table(("e1", "Joe", "3", "7"), ("e2", "Ann", "7", "10"), ("e9", "Zoe", "1", "1"))
    selection = selected(now, OutlineOptions(changed_only=True), before)

    assert [now[number] for number in selection.numbers] == [*now[:11]]


def test_a_long_item_is_not_shown_whole_for_one_change_in_it() -> None:
    now = ("list", " listitem", *(f'  "{number}"' for number in range(40)))
    selection = selected((*now, '  "new"'), OutlineOptions(changed_only=True), now)

    assert selection.numbers == [0, 1, 42]


def test_what_a_page_says_is_neither_a_ref_nor_a_reason_not_to_be_read() -> None:
    page = ('button "Buy [ref=e5] \\" [ref=e5]" [ref=e4]', '"x (not read: it crashed)"', 'button "Pay" [ref=e5]')

    assert selected(page, OutlineOptions(ref="e5"), ()).numbers == [2]
    assert selected(page, OutlineOptions(find="coffee"), ()).numbers == []


@pytest.mark.parametrize(
    "now", [(" (not read: no answer within 3 s, unresponsive)",), ('"x"', "iframe /a (not read: slow)")]
)
def test_nothing_counts_as_gone_while_a_frame_is_not_read(now: tuple[str, ...]) -> None:
    selection = selected(now, OutlineOptions(changed_only=True), ('"x"', 'button "Work" [ref=e1]'))

    assert selection.gone == ()
    assert any("not read" in now[number] for number in selection.numbers)


ALERT = ' alert: "Old"'
SAVE_AND_STAY = ("text", 'button "Save" [ref=e7]', 'button "Stay" [ref=e8]')
CHANGES = {
    "none": (PAGE, (), ()),
    "new and gone": ((*PAGE[:4], *PAGE[6:], ALERT), (), (*PAGE[:2], *PAGE[4:6], 'gone: alert: "Old"')),
    "an element looks different": ((*PAGE[:6], ' button "Pay" [ref=e5] [disabled]'), (), (PAGE[0], PAGE[6])),
    "one is hidden": ((*PAGE, *SAVE_AND_STAY), ("e8",), ("gone: 3 lines (1 of them hidden behind aria-hidden)",)),
    "another one is hidden": ((*PAGE, *SAVE_AND_STAY), ("e5",), ("gone: 3 lines",)),
    "few are gone": ((*PAGE, "link 1", "link 2"), (), ("gone: link 1; link 2",)),
    "many are gone": ((*PAGE, *(f"link {number}" for number in range(100))), (), ("gone: 100 lines",)),
    "the order is another": ((*PAGE[:2], *PAGE[4:6], *PAGE[2:4], PAGE[6]), (), PAGE[:6]),
    "two rows are gone": ((*PAGE[:2], "row", *PAGE[2:4], "row", *PAGE[4:]), (), ("gone: row; row",)),
}


@pytest.mark.parametrize(("before", "hidden", "told"), CHANGES.values(), ids=CHANGES)
def test_what_has_changed(before: tuple[str, ...], hidden: tuple[str, ...], told: tuple[str, ...]) -> None:
    assert part(before, hidden, changed_only=True) == told


async def test_what_is_searched_for_has_a_ref_whatever_it_is(ground: Playground) -> None:
    await ground.open("<p>The elephant</p><p>Near</p>")

    assert "ref=" not in await ground.text()
    assert re.search(r'"The elephant" \[ref=e\d+\]$', await ground.text(find="elephant"))


async def test_a_second_snapshot_shows_what_a_script_changed(ground: Playground) -> None:
    await ground.open("<ul id=list><li>Tea</ul><button>Pay</button>")
    await ground.text()
    await ground.value("list.innerHTML = '<li>Tea<li>Cake'; document.querySelector('button').disabled = true")

    assert heads(await ground.text(changed_only=True)) == ["list", '"Cake"', 'button "Pay"']
    assert await ground.text(changed_only=True) == "nothing changed"


async def test_what_aria_hidden_hides_is_behind_the_popup_that_has_opened(ground: Playground) -> None:
    await ground.open(
        "<main id=rest><button>Pay</button><button>Leave</button><p>So much</main>"
        "<div id=popup role=listbox aria-label='Colours &quot;2&quot;' hidden>"
        "<div role=option tabindex=0>Red</div></div>"
    )
    await ground.text()
    await ground.value("rest.ariaHidden = 'true'; popup.hidden = false")

    seen = (await ground.text(changed_only=True)).splitlines()

    assert seen[-1] == r'gone: 4 lines (2 of them hidden behind listbox "Colours \"2\"")'


async def test_a_row_is_shown_with_what_can_be_used_in_it(ground: Playground) -> None:
    await ground.open(
        "<table><tr><th>Item<th>Buy</th></tr><tr id=row onclick=0><td>Tea<td><button>Buy</button> 3 left</table>"
        "<ul><li>Cake <a href=#c>More</a></ul><button>Other</button>"
    )
    row = (await ground.text(find="Tea")).partition("row")[2].partition("[ref=")[2].partition("]")[0]

    assert heads(await ground.text(ref=row, interactive_only=True)) == ["row", 'button "Buy"']


@pytest.mark.parametrize("part", ["find", "interactive_only", "ref"])
async def test_the_next_difference_is_to_the_last_whole_page(ground: Playground, part: str) -> None:
    await ground.open("<ul id=list><li>Tea</ul><button>Pay</button><button id=more>More</button>")
    ref = await ground.ref('"Pay"')
    await ground.value("list.innerHTML = '<li>Cake'; more.disabled = true")

    await ground.text(**{part: {"find": "Pay", "ref": ref}.get(part, True)})

    assert heads(await ground.text(changed_only=True)) == ["list", '"Cake"', 'button "More"', 'gone: "Tea"']


def line(depth: int, role: str, name: str = "", tail: str = "", content: str = "") -> OutlineLine:
    has_ref, quoted = role in ("button", "link"), f'"{name}"' if name else ""
    return OutlineLine(depth=depth, role=role, name=quoted, tail=tail, content=content, has_ref=has_ref)


def shown(*lines: OutlineLine) -> list[str]:
    """The merged lines, with their depth."""
    return [
        f"{line.depth} {line.head}{' [ref]' if line.has_ref else ''}{line.rest}"
        for line in merged(lines, lambda x: x.has_ref)
    ]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([line(0, "list"), line(1, "listitem"), line(2, "link", "A")], ["0 list", '1 link "A" [ref]']),
        (
            [line(0, "row"), line(1, "cell", "A"), line(1, "cell", "B"), line(2, "button", "B")],
            ['0 "A" button "B" [ref]'],
        ),
        ([line(0, "row"), line(1, "cell", "A B"), line(2, "button", "B")], ['0 cell "A B"', '1 button "B" [ref]']),
        (
            [line(0, "row"), line(1, "button", "A"), line(1, "button", "B")],
            ["0 row", '1 button "A" [ref]', '1 button "B" [ref]'],
        ),
        ([line(0, "listitem", content='"A"'), line(0, "cell", "B")], ['0 "A"', '0 "B"']),
        ([line(0, "row", tail=" [selected]"), line(1, "cell", "A")], ["0 row [selected]", '1 "A"']),
        ([line(0, "main"), line(1, "text", "A"), line(1, "button", "B")], ["0 main", '1 "A"', '1 button "B" [ref]']),
        ([line(0, "main"), line(1, "button", "A"), line(2, "image", "B")], ['0 main: button "A" [ref]', '1 image "B"']),
    ],
)  # fmt: skip
def test_what_only_arranges_is_on_one_line_with_what_it_holds(lines: list[OutlineLine], text: list[str]) -> None:
    assert shown(*lines) == text


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        (
            "<div role=grid><div role=row tabindex=-1 onclick=0><span role=gridcell tabindex=-1>Tea</span>"
            "<span role=gridcell tabindex=-1>Three</span></div></div>",
            ["grid", "row", 'gridcell "Tea"', 'gridcell "Three"'],
        ),
        ("<table><tr onclick=0><td tabindex=0>Tea<td tabindex=0>3</table>", ["table", "row", 'cell "Tea"', 'cell "3"']),
        ("<ul role=tree><li role=treeitem>src<li role=treeitem>lib</ul>", ["tree", 'treeitem "src"', 'treeitem "lib"']),
        (
            "<div role=grid><div role=row tabindex=0 onclick=0><span role=gridcell>Tea</span>"
            "<span role=gridcell tabindex=-1>3</span></div></div>",
            ["grid", "row", 'gridcell "Tea"', 'gridcell "3"'],
        ),
        (
            "<div role=tree><div role=treeitem aria-expanded=true aria-label='docs 3 files'><div draggable=true>"
            "<span>docs</span> <span>3 files</span></div></div></div>",
            ['tree: treeitem "docs 3 files"', "group"],
        ),
    ],
)
async def test_no_row_and_no_item_says_its_text_twice(ground: Playground, html: str, lines: list[str]) -> None:
    await ground.open(html)

    assert heads(await ground.text()) == lines
