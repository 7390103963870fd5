"""Fields with a list that are emptied, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FormUnfinished
from tests.supervisor.tools.acts import filled
from tests.support.stages.playground import Playground

COMBOBOX = """<input role=combobox aria-label=State aria-controls=list id=field value=open>
<div id=list role=listbox><div role=option id=a>open</div><div role=option>paid</div></div><script>
let chosen = 'open';
field.onkeydown = event => {{
    if (event.key === 'ArrowDown') field.setAttribute('aria-activedescendant', 'a');
    if (event.key === 'Enter') field.value = chosen = 'open';
}};
list.onclick = event => {{ field.value = chosen = event.target.textContent }};
field.onblur = () => {{ {} }};
</script>"""


async def test_a_combobox_is_emptied_and_no_option_chosen(ground: Playground) -> None:
    await ground.open(COMBOBOX.format("chosen = field.value"))

    assert await filled(ground, 'combobox "State"', "") == ""
    assert await ground.value("[field.value, chosen]") == ["", ""]


async def test_a_combobox_that_takes_its_old_text_back_is_not_told_as_emptied(ground: Playground) -> None:
    await ground.open(COMBOBOX.format("field.value = chosen"))

    with pytest.raises(FormUnfinished, match="it did not keep the text when it lost the focus"):
        await filled(ground, 'combobox "State"', "")

    assert await ground.value("[field.value, chosen]") == ["open", "open"]


async def test_a_combobox_without_a_list_is_emptied(ground: Playground) -> None:
    await ground.open("<input role=combobox aria-label=State id=field value=open>")

    assert await filled(ground, 'combobox "State"', "") == ""
    assert await ground.value("field.value") == ""


EDITOR = """<style>#list {{ position: absolute; top: 90px }}</style><div role=treegrid>
<table><tr><td id=cell>paid</table>
<textarea role=combobox aria-label=State aria-controls=list aria-expanded=true id=field
    style="position: absolute; top: 8px; width: 90px">paid</textarea>
<div role=listbox id=list><table><tr><td>open<tr><td>paid</table></div></div><button id=away>Elsewhere</button><script>
const take = value => {{ cell.textContent = value; field.remove(); list.remove() }};
list.onmousedown = event => {{ event.preventDefault(); take(event.target.textContent) }};
away.onmousedown = () => take({kept});
field.onkeydown = event => {{ if (event.key === 'Enter') take({kept}) }};
</script>"""
"""The editor of a cell lies over it, as that of Handsontable, and gives its text to the cell at Enter or at a click
beside it, not when it loses the focus."""
FREE = EDITOR.format(kept="field.value")
STRICT = EDITOR.format(kept="['open', 'paid'].includes(field.value) ? field.value : 'open'")


@pytest.mark.parametrize("html", [FREE, STRICT], ids=["free", "strict"])
async def test_an_option_is_chosen_in_an_editor_of_several_lines(ground: Playground, html: str) -> None:
    await ground.open(html)

    assert await filled(ground, 'combobox "State"', "open") == "open"
    assert await ground.value("cell.textContent") == "open"


@pytest.mark.parametrize("text", ["", "lost"])
@pytest.mark.parametrize("html", [FREE, STRICT], ids=["free", "strict"])
async def test_a_text_that_its_cell_does_not_take_is_not_filled(ground: Playground, html: str, text: str) -> None:
    await ground.open(html)

    with pytest.raises(FormUnfinished, match="its list stays open, and its cell has not taken the text") as told:
        await filled(ground, 'combobox "State"', text)

    assert (told.value.maybe_executed, await ground.value("cell.textContent")) == (True, "paid")
