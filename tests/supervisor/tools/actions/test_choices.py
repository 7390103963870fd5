"""Comboboxes and lists of applications: an option is chosen, or its field fails, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FieldValue, FormArguments, FormUnfinished, fill_form, settled_form
from tests.supervisor.tools.actions.test_fields import fill
from tests.support.stages.playground import Playground

CELL = """<table><tr><td id=cell tabindex=0>open</table><ul id=list {} hidden><li>open<li>paid</ul><script>
const field = document.createElement('input');
field.setAttribute('role', 'combobox'); field.ariaLabel = 'State'; {}
cell.replaceChildren(field);
let kept = 'open';
field.oninput = () => {{ list.hidden = false }};
list.onmousedown = event => {{ event.preventDefault(); kept = event.target.textContent; field.blur() }};
field.onblur = () => {{ list.hidden = true; cell.replaceChildren(kept) }};
</script>"""
"""The editor of a cell: what is typed filters its list, and only an option that is clicked changes the cell."""

OWNED = "field.setAttribute('aria-controls', 'list');"


@pytest.mark.parametrize("html", [CELL.format("", OWNED), CELL.format("role=listbox", "")], ids=["owned", "a list"])
async def test_an_option_without_a_role_is_clicked(ground: Playground, html: str) -> None:
    await ground.open(html)

    assert await fill(ground, await ground.ref('combobox "State"'), "paid") == "paid"
    assert await ground.value("cell.textContent") == "paid"


async def test_an_editor_whose_list_is_not_known_as_one_fails_when_its_cell_keeps_the_old_value(
    ground: Playground,
) -> None:
    await ground.open(CELL.format("", ""))

    with pytest.raises(FormUnfinished, match="it did not keep the text when it lost the focus"):
        await fill(ground, await ground.ref('combobox "State"'), "paid")

    assert await ground.value("cell.textContent") == "open"


BY_CLICK = """<input role=combobox aria-label=State aria-controls=list><div id=list role=listbox>
<div role=option>open</div><div role=option>paid</div></div><script>
let kept = 'open';
list.onmousedown = event => event.preventDefault();
list.onclick = event => { kept = document.querySelector('input').value = event.target.textContent };
</script>"""


async def test_an_option_that_keys_do_not_reach_is_clicked(ground: Playground) -> None:
    await ground.open(BY_CLICK)

    assert await fill(ground, await ground.ref('combobox "State"'), "Paid") == "paid"
    assert await ground.value("kept") == "paid"


LIST = """<{0} id=field {1} tabindex=0 aria-label=State>open</{0}><script>
const list = document.createElement('div');
list.id = 'list'; list.setAttribute('role', 'listbox');
list.innerHTML = '<div role=option>open</div><div role=option>paid</div>';
field.{2} = event => {{ event.preventDefault(); setTimeout(() => document.body.append(list), 30) }};
list.onclick = event => {{ setTimeout(() => {{ field.textContent = event.target.textContent; list.remove() }}, 30) }};
</script>"""
LISTS = {
    "a div that opens on mousedown, as MUI's": LIST.format("div", "role=combobox aria-haspopup=listbox", "onmousedown"),
    "a button that opens on pointerdown, as Radix's": LIST.format("button", "role=combobox", "onpointerdown"),
    "a button with a list, as React Aria's": LIST.format(
        "button", "aria-haspopup=listbox aria-controls=list", "onclick"
    ),
}


@pytest.mark.parametrize("what", LISTS)
async def test_a_list_that_takes_no_text_is_opened_and_its_option_clicked(ground: Playground, what: str) -> None:
    await ground.open(LISTS[what])

    assert await fill(ground, await ground.ref('"State"'), "paid") == "paid"
    assert await ground.value("[field.textContent, list.isConnected]") == ["paid", False]


@pytest.mark.parametrize("what", LISTS)
async def test_an_option_that_a_list_does_not_have_fails(ground: Playground, what: str) -> None:
    await ground.open(LISTS[what])

    with pytest.raises(FormUnfinished, match="no option with this text was shown") as told:
        await fill(ground, await ground.ref('"State"'), "lost")

    assert (told.value.maybe_executed, await ground.value("field.textContent")) == (True, "open")


SEVERAL = """<div id=field role=combobox aria-haspopup=listbox tabindex=0 aria-label=Tags>Cold</div>
<div id=list role=listbox aria-multiselectable=true hidden></div><script>
for (const name of ['Fragile', 'Gift', 'Heavy', 'Cold']) {
    const option = list.appendChild(document.createElement('div'));
    option.role = 'option'; option.textContent = name; option.ariaSelected = String(name === 'Cold');
    option.onclick = () => {
        option.ariaSelected = String(option.ariaSelected !== 'true');
        const chosen = [...list.children].filter(each => each.ariaSelected === 'true');
        field.textContent = chosen.map(each => each.textContent).join(', ');
    };
}
field.onclick = () => { list.hidden = false };
document.onkeydown = event => { if (event.key === 'Escape') list.hidden = true };</script>"""


@pytest.mark.parametrize("wanted", [("Gift", "Heavy"), ("Cold", "Fragile"), ("Cold",), "Gift"])
async def test_exactly_the_given_options_of_a_list_for_several_are_chosen_and_it_is_closed(
    ground: Playground, wanted: str | tuple[str, ...]
) -> None:
    await ground.open(SEVERAL)

    await fill(ground, await ground.ref('combobox "Tags"'), wanted)

    chosen = await ground.value("[...list.children].filter(o => o.ariaSelected === 'true').map(o => o.textContent)")
    assert (set(chosen), await ground.value("list.hidden")) == (
        {wanted} if isinstance(wanted, str) else set(wanted),
        True,
    )


@pytest.mark.parametrize("wanted", [("open", "paid"), ("paid", "lost")])
async def test_a_list_for_one_takes_no_two(ground: Playground, wanted: tuple[str, ...]) -> None:
    await ground.open(LISTS["a div that opens on mousedown, as MUI's"])

    with pytest.raises(FormUnfinished, match="expected one option: it takes no more"):
        await fill(ground, await ground.ref('"State"'), wanted)

    assert await ground.value("field.textContent") == "open"


async def test_a_choice_that_is_shown_in_a_shadow_tree_beside_the_field_is_seen(ground: Playground) -> None:
    await ground.open("""<div><input role=combobox aria-label=Skills aria-controls=list id=field><b id=chip></b></div>
        <div role=listbox id=list><div role=option>Sailing</div></div><script>
        const shown = chip.attachShadow({mode: 'open'});
        list.onclick = () => { shown.innerHTML = '<i>Sailing</i>'; field.value = '' }</script>""")

    assert await fill(ground, await ground.ref('combobox "Skills"'), "Sailing") == "Sailing"


@pytest.mark.parametrize("kind", ["onmousedown", "onpointerdown", "onclick"])
async def test_the_list_of_a_text_field_opens_as_for_a_person(ground: Playground, kind: str) -> None:
    await ground.open(
        f"""<input id=field role=combobox aria-label=State><script>
        let kept = 'open';
        field.{kind} = () => {{
            const list = document.body.appendChild(document.createElement('div'));
            list.setAttribute('role', 'listbox');
            list.innerHTML = '<div role=option>open</div><div role=option>paid</div>';
            list.onclick = event => {{ field.value = kept = event.target.textContent; list.remove() }};
        }};
        field.onblur = () => {{ field.value = kept }}</script>"""
    )

    assert await fill(ground, await ground.ref('combobox "State"'), "paid") == "paid"
    assert await ground.value("kept") == "paid"


async def test_a_list_of_something_else_is_left_alone(ground: Playground) -> None:
    await ground.open(
        "<div role=listbox onclick='window.hit = 1'><div role=option>paid</div></div>"
        "<input role=combobox aria-label=State>"
        + LIST.format("div", "role=combobox", "onmousedown").replace("State", "Other").replace(">paid<", ">void<")
    )

    assert await fill(ground, await ground.ref('combobox "State"'), "paid") == "paid"
    with pytest.raises(FormUnfinished):
        await fill(ground, await ground.ref('"Other"'), "paid")

    assert await ground.value("window.hit") is None


async def test_a_list_that_is_open_already_stays_open_until_its_option_is_clicked(ground: Playground) -> None:
    await ground.open(LISTS["a button that opens on pointerdown, as Radix's"])
    await ground.value("field.onpointerdown(new Event('x')); field.ariaExpanded = 'true'; field.onpointerdown = null")

    assert await fill(ground, await ground.ref('"State"'), "paid") == "paid"


APART = """<div style="position: relative; width: 200px; height: 30px"><span style="position: absolute; inset: 0">
<input id=field role=combobox aria-label=Owner aria-haspopup=listbox aria-controls=told {} value=""
 style="width: 190px; opacity: 0"></span><span id=shown style="position: absolute; inset: 0; pointer-events: none">
</span></div><div id=popup style="position: absolute; top: 60px; display: none; transform: scale(0)">
<div id=told role=listbox style="width: 0; height: 0; overflow: hidden"></div><div id=drawn></div></div><script>
const people = {{ 'anna.berg': 'Anna Berg', 'ben.cole': 'Ben Cole', 'cara.diaz': 'Cara Diaz' }};
let kept = {};
const several = Array.isArray(kept), finds = (key, text) => {};
const show = () => {{
    shown.textContent = field.value ? '' : [kept].flat().map(key => people[key]).join(', ');
    const found = Object.keys(people).filter(key => !several && finds(key, field.value) || several);
    told.innerHTML = found.slice(0, 2)
        .map(key => `<div role=option aria-label="${{people[key]}}">${{key}}</div>`).join('');
    drawn.innerHTML = found.map(key => `<div aria-selected=${{[kept].flat().includes(key)}} data-key=${{key}}>` +
        `<b>${{people[key]}}</b></div>`).join('');
}};
const open = () => {{
    show(); popup.style.display = 'block'; field.ariaExpanded = 'true';
    setTimeout(() => {{ popup.style.transform = '' }}, 60);
}};
const close = () => {{ popup.style.display = 'none'; field.ariaExpanded = 'false'; field.value = ''; show() }};
field.onmousedown = open;
field.oninput = () => {{ show(); open() }};
field.onblur = () => setTimeout(close, 20);
field.onkeydown = event => {{ if (event.key === 'Escape') close() }};
drawn.onmousedown = event => event.preventDefault();
drawn.onclick = event => {{
    const {{key}} = event.target.closest('[data-key]').dataset;
    if (!several) {{ kept = key; close(); return }}
    kept = kept.includes(key) ? kept.filter(each => each !== key) : [...kept, key];
    show();
}};
show();
</script>"""
"""A list with roles that has no size and holds values, and another one that is drawn, as Ant Design's Select."""

BY_NAME, BY_KEY = "people[key].toLowerCase().includes(text.toLowerCase())", "key.includes(text)"


@pytest.mark.parametrize(
    ("more", "finds"),
    [
        ("type=search", BY_NAME),
        ("type=search", BY_KEY),
        ("type=text readonly", BY_NAME),
        ("type=email", BY_NAME),
        ("", BY_NAME),
    ],
    ids=["a search", "a search for other words than it shows", "read-only", "an address", "no type"],
)
async def test_an_option_is_chosen_that_is_drawn_apart_from_the_list_with_roles(
    ground: Playground, more: str, finds: str
) -> None:
    await ground.open(APART.format(more, "'anna.berg'", finds))
    ref = await ground.ref('combobox "Owner"')

    assert await fill(ground, ref, "Cara Diaz") == "Cara Diaz"
    assert await ground.value("kept") == "cara.diaz"
    with pytest.raises(FormUnfinished):
        await fill(ground, ref, "Nobody")
    assert await ground.value("kept") == "cara.diaz"


@pytest.mark.parametrize("wanted", [("Ben Cole", "Cara Diaz"), ("Anna Berg",), ("Cara Diaz", "Anna Berg")])
async def test_exactly_the_given_options_are_chosen_of_those_drawn_apart(
    ground: Playground, wanted: tuple[str, ...]
) -> None:
    await ground.open(APART.format("readonly", "['anna.berg']", BY_NAME))

    await fill(ground, await ground.ref('combobox "Owner"'), wanted)

    assert await ground.value("kept.map(key => people[key]).sort()") == sorted(wanted)


@pytest.mark.parametrize("role", ["tree", "menu", "listbox"])
async def test_an_option_of_a_list_with_another_role_is_clicked(ground: Playground, role: str) -> None:
    await ground.open(f"""<div><input type=search role=combobox aria-label=City id=field><b id=shown></b></div>
        <div role={role} id=list hidden><div role=treeitem><span>North</span></div><div role=treeitem><i></i>
        <span>Oslo</span></div></div><script>
        field.oninput = () => {{ list.hidden = false }};
        list.onclick = event => {{ shown.textContent = event.target.innerText; field.value = ''; list.hidden = true }};
        field.onblur = () => setTimeout(() => {{ field.value = '' }}, 10)</script>""")

    assert await fill(ground, await ground.ref('combobox "City"'), "Oslo") == "Oslo"
    assert await ground.value("shown.textContent") == "Oslo"


TAGS = """<div><label for=field>Tags</label><div><input id=field role=combobox aria-controls=list></div></div>
<div id=list role=listbox aria-multiselectable=true hidden></div><p>Cold</p><script>
let kept = ['Cold'];
const kind = '{kind}', names = ['Fragile', 'Gift', 'Heavy', 'Cold'];
const draw = () => {{
    field.parentElement.replaceChildren(...kept.map(name => {{
        const chip = document.createElement('span');
        chip.innerHTML = `<b>${{name}}</b><i role=button aria-label="Remove ${{name}}">×</i>`;
        return chip;
    }}), field);
    field.focus();
}};
const show = () => {{
    const found = names.filter(name => name.toLowerCase().includes(field.value.toLowerCase()));
    list.replaceChildren(...found.filter(name => kind !== 'hides' || !kept.includes(name)).map(name => {{
        const option = document.createElement('div');
        option.role = 'option'; option.textContent = name; option.ariaSelected = String(kept.includes(name));
        return option;
    }}));
    open(kind !== 'free' || found.length > 0);
}};
const open = is => {{ list.hidden = !is; field.ariaExpanded = String(is) }};
const keep = name => {{
    kept = kept.includes(name) ? kept.filter(each => each !== name) : [...kept, name];
    field.value = '';
    draw();
    open(false);
}};
field.onmousedown = () => list.hidden ? show() : open(false);
field.oninput = show;
field.onblur = event => {{ if (field.isConnected) {{ open(false); if (kind !== 'free') field.value = '' }} }};
field.onkeydown = ({{key}}) => {{
    if (key === 'ArrowDown') show();
    if (key === 'Escape') open(false);
    if (key === 'Backspace' && !field.value) {{ kept.pop(); draw(); show() }}
    if (key === 'Enter' && kind === 'free' && field.value) keep(field.value);
}};
list.onmousedown = event => event.preventDefault();
list.onclick = event => keep(event.target.textContent);
draw(); field.blur();
</script>"""
"""Several texts in one field. Its list closes after each. `hides`: without those chosen, as React Select; `marks`: with
all, as MUI's Autocomplete; `free`: Enter adds any text, and what is typed stays."""


@pytest.mark.parametrize("kind", ["hides", "marks", "free"])
@pytest.mark.parametrize("wanted", [("Gift", "Heavy"), ("Gift", "Cold"), ("Fragile",), ()])
async def test_exactly_the_given_texts_are_in_a_field_of_several(
    ground: Playground, kind: str, wanted: tuple[str, ...]
) -> None:
    await ground.open(TAGS.format(kind=kind))

    told = await fill(ground, await ground.ref('combobox "Tags"'), wanted)

    assert sorted((told or "").split(", ")) == sorted(wanted or [""])
    assert sorted(await ground.value("kept")) == sorted(wanted)


@pytest.mark.parametrize("kind", ["hides", "marks", "free"])
@pytest.mark.parametrize("text", ["Gift", "Cold"])
async def test_one_text_is_added_to_a_field_of_several_and_all_that_it_has_are_told(
    ground: Playground, kind: str, text: str
) -> None:
    await ground.open(TAGS.format(kind=kind))

    told = await fill(ground, await ground.ref('combobox "Tags"'), text)

    assert (told or "").split(", ") == await ground.value("kept") == list(dict.fromkeys(["Cold", text]))


async def test_a_text_that_no_list_has_is_entered_where_a_field_of_several_takes_any(ground: Playground) -> None:
    await ground.open(TAGS.format(kind="free"))
    ref = await ground.ref('combobox "Tags"')

    assert await fill(ground, ref, "Wet") == "Cold, Wet"
    assert await fill(ground, ref, ("Gift", "Dry")) == "Gift, Dry"
    assert await ground.value("kept") == ["Gift", "Dry"]


@pytest.mark.parametrize("kind", ["hides", "marks"])
@pytest.mark.parametrize("wanted", ["Wet", ("Gift", "Wet")])
async def test_a_text_that_a_field_of_several_does_not_have_fails(
    ground: Playground, kind: str, wanted: str | tuple[str, ...]
) -> None:
    await ground.open(TAGS.format(kind=kind))

    with pytest.raises(FormUnfinished, match=r"no option|did not keep"):
        await fill(ground, await ground.ref('combobox "Tags"'), wanted)
    assert "Wet" not in await ground.value("kept")


LATE = """<div><input role=combobox aria-label=City aria-controls=list id=field><b id=shown></b></div>
<div role=listbox id=list hidden></div><script>
let asked = 0;
field.oninput = () => {{
    const number = ++asked, text = field.value.toLowerCase();
    list.textContent = 'Loading'; list.hidden = false;
    if (text) setTimeout(() => {{
        const found = ['Bergen', 'Oslo'].filter(name => name.toLowerCase().includes(text));
        const options = found.map(name => `<div role=option>${{name}}</div>`);
        if (number === asked) list.innerHTML = options.join('') || 'Nothing';
    }}, {after});
}};
list.onmousedown = event => event.preventDefault();
list.onclick = event => {{ shown.textContent = event.target.textContent; field.value = ''; list.hidden = true }};
field.onblur = () => setTimeout(() => {{ field.value = ''; list.hidden = true }}, {drops});
</script>"""
"""A list that a server answers, as that of Ant Design's Select with `onSearch`: what is only typed is dropped."""


@pytest.mark.parametrize("after", [200, 800, 1200])
async def test_an_option_that_a_server_answers_later_is_chosen(ground: Playground, after: int) -> None:
    await ground.open(LATE.format(after=after, drops=0))

    assert await fill(ground, await ground.ref('combobox "City"'), "Oslo") == "Oslo"
    assert await ground.value("shown.textContent") == "Oslo"


@pytest.mark.parametrize("drops", [0, 150])
async def test_a_text_that_was_only_typed_is_not_told_as_chosen(ground: Playground, drops: int) -> None:
    await ground.open(LATE.format(after=200, drops=drops) + "<p>Narvik</p>")

    with pytest.raises(FormUnfinished, match="it did not keep the text when it lost the focus"):
        await fill(ground, await ground.ref('combobox "City"'), "Narvik")
    assert await ground.value("[field.value, shown.textContent]") == ["", ""]


VALUED = """<div role=combobox aria-label=Country tabindex=0 aria-controls=list id=field>Germany</div>
<div role=listbox id=list>{}</div><script>
list.onclick = event => {{ field.textContent = event.target.textContent; window.taken = event.target.id }}
</script>"""
BY_VALUE = {
    "an attribute of data": "<div role=option id=a data-value=nl>Netherlands</div><div role=option data-value=p>Peru",
    "an attribute": "<div role=option id=a value=nl>Netherlands</div><div role=option value=de>Germany</div>",
    "without roles": "<p id=a data-value=nl>Netherlands</p><p data-value=de>Germany</p>",
    "a text goes first": "<div role=option data-value=nl>Dutch</div><div role=option id=a data-value=n2>nl</div>",
}


@pytest.mark.parametrize("what", BY_VALUE)
async def test_an_option_is_chosen_by_its_value_and_told_by_its_text(ground: Playground, what: str) -> None:
    await ground.open(VALUED.format(BY_VALUE[what]))

    shown = "nl" if "first" in what else "Netherlands"
    assert await fill(ground, await ground.ref('combobox "Country"'), "nl") == shown
    assert await ground.value("[taken, field.textContent]") == ["a", shown]


@pytest.mark.parametrize(
    "others", ["<div role=option data-value=nl>Dutch</div>", "<div role=option data-value=NL>Dutch"]
)
async def test_a_value_that_says_no_single_option_chooses_none(ground: Playground, others: str) -> None:
    first = "<div role=option data-value=nl>Netherlands</div>" if "=nl" in others else ""
    await ground.open(VALUED.format(first + others))

    with pytest.raises(FormUnfinished, match="no option with this text was shown"):
        await fill(ground, await ground.ref('combobox "Country"'), "nl")

    assert await ground.value("field.textContent") == "Germany"


async def test_options_of_a_list_for_several_are_chosen_by_their_values(ground: Playground) -> None:
    await ground.open(SEVERAL.replace("option.role", "option.dataset.value = name[0]; option.role"))

    told = await fill(ground, await ground.ref('combobox "Tags"'), ("G", "Heavy"))

    assert told == await ground.value("field.textContent") == "Gift, Heavy"


async def test_a_value_is_looked_for_in_a_combobox_that_keeps_no_other_text(ground: Playground) -> None:
    await ground.open("""<input role=combobox aria-label=Country aria-controls=list id=field>
        <div role=listbox id=list><div role=option data-value=nl>Netherlands</div><div role=option>Peru</div></div>
        <script>
        const all = [...list.children];
        field.oninput = () => list.replaceChildren(...all.filter(each => each.textContent.startsWith(field.value)));
        list.onclick = event => { field.value = event.target.textContent };
        const isAny = () => all.some(each => each.textContent === field.value);
        field.onblur = () => { if (!isAny()) field.value = ''; field.oninput() };
        </script>""")

    assert await fill(ground, await ground.ref('combobox "Country"'), "nl") == "Netherlands"
    assert await ground.value("field.value") == "Netherlands"


async def test_what_is_shown_in_place_of_a_placeholder_is_told_as_chosen(ground: Playground) -> None:
    """As Element Plus's Select, whose field is empty and takes no keys."""
    await ground.open("""<div><input id=field readonly role=combobox aria-label=State aria-controls=list>
        <div class=select__placeholder><span id=shown>Pick a state</span></div></div>
        <div role=listbox id=list hidden><div role=option>open</div><div role=option>paid</div></div><script>
        field.onclick = () => { list.hidden = false };
        list.onclick = event => { shown.textContent = event.target.textContent; list.hidden = true };
        </script>""")

    assert await fill(ground, await ground.ref('combobox "State"'), "paid") == "paid"


async def test_a_field_for_several_that_takes_no_keys_holds_them_all_in_its_value(ground: Playground) -> None:
    """As Vuetify's Select, whose field is not read-only and has no keyboard."""
    await ground.open("""<div><input id=field inputmode=none role=combobox aria-label=Tags aria-controls=list></div>
        <div role=listbox id=list aria-multiselectable=true hidden><div role=option>Gift</div>
        <div role=option>Heavy</div></div><script>
        field.onclick = () => { list.hidden = false };
        const isChosen = option => option.ariaSelected === 'true';
        list.onclick = ({target}) => {
            target.ariaSelected = String(!isChosen(target));
            field.value = [...list.children].filter(isChosen).map(option => option.textContent).join(', ');
        };
        </script>""")

    assert await fill(ground, await ground.ref('combobox "Tags"'), ("Heavy", "Gift")) == "Gift, Heavy"
    assert await ground.value("field.value") == "Gift, Heavy"


PLAIN = """<div id=box><input id=field aria-label=State><b id=shown></b></div>
<div id=list style="position: absolute; z-index: 1; background: white" hidden><p>open</p><p>paid</p></div><script>
const look = () => {{ list.hidden = false; for (const each of list.children) each.hidden = !isFound(each) }};
const isFound = each => each.textContent.includes(field.value);
field.oninput = look;
field.onclick = look;
list.onmousedown = event => event.preventDefault();
list.onclick = event => {{ window.clicked = true; shown.textContent = event.target.textContent; field.blur() }};
field.onblur = () => {{ list.hidden = true; {blur} }};
</script>"""
"""A field and a list, both without roles."""


async def test_a_field_without_a_role_that_drops_a_text_gets_the_option_of_its_list(ground: Playground) -> None:
    await ground.open(PLAIN.format(blur="field.value = ''"))
    ref = await ground.ref('textbox "State"')

    filled = await fill_form(ground.supervisor, FormArguments(fields=(FieldValue(ref=ref, value="paid"),)))

    assert [field.value for field in (await settled_form(ground.supervisor, filled)).filled] == ["paid"]
    assert await ground.value("shown.textContent") == "paid"


async def test_what_a_field_suggests_is_not_clicked_where_the_field_keeps_its_text(ground: Playground) -> None:
    await ground.open(PLAIN.format(blur=""))

    assert await fill(ground, await ground.ref('textbox "State"'), "paid") == "paid"
    assert await ground.value("[field.value, window.clicked]") == ["paid", None]


async def test_a_text_that_its_field_drops_and_no_list_has_any_more_fails(ground: Playground) -> None:
    await ground.open(PLAIN.format(blur="field.value = ''; list.remove()"))

    with pytest.raises(FormUnfinished, match="it did not keep the text when it lost the focus"):
        await fill(ground, await ground.ref('textbox "State"'), "paid")
