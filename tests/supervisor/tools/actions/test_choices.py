"""Comboboxes and lists of applications: an option is chosen, or its field fails, on real Chromium."""

from __future__ import annotations

import pytest

from supervisor.tools.actions.form import FieldValue, FormArguments, FormUnfinished, fill_form, settled_form
from tests.supervisor.tools.acts import Given, filled
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


BY_CLICK = """<input role=combobox aria-label=State aria-controls=list><div id=list role=listbox>
<div role=option>open</div><div role=option>paid</div></div><script>
let kept = 'open';
list.onmousedown = event => event.preventDefault();
list.onclick = event => { kept = document.querySelector('input').value = event.target.textContent };
</script>"""


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
async def test_exactly_the_given_options_are_chosen_and_the_list_is_closed(ground: Playground, wanted: Given) -> None:
    await ground.open(SEVERAL)

    await filled(ground, 'combobox "Tags"', wanted)

    chosen = await ground.value("[...list.children].filter(o => o.ariaSelected === 'true').map(o => o.textContent)")
    assert set(chosen) == ({wanted} if isinstance(wanted, str) else {*wanted})
    assert await ground.value("list.hidden") is True


IN_A_SHADOW = """<div><input role=combobox aria-label=Skills aria-controls=list id=field><span id=chip></span></div>
<div role=listbox id=list><div role=option>Sailing</div></div><script>
const shown = chip.attachShadow({mode: 'open'});
list.onclick = () => { shown.innerHTML = '<i>Sailing</i>'; field.value = '' }</script>"""

OF_A_TEXT_FIELD = """<input id=field role=combobox aria-label=State><script>
let kept = 'open';
field.%s = () => {
    const list = document.body.appendChild(document.createElement('div'));
    list.setAttribute('role', 'listbox');
    list.innerHTML = '<div role=option>open</div><div role=option>paid</div>';
    list.onclick = event => { field.value = kept = event.target.textContent; list.remove() };
};
field.onblur = () => { field.value = kept }</script>"""


async def test_a_list_of_something_else_is_left_alone(ground: Playground) -> None:
    await ground.open(
        "<div role=listbox onclick='window.hit = 1'><div role=option>paid</div></div>"
        "<input role=combobox aria-label=State>"
        + LIST.format("div", "role=combobox", "onmousedown").replace("State", "Other").replace(">paid<", ">void<")
    )

    assert await filled(ground, 'combobox "State"', "paid") == "paid"
    with pytest.raises(FormUnfinished):
        await filled(ground, '"Other"', "paid")

    assert await ground.value("window.hit") is None


async def test_a_list_that_is_open_already_stays_open_until_its_option_is_clicked(ground: Playground) -> None:
    await ground.open(LISTS["a button that opens on pointerdown, as Radix's"])
    await ground.value("field.onpointerdown(new Event('x')); field.ariaExpanded = 'true'; field.onpointerdown = null")

    assert await filled(ground, '"State"', "paid") == "paid"


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
async def test_an_option_drawn_apart_from_its_roles_is_chosen(ground: Playground, more: str, finds: str) -> None:
    await ground.open(APART.format(more, "'anna.berg'", finds))

    assert await filled(ground, 'combobox "Owner"', "Cara Diaz") == "Cara Diaz"
    assert await ground.value("kept") == "cara.diaz"
    with pytest.raises(FormUnfinished):
        await filled(ground, 'combobox "Owner"', "Nobody")
    assert await ground.value("kept") == "cara.diaz"


@pytest.mark.parametrize("wanted", [("Ben Cole", "Cara Diaz"), ("Anna Berg",), ("Cara Diaz", "Anna Berg")])
async def test_exactly_the_given_options_are_chosen_of_those_drawn_apart(ground: Playground, wanted: Given) -> None:
    await ground.open(APART.format("readonly", "['anna.berg']", BY_NAME))

    await filled(ground, 'combobox "Owner"', wanted)

    assert await ground.value("kept.map(key => people[key]).sort()") == sorted(wanted)


OTHER_ROLE = """<div><input type=search role=combobox aria-label=City id=field><b id=shown></b></div>
<div role=%s id=list hidden><div role=treeitem><span>North</span></div><div role=treeitem><i></i>
<span>Oslo</span></div></div><script>
field.oninput = () => { list.hidden = false };
list.onclick = event => { shown.textContent = event.target.innerText; field.value = ''; list.hidden = true };
field.onblur = () => setTimeout(() => { field.value = '' }, 10)</script>"""


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
@pytest.mark.parametrize("wanted", [("Gift", "Heavy"), ("Gift", "Cold"), ("Fragile",), (), "Gift", "Cold"])
async def test_several_texts_replace_all_and_one_is_added(ground: Playground, kind: str, wanted: Given) -> None:
    await ground.open(TAGS.format(kind=kind))

    told = await filled(ground, 'combobox "Tags"', wanted)

    after = {"Cold", wanted} if isinstance(wanted, str) else {*wanted}
    kept = await ground.value("kept")
    assert (sorted(kept), told or "") == (sorted(after), ", ".join(kept))


async def test_a_text_that_no_list_has_is_entered_where_a_field_of_several_takes_any(ground: Playground) -> None:
    await ground.open(TAGS.format(kind="free"))

    assert await filled(ground, 'combobox "Tags"', "Wet") == "Cold, Wet"
    assert await filled(ground, 'combobox "Tags"', ("Gift", "Dry")) == "Gift, Dry"
    assert await ground.value("kept") == ["Gift", "Dry"]


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


VALUED = """<div role=combobox aria-label=Country tabindex=0 aria-controls=list id=field>Germany</div>
<div role=listbox id=list>{}</div><script>
list.onclick = event => {{ field.textContent = event.target.textContent; window.taken = event.target.id }}
</script>"""
BY_VALUE = {
    "an attribute of data": "<div role=option id=a data-value=nl>Netherlands</div><div role=option data-value=p>Peru",
    "an attribute": "<div role=option id=a value=nl>Netherlands</div><div role=option value=de>Germany</div>",
    "an attribute without roles": "<p id=a data-value=nl>Netherlands</p><p data-value=de>Germany</p>",
}
TEXT_FIRST = "<div role=option data-value=nl>Dutch</div><div role=option id=a data-value=n2>nl</div>"


SINGLE_TEXT = """<input role=combobox aria-label=Country aria-controls=list id=field>
<div role=listbox id=list><div role=option data-value=nl>Netherlands</div><div role=option>Peru</div></div>
<script>
const all = [...list.children];
field.oninput = () => list.replaceChildren(...all.filter(each => each.textContent.startsWith(field.value)));
list.onclick = event => { field.value = event.target.textContent };
const isAny = () => all.some(each => each.textContent === field.value);
field.onblur = () => { if (!isAny()) field.value = ''; field.oninput() };
</script>"""
LETTERED = SEVERAL.replace("option.role", "option.dataset.value = name[0]; option.role")
STATE, FIELD = ('"State"', "paid", "paid"), ('combobox "State"', "paid", "paid")
CITY = ('"City"', "Oslo", "Oslo", "shown.textContent", "Oslo")
SHOWN, TAKEN, BOTH = "field.textContent", "[taken, field.textContent]", "field.value + shown.textContent"

PLACEHOLDER = """<div><input id=field readonly role=combobox aria-label=State aria-controls=list>
<div class=select__placeholder><span id=shown>Pick a state</span></div></div>
<div role=listbox id=list hidden><div role=option>open</div><div role=option>paid</div></div><script>
field.onclick = () => { list.hidden = false };
list.onclick = event => { shown.textContent = event.target.textContent; list.hidden = true };
</script>"""
"""What is chosen stands in place of the placeholder, as in Element Plus's Select."""

NO_KEYS = """<div><input id=field inputmode=none role=combobox aria-label=Tags aria-controls=list></div>
<div role=listbox id=list aria-multiselectable=true hidden><div role=option>Gift</div><div role=option>Heavy</div></div>
<script>
field.onclick = () => { list.hidden = false };
const isChosen = option => option.ariaSelected === 'true';
list.onclick = ({target}) => {
    target.ariaSelected = String(!isChosen(target));
    field.value = [...list.children].filter(isChosen).map(option => option.textContent).join(', ');
};
</script>"""
"""A field that takes no keys and holds all that is chosen, as that of Vuetify's Select."""

PLAIN = """<div id=box><input id=field aria-label=State><b id=shown></b></div>
<div id=list style="position: absolute; z-index: 1; background: white" hidden><p>open</p><p>paid</p></div><script>
const isFound = each => each.textContent.includes(field.value);
field.onclick = field.oninput = () => {{
    list.hidden = false;
    for (const each of list.children) each.hidden = !isFound(each);
}};
list.onmousedown = event => event.preventDefault();
list.onclick = event => {{ shown.textContent = event.target.textContent; field.blur() }};
field.onblur = () => {{ list.hidden = true; {blur} }};
</script>"""
"""A field and a list, both without roles, as Naive UI's Select. A click may begin a search where the text is kept."""

CHOSEN = {
    "in place of a placeholder": (PLACEHOLDER, *STATE, "shown.textContent", "paid"),
    "two without keys": (NO_KEYS, '"Tags"', ("Heavy", "Gift"), "Gift, Heavy", "field.value", "Gift, Heavy"),
    "of a field that drops its text": (
        PLAIN.format(blur="field.value = ''"),
        *STATE,
        "shown.textContent",
        "paid",
    ),
    "of a field that keeps its text, by no click": (PLAIN.format(blur=""), *STATE, "shown.textContent", ""),
    "without a role, in a list of the field": (CELL.format("", OWNED), *FIELD, "cell.textContent", "paid"),
    "without a role, in a list by its role": (CELL.format("role=listbox", ""), *FIELD, "cell.textContent", "paid"),
    "that keys do not reach": (BY_CLICK, '"State"', "Paid", "paid", "kept", "paid"),
    **{what: (html, *STATE, "[field.textContent, list.isConnected]", ["paid", False]) for what, html in LISTS.items()},
    "shown in a shadow tree beside the field": (
        IN_A_SHADOW,
        '"Skills"',
        "Sailing",
        "Sailing",
        "[chip.shadowRoot.textContent, field.value]",
        ["Sailing", ""],
    ),
    **{on: (OF_A_TEXT_FIELD % on, *STATE, "kept", "paid") for on in ("onmousedown", "onpointerdown", "onclick")},
    **{f"of a {role}": (OTHER_ROLE % role, *CITY) for role in ("tree", "menu", "listbox")},
    **{f"answered after {ms} ms": (LATE.format(after=ms, drops=0), *CITY) for ms in (200, 800, 1200)},
    **{
        f"by {what}": (VALUED.format(html), '"Country"', "nl", "Netherlands", TAKEN, ["a", "Netherlands"])
        for what, html in BY_VALUE.items()
    },
    "by a text rather than a value": (VALUED.format(TEXT_FIRST), '"Country"', "nl", "nl", TAKEN, ["a", "nl"]),
    "two by value": (LETTERED, '"Tags"', ("G", "Heavy"), "Gift, Heavy", SHOWN, "Gift, Heavy"),
    "by a value that the field drops": (SINGLE_TEXT, '"Country"', "nl", "Netherlands", "field.value", "Netherlands"),
}


@pytest.mark.parametrize(("html", "label", "wanted", "told", "look", "seen"), CHOSEN.values(), ids=CHOSEN)
async def test_an_option_is_chosen_as_by_a_person_and_told(
    ground: Playground, html: str, label: str, wanted: Given, told: str, look: str, seen: object
) -> None:
    await ground.open(html)

    assert await filled(ground, label, wanted) == told
    assert await ground.value(look) == seen


NOT_KEPT, NOT_SHOWN = "it did not keep the text when it lost the focus", "no option with this text was shown"
ONE_ONLY = "expected one option: it takes no more"
NARVIK, MUI = "<p>Narvik</p>", LISTS["a div that opens on mousedown, as MUI's"]
TWICE = "<div role=option data-value=nl>Netherlands</div><div role=option data-value=nl>Dutch</div>"

GONE = PLAIN.format(blur="field.value = ''; list.remove()")

NOT_CHOSEN = {
    "a text whose list is gone": (GONE, '"State"', "paid", NOT_KEPT, "shown.textContent", ""),
    "a list not known as one": (CELL.format("", ""), 'combobox "State"', "paid", NOT_KEPT, "cell.textContent", "open"),
    **{what: (html, '"State"', "lost", NOT_SHOWN, SHOWN, "open") for what, html in LISTS.items()},
    "two of a list for one": (MUI, '"State"', ("open", "paid"), ONE_ONLY, SHOWN, "open"),
    "two, one unknown": (MUI, '"State"', ("paid", "lost"), ONE_ONLY, SHOWN, "open"),
    **{
        f"{wanted} of a field that {kind}": (
            TAGS.format(kind=kind), '"Tags"', wanted, "no option|did not keep", "kept.includes('Wet')", False
        )
        for kind in ("hides", "marks") for wanted in ("Wet", ("Gift", "Wet"))
    },
    **{
        f"only typed and dropped after {ms} ms": (
            LATE.format(after=200, drops=ms) + NARVIK, '"City"', "Narvik", NOT_KEPT, BOTH, ""
        )
        for ms in (0, 150)
    },
    "a value of two options": (VALUED.format(TWICE), '"Country"', "nl", NOT_SHOWN, SHOWN, "Germany"),
    "a value in capitals": (
        VALUED.format("<div role=option data-value=NL>Dutch"), '"Country"', "nl", NOT_SHOWN, SHOWN, "Germany"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("html", "label", "wanted", "why", "look", "seen"), NOT_CHOSEN.values(), ids=NOT_CHOSEN)
async def test_an_option_that_cannot_be_chosen_fails_and_the_choice_stays(
    ground: Playground, html: str, label: str, wanted: Given, why: str, look: str, seen: object
) -> None:
    await ground.open(html)

    with pytest.raises(FormUnfinished, match=why) as told:
        await filled(ground, label, wanted)

    assert (told.value.maybe_executed, await ground.value(look)) == (True, seen)


async def test_what_is_shown_beside_a_field_without_a_role_is_told_at_rest(ground: Playground) -> None:
    await ground.open(PLAIN.format(blur="field.value = ''"))
    field = FieldValue(ref=await ground.ref('"State"'), value="paid")

    form = await fill_form(ground.supervisor, FormArguments(fields=(field,)))

    assert [each.value for each in (await settled_form(ground.supervisor, form)).filled] == ["paid"]
