"""The value of a list field that the page draws over its empty text field, on real Chromium."""

from __future__ import annotations

import pytest

from tests.support.stages.playground import Playground

OVER = """<div style="position: relative; width: 200px; height: 30px; {style}" {more}>
<span style="position: absolute; inset: 0"><input role=combobox aria-label=Owner style="width: 190px; {field}"></span>
{drawn}</div>"""
ITEM = '<span style="position: absolute; left: 4px; top: 4px; pointer-events: none">Anna Berg</span>'


async def seen(ground: Playground, html: str) -> str:
    await ground.open(html)
    return "".join(part for part in (await ground.text()).split("\n"))


@pytest.mark.parametrize(
    "html",
    [
        OVER.format(style="", more="", field="", drawn=ITEM),
        OVER.format(style="cursor: pointer", more="onclick='1'", field="opacity: 0", drawn=ITEM),
        OVER.format(style="", more="", field="opacity: 0", drawn=ITEM.replace("Anna Berg", "<b>Anna</b> <i>Berg</i>")),
        "<div><div style='display: grid'><div style='grid-area: 1/1'>Anna Berg</div><div style='grid-area: 1/1'>"
        "<input role=combobox aria-label=Owner style='width: 2px; border: 0; padding: 0'></div></div></div>",
        "<label for=field>Owner</label>"
        + OVER.format(style="", more="", field="", drawn=ITEM).replace("aria-label=Owner", "id=field"),
    ],
    ids=["a sibling", "in a box that is clicked", "in two parts", "in one place of a grid", "with a label"],
)
async def test_a_list_field_has_the_value_that_is_drawn_over_it(ground: Playground, html: str) -> None:
    text = await seen(ground, html)

    assert 'value="Anna Berg"' in text, text
    assert text.count("Anna") == 1, text
    assert "generic" not in text


@pytest.mark.parametrize(
    "html",
    [
        OVER.format(style="", more="", field="", drawn="<p style='position: absolute; top: 60px'>Anna Berg</p>"),
        OVER.format(style="", more="", field="", drawn="<label style='position: absolute; top: 4px'>Anna Berg</label>"),
        OVER.format(style="", more="", field="", drawn=ITEM).replace("input ", "input value=Ben "),
        OVER.format(style="", more="", field="", drawn=ITEM + "<input>"),
        OVER.format(style="", more="", field="", drawn=ITEM.replace("left", "visibility: hidden; left")),
        OVER.format(style="", more="", field="", drawn=ITEM).replace("role=combobox ", ""),
    ],
    ids=["below", "a label", "a field with a text", "two fields", "hidden", "no list"],
)
async def test_a_text_that_is_not_drawn_over_the_only_empty_list_field_is_no_value(
    ground: Playground, html: str
) -> None:
    assert 'value="Anna Berg"' not in await seen(ground, html)
