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
from tests.supervisor.tools.acts import Given, filled, filled_all, typed
from tests.support.stages.playground import Playground

SELECT = """<select aria-label=Size onchange="window.told = this.value"><option value=s>Small</option>
<option value=m>Medium</option><optgroup label=Other disabled><option value=x>Huge</option></optgroup>
<option value=l disabled>Large</option></select>"""

MANY = """<select aria-label=Toys multiple oninput="window.told = [...this.selectedOptions].map(o => o.value).join()">
<option value=a selected>Ball<option value=b>Car<option value=c>Doll</select>"""


@pytest.fixture
def note(tmp_path: Path) -> str:
    """The path of a file."""
    path = tmp_path / "note.txt"
    path.write_text("hello")
    return str(path)


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
    values = await ground.value("[...document.querySelectorAll('input')].slice(0, 4).map(field => field.value)")
    assert values == ["Ann", "2027-01-31", "s3cret", "on"]


async def test_a_form_says_how_far_it_was_filled(ground: Playground) -> None:
    await ground.open("<input aria-label=Name><input aria-label=Fixed readonly>")
    name, fixed = await ground.ref('"Name"'), await ground.ref('"Fixed"')

    with pytest.raises(FormUnfinished, match=f"'{fixed}': it takes no text: it is read-only; filled before: {name}"):
        await filled_all(ground, {name: "Ann", fixed: "Bob"})
    with pytest.raises(FormUnfinished, match=f"filled before: {name}"):
        await filled_all(ground, {name: "Cid", "e99999": "Bob"})

    assert await ground.value("document.querySelector('input').value") == "Cid"


async def test_a_file_field_is_given_files_by_its_ref(ground: Playground, note: str) -> None:
    await ground.open("<label>Picture <input type=file onchange='window.name_ = this.files[0].name'></label>")
    ref = await ground.ref("Picture")

    await upload(ground.supervisor, ref, (note,))
    with pytest.raises(WrongValue, match="one file"):
        await upload(ground.supervisor, ref, (note, note))

    assert await ground.value("window.name_") == "note.txt"


async def test_a_button_that_opens_a_file_chooser_is_given_files(
    ground: Playground, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ground.open(
        "<input type=file hidden onchange='window.name_ = this.files[0].name'>"
        "<button onclick='document.querySelector(\"input\").click()'>Choose</button><button>Other</button>"
    )

    await upload(ground.supervisor, await ground.ref('button "Choose"'), (note,))

    assert await ground.value("window.name_") == "note.txt"
    monkeypatch.setattr("supervisor.tools.actions.files.CHOOSER_S", 0.1)
    with pytest.raises(WrongField, match="opened no file chooser"):
        await upload(ground.supervisor, await ground.ref('button "Other"'), (note,))


ON_RELEASE = """<input type=range aria-label=Size min=0 max=100 step=%s value=20 oninput="shown.value = value">
<output id=shown>20</output><script>
const size = document.querySelector('[aria-label=Size]'), commit = () => { window.told = size.value };
size.addEventListener('keyup', commit); size.addEventListener('pointerup', commit);
</script>"""


ARIA_SLIDER = """<div role=slider tabindex=0 aria-label=Size aria-valuenow=20 aria-valuemin=0
 aria-valuemax=100 onkeydown="const now = Number(ariaValueNow), by = {ArrowUp: 5, ArrowDown: -5}[event.key] || 0;
ariaValueNow = Math.max(0, Math.min(100, now + by))">S</div>"""


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


DRAWN = {
    "a sibling": "<span><input type=checkbox id=box style='position: absolute'><i style='position: absolute;"
    " width: 20px; height: 20px; background: blue'></i></span>",
    "a picture": "<span style='position: relative'><input type=checkbox id=box><svg width=20 height=20"
    " style='position: absolute; left: 0; background: red'></svg></span>",
    "what is around it": "<div><div><input type=checkbox id=box style='opacity: 0'></div><b style='position: absolute;"
    " left: 0; top: 0; width: 40px; height: 40px; background: green'></b></div>",
}
UNDER = "<p>Above</p><div>{}</div><script>box.ariaLabel = 'Agree'</script>"
TOLD = "window.told"

FILLED = {
    **{f"the option {by}": (SELECT, '"Size"', by, "Medium", TOLD, "m") for by in ("Medium", "m", "1")},
    "options instead of others": (MANY, '"Toys"', ("Doll", "b"), "Car, Doll", TOLD, "b,c"),
    **{
        f"a slider with steps of {step} on release, {value}": (ON_RELEASE % step, "slider", value, value, TOLD, value)
        for step, value in [("1", "73"), ("1", "0"), ("1", "100"), ("0.5", "72.5")]
    },
    "a slider that keys move": (ARIA_SLIDER, "slider", "75", "75", "document.body.firstChild.ariaValueNow", "75"),
    "an option that stays": (COMBOBOX, "combobox", "pro", "Pro", "document.activeElement.blur(), plan.value", "Pro"),
    **{
        f"a box under {it}": (UNDER.format(drawn), "checkbox", "true", "true", "box.checked", True)
        for it, drawn in DRAWN.items()
    },
}


@pytest.mark.parametrize(("html", "label", "value", "told", "look", "seen"), FILLED.values(), ids=FILLED)
async def test_a_field_is_filled_and_says_what_it_holds(
    ground: Playground, html: str, label: str, value: Given, told: str, look: str, seen: object
) -> None:
    await ground.open(html)

    assert await filled(ground, label, value) == told
    assert await ground.value(look) == seen


FALLS_BACK = ON_RELEASE % "1" + "<script>size.addEventListener('keyup', () => { size.value = 20 })</script>"
NOTHING = (TOLD, None)


@pytest.mark.parametrize(
    ("html", "label", "value", "why", "look", "seen"),
    [
        (SELECT, "Size", "Tiny", "option 1 of those given is not there", *NOTHING),
        (SELECT, "Size", "Large", "option 1 of those given is disabled", *NOTHING),
        (SELECT, "Size", "Huge", "option 1 of those given is disabled", *NOTHING),
        (SELECT, "Size", ("Small", "Medium"), "expected one option", *NOTHING),
        (SELECT.replace("Medium", "Small"), "Size", "Small", "is there several times; give its value", *NOTHING),
        (SELECT.replace("value=m", "value=s"), "Size", "s", "option 1 of those given is there several times", *NOTHING),
        ("<select aria-label=Size disabled><option>Small</select>", "Size", "Small", "it is disabled", *NOTHING),
        ("<button aria-label=Size>Small</button>", "Size", "Small", "it is no form field", *NOTHING),
        ("<input type=file aria-label=Size>", "Size", "Small", "use browser_file", *NOTHING),
        ("<input aria-label=Size>", "Size", ("Small",), "expected one text", *NOTHING),
        ("<input type=checkbox aria-label=Size>", "Size", "Small", "expected true or false", *NOTHING),
        (CHECKS, "Stubborn", "true", "it was clicked, and has the state that it had", *NOTHING),
        (CHECKS, 'radio "Two"', "false", "by checking another one", *NOTHING),
        (FALLS_BACK, "slider", "73", "did not keep the value", "size.value", "20"),
        (ARIA_SLIDER, "slider", "73", "did not reach the value", *NOTHING),
        (ARIA_SLIDER, "slider", "101", "within its bounds", *NOTHING),
        (COMBOBOX, "combobox", "Gold", "it did not keep the text when it lost the focus", "plan.value", "Free"),
        (
            "<input role=combobox readonly>",
            "combobox",
            "Red",
            "no option with this text was shown when it was",
            *NOTHING,
        ),
    ],
)
async def test_a_field_says_why_it_does_not_take_a_value(
    ground: Playground, html: str, label: str, value: Given, why: str, look: str, seen: object
) -> None:
    await ground.open(html)

    with pytest.raises(FormUnfinished, match=why):
        await filled(ground, label, value)

    assert await ground.value(look) == seen


async def test_a_field_that_moves_the_focus_on_gets_no_text_and_neither_does_the_other(ground: Playground) -> None:
    await ground.open("<input aria-label=A onfocus='setTimeout(() => other.focus())'><input id=other aria-label=B>")

    with pytest.raises(NotEditable, match="it does not keep the focus"):
        await typed(ground, 'textbox "A"', "secret")

    assert await ground.value("other.value") == ""


async def test_a_select_that_the_field_before_it_made_anew_is_no_success(ground: Playground) -> None:
    select = "<select aria-label=Size><option>Small</option><option>Large</option></select>"
    await ground.open(f"<input aria-label=A oninput='box.innerHTML = box.innerHTML'><div id=box>{select}</div>")
    text, size = await ground.ref('textbox "A"'), await ground.ref('"Size"')

    with pytest.raises(FormUnfinished, match=f"element '{size}': it was removed from its document"):
        await filled_all(ground, {text: "x", size: "Large"})

    assert await ground.value("document.querySelector('select').value") == "Small"


CODE = """<div style="position: relative"><b id=shown>____</b><input id=field aria-label=Code
    style="position: absolute; inset: 0; opacity: 0"></div>
<script>field.oninput = () => {{ shown.textContent = field.value.padEnd(4, '_'); {} }}</script>"""
"""A field for a code that nobody sees, over the places for its digits, as Vuetify's."""


async def test_a_field_that_nobody_sees_and_that_holds_its_text_is_filled(ground: Playground) -> None:
    await ground.open(CODE.format(""))

    assert await filled(ground, '"Code"', "1234") == "1234"
    assert await ground.value("shown.textContent") == "1234"


async def test_a_field_that_nobody_sees_and_that_holds_nothing_is_no_success(ground: Playground) -> None:
    await ground.open(CODE.format("field.value = ''"))

    with pytest.raises(FormUnfinished, match="the field does not hold it"):
        await filled(ground, '"Code"', "1234")
