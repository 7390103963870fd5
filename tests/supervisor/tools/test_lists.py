"""Lists whose field takes no keys or is emptied, and lists of several that only their look tells, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FormUnfinished
from tests.supervisor.tools.acts import filled
from tests.support.stages.playground import Playground

LIST = """<div id=box {box}><span id=chips></span>
<input id=field {field} readonly aria-label=State aria-expanded=false></div>
<div id=list role=listbox hidden><div role=option>open</div><div role=option>paid</div><div role=option>late</div></div>
<script>
let held = {held};
const draw = () => {{ {draw} }};
const show = is => {{ list.hidden = !is; field.ariaExpanded = String(is) }};
field.onclick = () => show(true);
field.onkeydown = event => {{ if (event.key === 'ArrowDown') show(true); if (event.key === 'Escape') show(false) }};
list.onclick = ({{target}}) => {{
    const text = target.textContent;
    if ({several}) held = held.includes(text) ? held.filter(each => each !== text) : [...held, text];
    else {{ held = [text]; show(false) }}
    for (const each of list.children) each.ariaSelected = String(held.includes(each.textContent));
    draw();
}};
draw();
</script>"""
IN_VALUE = "field.value = held.join(', ')"
IN_CHIPS = """chips.replaceChildren(...held.map(text => {
    const chip = document.createElement('i');
    chip.innerHTML = text + '<button aria-hidden=true tabindex=-1></button>';
    return chip }))"""
COMBOBOX = "role=combobox aria-haspopup=listbox aria-controls=list"
UNSEEN = "aria-haspopup=listbox style='position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0)'"
ONE = {
    "a combobox that holds its text, as Mantine's": (COMBOBOX, IN_VALUE),
    "a field that only tells of its list, as PrimeReact's": ("aria-haspopup=listbox", IN_VALUE),
    "a field that nobody sees": (UNSEEN, "chips.textContent = held"),
}
SEVERAL = {
    "several texts in it": ("class=p-multiselect", IN_VALUE),
    "chips beside it": ("data-multiline=true", IN_CHIPS),
    "chips in what is marked": ("class='select is-multi'", IN_CHIPS),
}


@pytest.mark.parametrize("box", ["class=MuiInputBase-multiline", "data-multiple=false", "class=multimedia"])
async def test_words_that_only_look_like_it_make_no_list_for_several(ground: Playground, box: str) -> None:
    await ground.open(LIST.format(box=box, field=COMBOBOX, draw=IN_VALUE, held="['open']", several="false"))

    with pytest.raises(FormUnfinished, match="it takes no more"):
        await filled(ground, '"State"', ("paid", "late"))

    assert await ground.value("held.join()") == "open"


@pytest.mark.parametrize("what", ONE)
async def test_an_option_of_a_list_whose_field_takes_no_keys_is_chosen(ground: Playground, what: str) -> None:
    field, draw = ONE[what]
    await ground.open(LIST.format(box="", field=field, draw=draw, held="['open']", several="false"))

    assert await filled(ground, '"State"', "paid") == "paid"
    assert await ground.value("held.join()") == "paid"


@pytest.mark.parametrize("wanted", [("paid", "late"), ("open", "late"), ("paid",)])
@pytest.mark.parametrize("what", SEVERAL)
async def test_several_options_are_chosen_where_the_look_tells_that_it_takes_them(
    ground: Playground, what: str, wanted: tuple[str, ...]
) -> None:
    box, draw = SEVERAL[what]
    await ground.open(LIST.format(box=box, field=COMBOBOX, draw=draw, held="['open']", several="true"))
    await ground.value("list.children[0].ariaSelected = 'true'")

    told = await filled(ground, '"State"', wanted)

    assert sorted((told or "").split(", ")) == sorted(await ground.value("held")) == sorted(wanted)


WITH_LIST = """<input role=combobox aria-label=State aria-controls=list id=field value=open>
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
    await ground.open(WITH_LIST.format("chosen = field.value"))

    assert await filled(ground, 'combobox "State"', "") == ""
    assert await ground.value("[field.value, chosen]") == ["", ""]


async def test_a_combobox_that_takes_its_old_text_back_is_not_told_as_emptied(ground: Playground) -> None:
    await ground.open(WITH_LIST.format("field.value = chosen"))

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
