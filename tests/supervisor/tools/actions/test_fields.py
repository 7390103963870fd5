"""Selects, checkboxes, dates, colours, files and whole forms, on real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from supervisor.tools.actions.files import upload
from supervisor.tools.actions.form import (
    FieldValue,
    FilledField,
    FormArguments,
    FormUnfinished,
    click_or_choose,
    fill_form,
)
from supervisor.tools.actions.mouse import ClickArguments
from supervisor.tools.actions.text_fields import TypeArguments, type_text
from supervisor.tools.page.element_errors import Disabled, NotEditable, NotShown, WrongField, WrongValue
from tests.supervisor.tools.acts import filled, typed
from tests.support.stages.playground import Playground

SELECT = """<select aria-label=Size onchange="window.told = this.value"><option value=s>Small</option>
<option value=m>Medium</option><optgroup label=Other disabled><option value=x>Huge</option></optgroup>
<option value=l disabled>Large</option></select>"""

MANY = """<select aria-label=Toys multiple oninput="window.told = [...this.selectedOptions].map(o => o.value).join()">
<option value=a selected>Ball<option value=b>Car<option value=c>Doll</select>"""


async def fill(ground: Playground, ref: str, value: str | tuple[str, ...]) -> str | None:
    """Fill one field and return what it then holds."""
    done = await fill_form(ground.supervisor, FormArguments(fields=(FieldValue(ref=ref, value=value),)))
    return done.filled[0].value


@pytest.mark.parametrize(("option", "told"), [("Medium", "m"), ("m", "m"), ("1", "m")])
async def test_an_option_is_chosen_by_label_value_or_position(ground: Playground, option: str, told: str) -> None:
    await ground.open(SELECT)

    assert await filled(ground, '"Size"', option) == "Medium"

    assert await ground.value("window.told") == told


async def test_the_options_of_a_closed_select_are_shown_when_asked_for_and_can_be_clicked(ground: Playground) -> None:
    await ground.open(f"{SELECT}<select style='display:none'><option>Never</select>")
    size = await ground.ref('"Size"')

    assert "Medium" not in await ground.text()
    assert 'option "Medium"' in await ground.text(ref=size)
    ref = re.findall(r'option "Medium" \[ref=(e\d+)', await ground.text(find="Medium"))[0]
    await click_or_choose(ground.supervisor, ClickArguments(ref=ref))

    assert await ground.value("window.told") == "m"
    for label in ("Huge", "Large"):
        ref = re.findall(rf'option "{label}" \[ref=(e\d+)', await ground.text(find=label))[0]
        with pytest.raises(Disabled):
            await click_or_choose(ground.supervisor, ClickArguments(ref=ref))
    await ground.value("document.querySelector('select').style.display = 'none'")
    with pytest.raises(NotShown):
        await click_or_choose(ground.supervisor, ClickArguments(ref=size))


async def test_several_options_are_chosen_instead_of_those_before(ground: Playground) -> None:
    await ground.open(MANY)

    assert await filled(ground, '"Toys"', ("Doll", "b")) == "Car, Doll"

    assert await ground.value("window.told") == "b,c"


@pytest.mark.parametrize(
    ("html", "options", "why"),
    [
        (SELECT, "Tiny", "option 1 of those given is not there"),
        (SELECT, "Large", "option 1 of those given is disabled"),
        (SELECT, "Huge", "option 1 of those given is disabled"),
        (SELECT, ("Small", "Medium"), "expected one option"),
        (SELECT.replace("Medium", "Small"), "Small", "option 1 of those given is there several times; give its value"),
        (SELECT.replace("value=m", "value=s"), "s", "option 1 of those given is there several times"),
        ("<select aria-label=Size disabled><option>Small</select>", "Small", "it is disabled"),
        ("<button aria-label=Size>Small</button>", "Small", "it is no form field"),
        ("<input type=file aria-label=Size>", "Small", "use browser_file"),
        ("<input aria-label=Size>", ("Small",), "expected one text"),
        ("<input type=checkbox aria-label=Size>", "Small", "expected true or false"),
    ],
)
async def test_a_field_says_why_it_refuses(
    ground: Playground, html: str, options: str | tuple[str, ...], why: str
) -> None:
    await ground.open(html)

    with pytest.raises(FormUnfinished, match=why):
        await filled(ground, "Size", options)

    assert await ground.value("window.told") is None


CHECKS = """<label>Agree <input type=checkbox></label><label><input type=radio name=r>One</label>
<label><input type=radio name=r checked>Two</label>
<div role=switch aria-checked=false tabindex=0 aria-label=Light
 onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">L</div>
<label>Styled <input type=checkbox style="position:absolute; opacity:0; width:0; height:0"><b>x</b></label>
<input type=checkbox aria-label=Stubborn onclick="return false">"""


@pytest.mark.parametrize("label", ['checkbox "Agree"', 'radio "One"', 'switch "Light"', 'checkbox "Styled'])
async def test_a_box_is_brought_to_a_state_whatever_it_was(ground: Playground, label: str) -> None:
    await ground.open(CHECKS)
    ref = await ground.ref(label)

    for _ in range(2):
        assert await filled(ground, ref, "true") == "true"
        line = next(line for line in (await ground.text()).splitlines() if f"[ref={ref}]" in line)
        assert "[checked]" in line


async def test_a_box_that_does_not_change_is_told(ground: Playground) -> None:
    await ground.open(CHECKS)

    with pytest.raises(FormUnfinished, match="it was clicked, and has the state that it had"):
        await filled(ground, '"Stubborn"', "true")
    with pytest.raises(FormUnfinished, match="by checking another one"):
        await filled(ground, 'radio "Two"', "false")


@pytest.mark.parametrize(
    ("kind", "value", "wrong"),
    [
        ("date", "2027-02-28", "2027-02-30"),
        ("time", "23:59", "25:00"),
        ("month", "2027-02", "February"),
        ("week", "2027-W05", "2027-5"),
        ("datetime-local", "2027-02-28T10:30", "2027-02-28"),
        ("color", "#ff8800", "orange"),
        ("range", "40", "400"),
    ],
)
async def test_a_value_that_is_picked_is_set_whole(ground: Playground, kind: str, value: str, wrong: str) -> None:
    await ground.open(f"<input type={kind} aria-label=Pick onchange='window.told = this.value'>")
    ref = await ground.ref("Pick")

    done = await typed(ground, ref, value)
    with pytest.raises(WrongValue, match="expected"):
        await typed(ground, ref, wrong)

    assert done.value == value
    assert await ground.value("[told, document.querySelector('input').value]") == [value, value]


async def test_text_goes_to_what_has_the_focus(ground: Playground) -> None:
    await ground.open(
        "<canvas tabindex=0 aria-label=Board width=99 height=99></canvas><script>const board = document.body.firstChild"
        "\nboard.focus(); board.onkeydown = event => { window.keys = (window.keys || '') + event.key }</script>"
    )

    await type_text(ground.supervisor, TypeArguments(text="ab C", submit=True))

    assert await ground.value("window.keys") == "ab CEnter" or "Shift" in await ground.value("window.keys")


async def test_a_page_hears_of_a_paste_and_may_deal_with_it(ground: Playground) -> None:
    await ground.open(
        '<textarea aria-label=Plain></textarea><textarea aria-label=Own onpaste="event.preventDefault();'
        "this.value = 'pasted ' + event.clipboardData.getData('text/plain')\"></textarea>"
    )
    plain, own = await ground.ref('"Plain"'), await ground.ref('"Own"')

    first = await typed(ground, plain, "a\nb", paste=True)
    second = await typed(ground, own, "c", paste=True)
    await type_text(ground.supervisor, TypeArguments(text="d", paste=True))

    assert (first.value, second.value) == ("a\nb", "pasted c")
    assert await ground.value("document.activeElement.value") == "pasted d"


@pytest.mark.parametrize(
    ("html", "instead"),
    [
        (SELECT, "use browser_fill_form"),
        ("<input type=checkbox aria-label=Size>", "use browser_fill_form"),
        ("<input type=file aria-label=Size>", "use browser_file"),
    ],
)
async def test_a_field_that_takes_no_text_names_the_tool_for_it(ground: Playground, html: str, instead: str) -> None:
    await ground.open(html)

    with pytest.raises(NotEditable, match=instead):
        await typed(ground, "Size", "x")


async def test_a_whole_form_is_filled_in_one_call(ground: Playground) -> None:
    await ground.open(
        "<input aria-label=Name><input type=date aria-label=Day><input type=password aria-label=Word>"
        + SELECT
        + MANY
        + CHECKS
    )
    labels = {"Name": "Ann", "Day": "2027-01-31", "Word": "s3cret", "Size": "Medium", "Agree": "true"}
    fields = [FieldValue(ref=await ground.ref(f' "{label}"'), value=value) for label, value in labels.items()]
    toys = FieldValue(ref=await ground.ref('"Toys"'), value=("Ball", "Doll"))

    done = await fill_form(ground.supervisor, FormArguments(fields=(*fields, toys)))

    assert [field.value for field in done.filled] == ["Ann", "2027-01-31", None, "Medium", "true", "Ball, Doll"]
    assert done.filled[0] == FilledField(ref=fields[0].ref, value="Ann")
    assert await ground.value("[...document.querySelectorAll('input')].slice(0, 4).map(field => field.value)") == [
        "Ann",
        "2027-01-31",
        "s3cret",
        "on",
    ]


async def test_a_form_says_how_far_it_was_filled(ground: Playground) -> None:
    await ground.open("<input aria-label=Name><input aria-label=Fixed readonly>")
    name, fixed = await ground.ref('"Name"'), await ground.ref('"Fixed"')

    with pytest.raises(
        FormUnfinished, match=f"element '{fixed}': it takes no text: it is read-only; filled before: {name}"
    ):
        await fill_form(
            ground.supervisor,
            FormArguments(fields=(FieldValue(ref=name, value="Ann"), FieldValue(ref=fixed, value="Bob"))),
        )


async def test_a_file_field_is_given_files_by_its_ref(ground: Playground, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello")
    await ground.open(
        "<label>Picture <input type=file onchange='window.name_ = this.files[0].name'></label><button>B</button>"
    )
    ref = await ground.ref("Picture")

    await upload(ground.supervisor, ref, (str(note),))
    with pytest.raises(WrongValue, match="one file"):
        await upload(ground.supervisor, ref, (str(note), str(note)))

    assert await ground.value("window.name_") == "note.txt"


async def test_a_button_that_opens_a_file_chooser_is_given_files(
    ground: Playground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello")
    await ground.open(
        "<input type=file hidden onchange='window.name_ = this.files[0].name'>"
        "<button onclick='document.querySelector(\"input\").click()'>Choose</button><button>Other</button>"
    )

    await upload(ground.supervisor, await ground.ref('button "Choose"'), (str(note),))

    assert await ground.value("window.name_") == "note.txt"
    monkeypatch.setattr("supervisor.tools.actions.files.CHOOSER_S", 0.1)
    with pytest.raises(WrongField, match="opened no file chooser"):
        await upload(ground.supervisor, await ground.ref('button "Other"'), (str(note),))


ON_RELEASE = """<input type=range aria-label=Size min=0 max=100 step=%s value=20 oninput="shown.value = value">
<output id=shown>20</output><script>
const size = document.querySelector('[aria-label=Size]'), commit = () => { window.told = size.value };
size.addEventListener('keyup', commit); size.addEventListener('pointerup', commit);
</script>"""


@pytest.mark.parametrize(("step", "value"), [("1", "73"), ("1", "0"), ("1", "100"), ("0.5", "72.5")])
async def test_a_slider_that_takes_its_value_on_release_gets_it(ground: Playground, step: str, value: str) -> None:
    await ground.open(ON_RELEASE % step)

    assert await filled(ground, 'slider "Size"', value) == value

    assert await ground.value("window.told") == value


async def test_a_slider_that_falls_back_is_told(ground: Playground) -> None:
    await ground.open(ON_RELEASE % "1" + "<script>size.addEventListener('keyup', () => { size.value = 20 })</script>")

    with pytest.raises(FormUnfinished, match="did not keep the value"):
        await filled(ground, 'slider "Size"', "73")


ARIA_SLIDER = """<div role=slider tabindex=0 aria-label=Size aria-valuenow=20 aria-valuemin=0
 aria-valuemax=100 onkeydown="const now = Number(ariaValueNow), by = {ArrowUp: 5, ArrowDown: -5}[event.key] || 0;
ariaValueNow = Math.max(0, Math.min(100, now + by))">S</div>"""


async def test_a_slider_made_of_other_elements_is_moved_by_keys(ground: Playground) -> None:
    await ground.open(ARIA_SLIDER)
    ref = await ground.ref('slider "Size"')

    assert await filled(ground, ref, "75") == "75"
    with pytest.raises(FormUnfinished, match="did not reach the value"):
        await filled(ground, ref, "73")
    with pytest.raises(FormUnfinished, match="within its bounds"):
        await filled(ground, ref, "101")


COMBOBOX = """<input role=combobox aria-label=Plan value=Free aria-controls=list aria-expanded=false>
<ul id=list role=listbox></ul><script>
const plan = document.querySelector('input'), names = ['Free', 'Pro', 'Profound'];
let kept = 'Free', active = -1;
const show = () => {
    const text = plan.value.toLowerCase(), found = names.filter(name => name.toLowerCase().includes(text));
    list.innerHTML = found.map((name, at) => `<li role=option id=o${at}>${name}</li>`).join('');
    active = -1;
};
plan.oninput = () => setTimeout(show, 20);
plan.onkeydown = event => {
    if (event.key === 'ArrowDown') active = (active + 1) % list.children.length;
    if (active >= 0) plan.setAttribute('aria-activedescendant', 'o' + active);
    if (event.key !== 'Enter' || active < 0) return;
    kept = plan.value = list.children[active].textContent;
    list.innerHTML = '';
};
plan.onblur = () => { plan.value = kept; };
</script>"""


async def test_an_option_of_a_combobox_is_chosen_so_that_it_stays(ground: Playground) -> None:
    await ground.open(COMBOBOX)

    assert await filled(ground, 'combobox "Plan"', "pro") == "Pro"

    await ground.value("document.activeElement.blur()")
    assert await ground.value("plan.value") == "Pro"


async def test_a_combobox_that_falls_back_when_it_is_left_is_told(ground: Playground) -> None:
    await ground.open(COMBOBOX)

    with pytest.raises(FormUnfinished, match="it did not keep the text when it lost the focus"):
        await filled(ground, 'combobox "Plan"', "Gold")

    assert await ground.value("plan.value") == "Free"


async def test_a_combobox_that_takes_no_text_and_shows_no_option_fails(ground: Playground) -> None:
    await ground.open("<input type=text role=combobox readonly aria-label=Colour>")

    with pytest.raises(FormUnfinished, match="no option with this text was shown when it was clicked"):
        await filled(ground, '"Colour"', "Red")


BACKDROPS = {
    "a backdrop": "<div style='position: fixed; inset: 0; background: #0008'></div>",
    "a modal dialog": "<dialog id=modal>Wait</dialog><script>modal.showModal()</script>",
    "a banner that follows the box": "<div style='position: fixed; inset: 0; z-index: 9'><button>Accept</button></div>",
}


@pytest.mark.parametrize("what", BACKDROPS)
@pytest.mark.parametrize(
    "box", ["<label><input type=checkbox id=box> Agree</label>", "<div id=box role=switch>Agree</div>"]
)
async def test_a_box_under_what_stops_a_person_is_refused(ground: Playground, what: str, box: str) -> None:
    await ground.open(
        f"<div>{box}</div><script>box.onclick = () => {{ box.ariaChecked = 'true' }}</script><div id=over></div>"
    )
    ref = await ground.ref("Agree")
    await ground.value(f"over.append(document.createRange().createContextualFragment({BACKDROPS[what]!r}))")

    with pytest.raises(FormUnfinished, match=r"covers it.*nothing was filled"):
        await filled(ground, ref, "true")

    assert await ground.value("[box.checked, box.ariaChecked]") in ([False, None], [None, None])


@pytest.mark.parametrize(
    "drawn",
    [
        "<span><input type=checkbox id=box style='position: absolute'><i style='position: absolute; width: 20px;"
        " height: 20px; background: blue'></i></span>",
        "<span style='position: relative'><input type=checkbox id=box><svg width=20 height=20"
        " style='position: absolute; left: 0; background: red'></svg></span>",
        "<div><div><input type=checkbox id=box style='opacity: 0'></div><b style='position: absolute; left: 0; top: 0;"
        " width: 40px; height: 40px; background: green'></b></div>",
    ],
    ids=["a sibling", "a picture", "beside what is around it"],
)
async def test_a_box_under_what_is_drawn_for_it_is_checked(ground: Playground, drawn: str) -> None:
    await ground.open(f"<p>Above</p><div>{drawn}</div><script>box.ariaLabel = 'Agree'</script>")

    assert await filled(ground, 'checkbox "Agree"', "true") == "true"
    assert await ground.value("box.checked") is True


async def test_the_fields_before_one_that_is_unknown_are_filled(ground: Playground) -> None:
    await ground.open("<input aria-label=A><input aria-label=B>")
    first = await ground.ref('textbox "A"')
    fields = tuple(FieldValue(ref=ref, value="x") for ref in (first, "e99999"))

    with pytest.raises(FormUnfinished, match=f"filled before: {first}"):
        await fill_form(ground.supervisor, FormArguments(fields=fields))

    assert await ground.value("document.querySelector('input').value") == "x"


async def test_a_field_that_moves_the_focus_on_gets_no_text_and_neither_does_the_other(ground: Playground) -> None:
    await ground.open("<input aria-label=A onfocus='setTimeout(() => other.focus())'><input id=other aria-label=B>")

    with pytest.raises(NotEditable, match="it does not keep the focus"):
        await typed(ground, 'textbox "A"', "secret")

    assert await ground.value("other.value") == ""


async def test_a_select_that_the_field_before_it_made_anew_is_no_success(ground: Playground) -> None:
    select = "<select aria-label=Size><option>Small</option><option>Large</option></select>"
    await ground.open(f"<input aria-label=A oninput='box.innerHTML = box.innerHTML'><div id=box>{select}</div>")
    refs = [await ground.ref(name) for name in ('textbox "A"', '"Size"')]
    fields = tuple(FieldValue(ref=ref, value=value) for ref, value in zip(refs, ("x", "Large"), strict=True))

    with pytest.raises(FormUnfinished, match=f"element '{refs[1]}': it was removed from its document"):
        await fill_form(ground.supervisor, FormArguments(fields=fields))

    assert await ground.value("document.querySelector('select').value") == "Small"


CODE = """<div style="position: relative"><b id=shown>____</b><input id=field aria-label=Code
    style="position: absolute; inset: 0; opacity: 0"></div>
<script>field.oninput = () => {{ shown.textContent = field.value.padEnd(4, '_'); {} }}</script>"""
"""A field for a code that nobody sees, over the places for its digits, as Vuetify's."""


async def test_a_field_that_nobody_sees_and_that_holds_its_text_is_filled(ground: Playground) -> None:
    await ground.open(CODE.format(""))

    assert await fill(ground, await ground.ref('"Code"'), "1234") == "1234"
    assert await ground.value("shown.textContent") == "1234"


async def test_a_field_that_nobody_sees_and_that_holds_nothing_is_no_success(ground: Playground) -> None:
    await ground.open(CODE.format("field.value = ''"))

    with pytest.raises(FormUnfinished, match="the field does not hold it"):
        await fill(ground, await ground.ref('"Code"'), "1234")
