"""Lists whose field takes no keys, and lists of several that only their look tells, on real Chromium."""

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
