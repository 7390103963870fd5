"""Parts of a page that only a script makes clickable, and names that a snapshot tells once, on real Chromium."""

from __future__ import annotations

import re

import pytest

from supervisor.tools.page.element_errors import Covered
from tests.supervisor.tools.acts import clicked_by
from tests.support.stages.playground import Playground

HAND = """<div style="cursor: pointer"><span id=r>Reply</span> <span id=f>Forward</span></div><script>
for (const part of [r, f]) part.addEventListener('click', () => window.hit = part.id)</script>"""

NODES = """<svg width=400 height=100><g id=layer>
<g class=node transform="translate(10, 10)"><text x=38 y=20>inject</text>
<rect width=120 height=30 fill-opacity=0.3></rect><rect class=port x=115 y=10 width=10 height=10></rect></g>
<g class=node transform="translate(200, 10)"><text x=38 y=20>debug</text></g>
</g></svg><script>
for (const node of document.querySelectorAll('.node')) {
    node.addEventListener('mousedown', () => window.hit = node.textContent.trim());
}
const port = document.querySelector('.port');
port.addEventListener('mousedown', event => { window.hit = 'port'; event.stopPropagation(); });
</script>"""

SHEET = """<table id=sheet><tr><td>Tea<td>2<tr><td>Cake<td></table><table><tr><td>Plain<td>cells</table><style>
#sheet td { user-select: none; height: 20px; width: 60px }</style><script>
document.addEventListener('mousedown', event => window.hit = event.target.textContent)</script>"""

TOTAL = """<table onclick="window.hit = event.target.textContent"><tr><td>Tea<td>2</table>"""


GROUP = """<svg width=400 height=100><g class=bar><rect class=shape width=120 height=40 fill=silver></rect>
<text x=8 y=25 font-size=30 class=name>Sales</text></g></svg>"""

LISTENING = """<script>const bar = document.querySelector('.bar'), shape = document.querySelector('.shape'),
name = document.querySelector('.name');"""


EDGES = """<style>[role=row] { display: flex } [role=row] > div { width: 90px; height: 20px; position: relative }
[role=row] > .edge, [role=gridcell] > .edge { width: 6px; height: 20px } .box { width: 16px; height: 16px; margin: 0 }
.x { display: inline-block; width: 12px; height: 12px } .real { position: absolute;
opacity: 0 } #bar { width: 6px; height: 80px; cursor: col-resize }</style>
<div role=grid><div role=row><div role=gridcell>Tea<div class=edge></div></div><div class=edge></div>
<div role=gridcell aria-checked=true><b class=x></b></div></div></div>
<div><input type=checkbox class="real box" aria-label=Mine><div class=box aria-hidden=true></div></div>
<div id=none></div><div id=bar></div><script>
for (const node of document.querySelectorAll('.edge, .x, .box, #none, #bar')) node.addEventListener('click', () => 1);
</script>"""


async def test_edges_of_cells_what_has_no_size_and_drawn_boxes_of_fields_have_no_lines(ground: Playground) -> None:
    await ground.open(EDGES)

    seen = [re.sub(r" \[ref=\w+\]", "", line.strip()) for line in (await ground.text()).splitlines()]

    boxes = ["generic", 'checkbox "Mine" [checked=false]', "generic"]
    assert seen == ["grid", "row", 'gridcell "Tea"', "gridcell [checked]", *boxes]


async def hit(ground: Playground, locator: str) -> object:
    assert (await clicked_by(ground, locator)).hint == ""
    return await ground.value("window.hit")


async def test_parts_that_listen_have_refs_although_the_mouse_is_a_hand_over_all_of_them(ground: Playground) -> None:
    await ground.open(HAND)

    lines = [line.split(" [")[0] for line in (await ground.text()).splitlines()]
    assert lines == ['generic "Reply"', 'generic "Forward"']
    assert [await hit(ground, name) for name in ("Reply", "Forward")] == ["r", "f"]


CROSS = """<svg width=16 height=16 aria-hidden=true class="MuiSvgIcon-root" data-testid=CancelIcon>
<path d="M0 0h16v16z"></path></svg>"""
ADD = "<i class='fa fa-plus' style='display: inline-block; width: 12px; height: 12px'></i>"


@pytest.mark.parametrize(
    ("html", "parts"),
    [
        (f"<div role=button tabindex=0>Tea{CROSS}</div>", ['generic icon="Cancel"']),
        ("<div role=tablist><div role=tab tabindex=0>a.py<b>×</b></div></div>", ['generic "×"']),
        ("<ul role=listbox><li role=option tabindex=0>Red<b title=Remove>✕</b></ul>", ['generic "✕"']),
        ("<button>Save<b style='padding: 4px'>▾</b></button>", ['generic "▾"']),
        (f"<a href='#x'>Home {ADD}</a>", ['generic icon="plus"']),
        (f"<button aria-label=Close>{CROSS}</button>", []),
        ("<button><b>Whole</b></button>", []),
        (f"<button>{CROSS}<b>All of it</b></button>", ['generic icon="Cancel"']),
        ("<button>Plain<b style='display: inline-block; width: 9px; height: 9px'></b></button>", []),
    ],
)
async def test_a_part_that_is_clicked_by_itself_has_a_line(ground: Playground, html: str, parts: list[str]) -> None:
    await ground.open(f"""{html}<script>for (const part of document.querySelectorAll('svg, b, i'))
    part.onclick = event => {{ hit = part.tagName; event.stopPropagation(); event.preventDefault() }}</script>""")

    found = [line for line in (await ground.text()).splitlines() if "generic" in line]

    assert [re.sub(r" \[ref=\w+\]| description=.*", "", line.strip()) for line in found] == parts
    for line in found:
        ref = re.findall(r"\[ref=(\w+)\]", line)[0]
        assert str(await hit(ground, ref)).lower() in ("svg", "b", "i")


@pytest.mark.parametrize(
    ("html", "parts"),
    [
        ("<p><a href='#x'>Delete</a> <a class=hand>More</a>", ["More"]),
        (
            "<table><tr><td>Tea<td><b>Buy</b> <span class=hand>More</span> <i class=hand>Less</i></table>",
            ["More", "Less"],
        ),
        ("<p>Sort by <em class=hand>price</em>, or not", ["price"]),
        ("<button class=hand>Save <span>all</span></button>", []),
        ("<p class=plain>Nothing <span>here</span>", []),
    ],
)
async def test_a_part_that_only_the_mouse_shows_has_a_line(ground: Playground, html: str, parts: list[str]) -> None:
    await ground.open(f"""<style>.hand {{ cursor: pointer }}</style>{html}<script>
    document.addEventListener('click', event => window.hit = event.target.textContent)</script>""")

    assert re.findall(r'generic "(.+)" \[ref', await ground.text()) == parts
    for part in parts:
        assert await hit(ground, f'generic "{part}"') == part


async def test_a_listening_group_of_an_svg_is_clicked_by_its_text_and_a_shape_by_its_class(ground: Playground) -> None:
    await ground.open(NODES)

    seen = await ground.text()

    assert 'group "inject" [ref=e' in seen
    assert 'icon="port"' in seen
    assert [await hit(ground, it) for it in ("inject", "debug", "css=.port")] == ["inject", "debug", "port"]


@pytest.mark.parametrize(("html", "cell"), [(SHEET, 'cell "Cake"'), (TOTAL, 'cell "Tea"')])
async def test_the_cells_of_a_table_that_handles_the_mouse_have_refs(ground: Playground, html: str, cell: str) -> None:
    """And those of another one, whose text can be selected, have none."""
    await ground.open(html)

    seen = await ground.text()

    assert f"{cell} [ref=e" in seen
    assert ('"Plain" "cells"' in seen) is (html == SHEET)
    assert await hit(ground, cell) == cell.split('"')[1]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            '<div role=grid><div role=row aria-label="Tea 2"><p role=cell>Tea</p><p role=cell>2</p></div></div>',
            '"Tea 2"',
        ),
        ("<div onclick=0 style='cursor: pointer'><button>Tea</button></div>", "generic"),
        ("<div onclick=0 style='cursor: pointer'>Tea <button>Tea</button></div>", "generic"),
        ("<input aria-label=Mail aria-describedby=h><p id=h>Never shared</p>", "\n"),
    ],
)
async def test_what_a_line_tells_is_not_told_again(ground: Playground, html: str, text: str) -> None:
    await ground.open(html)

    assert text not in await ground.text()


@pytest.mark.parametrize(
    ("attributes", "states"),
    [
        ('class="ql-bold ql-active"', " [active]"),
        ("class=active aria-pressed=true", " [pressed]"),
        ("class=inactive", ""),
    ],
)
async def test_a_button_that_a_class_shows_as_pressed_says_so(ground: Playground, attributes: str, states: str) -> None:
    await ground.open(f"<button {attributes}>Bold</button>")

    assert (await ground.text()).partition("]")[2] == states


@pytest.mark.parametrize(
    "script",
    [
        "bar.addEventListener('click', () => window.hit = 'bar')",
        "bar.style.cursor = 'pointer'; document.addEventListener('click', () => window.hit = 'bar')",
    ],
)
async def test_shapes_of_a_group_that_takes_the_click_do_not_cover_each_other(ground: Playground, script: str) -> None:
    await ground.open(f"{GROUP}{LISTENING}{script}</script>")

    assert await hit(ground, "css=.shape") == "bar"


@pytest.mark.parametrize(
    "script",
    [
        "for (const part of [bar, shape, name]) part.addEventListener('click', event => window.hit ??= classOf(part))",
        "document.addEventListener('click', event => window.hit = classOf(event.target))",
        "bar.style.cursor = 'pointer'; for (const part of [shape, name]) part.onclick = () => hit = classOf(part)",
    ],
)
@pytest.mark.parametrize("cover", ["", "<rect width=120 height=40 fill=gold class=name></rect>"], ids=["text", "all"])
async def test_shapes_that_take_clicks_cover_each_other(ground: Playground, script: str, cover: str) -> None:
    class_of = "const classOf = node => node.getAttribute('class');"
    group = GROUP.replace("</g>", f"{cover.replace('class=name', '')}</g>")
    await ground.open(f"{group}{LISTENING.replace('</script>', '')}{class_of}{script}</script>")

    if cover:
        with pytest.raises(Covered):
            await hit(ground, "css=.shape")
        assert await ground.value("window.hit") is None
    else:  # beside the text in its middle, it gets the click itself
        assert await hit(ground, "css=.shape") == "shape"


TICKED = """<div role=treeitem tabindex=0 aria-label=fruit style="display: inline-block"
onclick="window.hit = event.target.id"><i id=i>&gt;</i><input type=checkbox id=tick style="margin: 0 12px"
aria-label=tick><span id=name>fr</span></div>"""

TREE = """<ul role=tree><li role=treeitem tabindex=0 aria-label=fruit onclick="window.hit = event.target.id">
<span id=name>fruit</span><ul role=group><li role=treeitem tabindex=-1 id=a>apple<li role=treeitem tabindex=-1 id=b>pear
<li role=treeitem tabindex=-1 id=c>plum</ul></ul>"""


PADDED = TICKED.replace("inline-block", "inline-block; border: 20px solid; padding: 30px; margin: 10px")


@pytest.mark.parametrize("html", [TICKED, TREE, PADDED])
async def test_a_click_on_a_container_hits_no_other_control_in_its_middle(ground: Playground, html: str) -> None:
    await ground.open(html)

    assert await hit(ground, "fruit") in ("i", "name")


async def test_a_button_with_an_icon_by_a_ligature_has_its_word(ground: Playground) -> None:
    await ground.open(
        "<button><i class=material-icons aria-hidden=true role=presentation>cloud_upload</i></button>"
        "<button><svg width=20 height=20><circle class=text-primary r=9 /></svg></button>"
    )
    seen = (await ground.text()).splitlines()

    assert [line.partition("]")[2] for line in seen] == [' icon="cloud_upload"', ""]
