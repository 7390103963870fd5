"""Texts in a box that listens for all of them, and texts that are drawn over a list field. Real Chromium.

Each of the first has its line, and is what a text locator acts on; the others are the value of their field.
"""

from __future__ import annotations

import pytest

from supervisor.tools.actions.drag import DragArguments, drag
from supervisor.tools.actions.mouse import HoverArguments, hover
from supervisor.tools.page.element_errors import Covered, ElementChanged
from supervisor.tools.page.locators import with_refs
from tests.supervisor.tools.acts import clicked, clicked_by
from tests.support.stages.playground import Playground

UNDER = """<script>
const under = event => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    const isIn = ({left, right, top, bottom}) => left <= event.clientX && event.clientX <= right
        && top <= event.clientY && event.clientY <= bottom;
    while (texts.nextNode()) for (let at = 0; at < texts.currentNode.data.length; at++) {
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + 1);
        if ([...range.getClientRects()].some(isIn)) return texts.currentNode.data.slice(0, at + 1).match(/\\S*$/)[0]
            + texts.currentNode.data.slice(at + 1).match(/^\\S*/)[0];
    }
    return 'no text';
};
for (const kind of ['mousemove', 'mousedown', 'mouseup']) {
    box.addEventListener(kind, event => { window[kind] = under(event); });
}
</script>"""
"""A script: keeps the word at the point of each event of the mouse."""

BOXES = {
    "a diagram": """<svg id=box width=500 height=200>
        <g transform="translate(20, 20)"><g><rect width=120 height=60 fill=gold /><text x=9 y=20>Order</text></g>
        <rect width=120 height=60 fill=none stroke=white stroke-opacity=0 pointer-events=all /></g>
        <g transform="translate(300, 90)"><g><rect width=120 height=60 fill=gold /><text x=9 y=20>
        <tspan>Crane</tspan><tspan x=9 y=40>check</tspan></text></g>
        <rect width=120 height=60 fill=none pointer-events=all /></g></svg>""",
    "lines in a box": "<div id=box>Order<br>Crane check</div>",
    "wide blocks": "<div id=box><p>Order</p><p>Crane <b>check</b></p></div>",
    "a board in a shadow tree": """<div id=box><div id=board></div></div><script>
        board.attachShadow({mode: 'open'}).innerHTML = '<p>Order</p><p>Crane <i>check</i></p>'</script>""",
    "a box with the focus": "<div id=box tabindex=0><p>Order</p><section>Crane check</section></div>",
    "cells that CSS makes": """<div id=box style="display: grid; grid-template-columns: 300px 300px">
        <span>Order</span><span>Crane check</span></div>""",
}


@pytest.mark.parametrize("name", [name for name in BOXES if "shadow" not in name])
async def test_a_text_locator_acts_on_its_own_text(ground: Playground, name: str) -> None:
    await ground.open(BOXES[name] + UNDER)

    for text, word in (("Order", "Order"), ("check", "check")):
        await hover(ground.supervisor, await with_refs(ground.supervisor, HoverArguments(ref=text)))
        assert await ground.value("mousemove") == word
        assert (await clicked_by(ground, text)).hint == ""
        assert await ground.value("mousedown") == word


@pytest.mark.parametrize("name", BOXES)
async def test_each_text_has_its_line(ground: Playground, name: str) -> None:
    await ground.open(BOXES[name] + UNDER)

    seen = await ground.text()

    lines = [line.strip().split(" [")[0] for line in seen.splitlines()[1:]]
    assert lines == (['"Order"', '"Crane check"'] if name != "lines in a box" else []), seen


async def test_a_drag_begins_and_ends_on_the_texts_that_name_it(ground: Playground) -> None:
    await ground.open(BOXES["a diagram"] + UNDER)

    given = await with_refs(ground.supervisor, DragArguments(ref="Order", to_ref="Crane"))
    await drag(ground.supervisor, given)

    assert [await ground.value(kind) for kind in ("mousedown", "mouseup")] == ["Order", "Crane"]


@pytest.mark.parametrize("cover", ["fill=black", "fill=none stroke=black stroke-width=90"])
async def test_a_shape_that_is_drawn_covers_a_text_of_the_diagram(ground: Playground, cover: str) -> None:
    await ground.open(BOXES["a diagram"].replace("</svg>", f"<rect width=500 height=90 {cover} /></svg>") + UNDER)

    with pytest.raises(Covered):
        await clicked_by(ground, "Order")


async def test_a_text_that_took_the_place_of_another_is_another_element(ground: Playground) -> None:
    await ground.open(BOXES["wide blocks"] + UNDER)
    ref = (await ground.text()).partition('"Order" [ref=')[2].partition("]")[0]
    await ground.value("document.querySelector('p').textContent = 'Delete'")

    with pytest.raises(ElementChanged):
        await clicked(ground, ref)


# -- the value of a list field that the page draws over its empty text field ------------------------------------

OVER = """<div style="position: relative; width: 200px; height: 30px; {style}" {more}>
<span style="position: absolute; inset: 0"><input role=combobox aria-label=Owner style="width: 190px; {field}"></span>
{drawn}</div>"""
ITEM = '<span style="position: absolute; left: 4px; top: 4px; pointer-events: none">Anna Berg</span>'


async def seen(ground: Playground, html: str) -> str:
    await ground.open(html)
    return "".join(part for part in (await ground.text()).split("\n"))


def drawn_over(drawn: str = ITEM, field: str = "", **around: str) -> str:
    return OVER.format(drawn=drawn, field=field, **{"style": "", "more": "", **around})


VALUES = {
    "a sibling": drawn_over(),
    "in a box that is clicked": drawn_over(style="cursor: pointer", more="onclick='1'", field="opacity: 0"),
    "in two parts": drawn_over(ITEM.replace("Anna Berg", "<b>Anna</b> <i>Berg</i>"), "opacity: 0"),
    "in one place of a grid": "<div><div style='display: grid'><div style='grid-area: 1/1'>Anna Berg</div>"
    "<div style='grid-area: 1/1'><input role=combobox aria-label=Owner style='width: 2px; border: 0; padding: 0'></div>"
    "</div></div>",
    "with a label": "<label for=field>Owner</label>" + drawn_over().replace("aria-label=Owner", "id=field"),
}
NO_VALUES = {
    "below": drawn_over("<p style='position: absolute; top: 60px'>Anna Berg</p>"),
    "a label": drawn_over("<label style='position: absolute; top: 4px'>Anna Berg</label>"),
    "a field with a text": drawn_over().replace("input ", "input value=Ben "),
    "two fields": drawn_over(ITEM + "<input>"),
    "hidden": drawn_over(ITEM.replace("left", "visibility: hidden; left")),
    "no list": drawn_over().replace("role=combobox ", ""),
    "a placeholder": drawn_over(ITEM.replace("<span", "<span class=select-placeholder")),
    "one by its id": drawn_over(ITEM.replace("<span", "<span id=select-1-placeholder")),
}


@pytest.mark.parametrize("html", VALUES.values(), ids=VALUES)
async def test_a_list_field_has_the_value_that_is_drawn_over_it(ground: Playground, html: str) -> None:
    text = await seen(ground, html)

    assert 'value="Anna Berg"' in text, text
    assert text.count("Anna") == 1, text
    assert "generic" not in text


@pytest.mark.parametrize("html", NO_VALUES.values(), ids=NO_VALUES)
async def test_a_text_beside_the_only_empty_list_field_is_no_value(ground: Playground, html: str) -> None:
    assert 'value="Anna Berg"' not in await seen(ground, html)
