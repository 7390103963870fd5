"""Dates and times that are typed beside an open calendar or clock, on real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.tools.actions.form import FieldValue, FormArguments, fill_form, settled_form
from supervisor.tools.page.element_errors import ElementError
from tests.supervisor.tools.acts import filled, typed
from tests.support.stages.playground import Playground

PICKER = """<form onsubmit="window.sent = true; return false"><input id=field aria-label=When value="{kept}"></form>
<div id=popup style="position: {position}; {side}; left: 8px; display: none; background: white"></div>
<button style="margin-top: 400px">Elsewhere</button><script>
let kept = field.value;
const cells = {cells};
popup.{inner} = '<table>' + cells.map(cell => `<td>${{cell}}</td>`).join('') + '</table><button>OK</button>';
const close = () => {{ popup.style.display = 'none'; field.value = kept }};
field.{opens} = () => {{ popup.style.display = 'block' }};
field.onkeydown = event => {{ if (event.key === 'Enter') {{ kept = field.value; close() }} }};
field.onblur = close;
</script>"""
"""A field whose text is dropped when the focus leaves it, unless Enter was pressed, as Ant Design's pickers."""

DAYS = "[...Array(31)].map((_, day) => day + 1)"
HOURS = "[...Array(24)].map((_, hour) => `${hour}`.padStart(2, 0))"
MONTHS = "['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']"
SHADOW = "attachShadow({mode: 'open'}).innerHTML"
NESTED = (
    f"appendChild(document.createElement('div')).{SHADOW} = '<p></p>';popup.lastChild.shadowRoot.lastChild.{SHADOW}"
)


def page(side: str, cells: str, opens: str, inner: str = "innerHTML", kept: str = "") -> str:
    position = "fixed" if opens == "oninput" else "absolute"
    return PICKER.format(kept=kept, position=position, side=side, cells=cells, opens=opens, inner=inner)


PICKERS = {
    "a calendar below": page("top: 40px", DAYS, "onfocus"),
    "a clock that opens at input": page("top: 32px", HOURS, "oninput"),
    "months": page("top: 34px", MONTHS, "onfocus"),
    "a calendar in a shadow tree": page("top: 40px", DAYS, "onfocus", SHADOW),
    "a calendar in a tree of a tree, as Vaadin's": page("top: 40px", DAYS, "onfocus", NESTED),
}


@pytest.mark.parametrize("picker", PICKERS)
@pytest.mark.parametrize("text", ["2026-03-04", "10:20", "4 Mar 2026"])
async def test_a_date_that_its_calendar_would_drop_is_kept(ground: Playground, picker: str, text: str) -> None:
    await ground.open(PICKERS[picker])

    assert await filled(ground, '"When"', text) == text
    await ground.value("field.blur()")

    assert await ground.value("[kept, field.value, window.sent]") == [text, text, None]


VAADIN = """<date-box><input id=field aria-label=When slot=field><p slot=days>{cells}</p></date-box>
<script>
customElements.define('date-box', class extends HTMLElement {{
    connectedCallback() {{
        const popup = this.attachShadow({{mode: 'open'}});
        popup.innerHTML = `<slot name=field></slot><div style="position: fixed; top: 40px; left: 8px; display: none">
            <slot name=days></slot></div>`;
        const {{style}} = popup.querySelector('div');
        field.onfocus = () => {{ style.display = 'block' }};
        field.onkeydown = event => {{
            if (event.key !== 'Enter') return;
            window.kept = field.value;
            style.display = 'none';
        }};
    }}
}});
</script>"""
"""A calendar that is a slot beside that of the field, as Vaadin 25 has it."""


async def test_a_calendar_in_the_same_element_as_its_field_is_seen(ground: Playground) -> None:
    await ground.open(VAADIN.format(cells="".join(f"<b>{day}</b> " for day in range(1, 32))))

    assert await filled(ground, '"When"', "2026-03-04") == "2026-03-04"
    assert await ground.value("window.kept") == "2026-03-04"


async def test_a_typed_date_is_kept_too(ground: Playground) -> None:
    await ground.open(page("top: 40px", DAYS, "onfocus", kept="2025-01-01"))

    assert (await typed(ground, '"When"', "2026-03-04")).value == await ground.value("kept") == "2026-03-04"


@pytest.mark.parametrize(
    "field",
    [
        "<textarea id=field aria-label=When></textarea>",
        "<div id=field role=textbox aria-label=When contenteditable></div>",
    ],
)
async def test_no_key_is_pressed_in_what_is_more_than_a_line(ground: Playground, field: str) -> None:
    """There Enter sends a message, or begins a line."""
    html = page("top: 40px", DAYS, "onfocus").replace('<input id=field aria-label=When value="">', field)
    await ground.open(
        html.replace("field.onkeydown", "field.onkeyup = event => { window.pressed = event.key }; let none")
    )

    await typed(ground, '"When"', "at 10:20")

    assert await ground.value("window.pressed") != "Enter"


@pytest.mark.parametrize(
    "beside",
    [
        "<p>Suggestions</p>",
        "<table><tr>" + "".join(f"<td>{day}" for day in range(31)) + "</table>",
        "<div style='position: absolute; top: 40px'><p>Room 3-4</p><p>Room 4-5</p></div>",
    ],
    ids=["nothing", "a table of the page", "suggestions"],
)
async def test_no_key_is_pressed_where_no_calendar_is_open(ground: Playground, beside: str) -> None:
    await ground.open(f"<input aria-label=When onkeydown='window.pressed = event.key'>{beside}")

    assert await filled(ground, '"When"', "3-4") == "3-4"
    assert await filled(ground, '"When"', "2026-03-04") == "2026-03-04"

    assert await ground.value("window.pressed") is None


REFUSALS = {
    "stays open": "field.onkeydown = () => {};",
    "says that it is invalid": """field.onkeydown = event => {
        if (event.key === 'Enter') { popup.style.display = 'none'; field.ariaInvalid = true } };""",
    "writes the old one": "field.onkeydown = event => { if (event.key === 'Enter') close() };",
    "writes nothing": "field.onkeydown = event => { if (event.key === 'Enter') { kept = ''; close() } };",
}


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("act", [typed, filled])
async def test_the_error_of_a_refused_date_has_the_text_of_its_field(
    ground: Playground, refusal: str, act: Any
) -> None:
    html = page("top: 40px", DAYS, "onfocus", kept="2025-01-01")
    await ground.open(html.replace("</script>", f"{REFUSALS[refusal]}</script>"))

    with pytest.raises(ElementError, match="the page did not take this date") as told:
        await act(ground, '"When"', "2026-03-04")

    await ground.value("field.blur()")
    assert (told.value.maybe_executed, told.value.page_text) == (True, await ground.value("field.value"))


@pytest.mark.parametrize("opens", ["onclick", "onmousedown"])
async def test_a_date_is_typed_into_a_combobox_whose_dialog_takes_the_focus(ground: Playground, opens: str) -> None:
    """A calendar that opens at a click, as that of Vaadin's date picker."""
    await ground.open(
        f"""<input role=combobox aria-haspopup=dialog aria-label=When id=field>
        <dialog id=box><b tabindex=0>1</b></dialog><script>
        field.{opens} = event => {{ event.preventDefault(); box.showModal() }}</script>"""
    )

    assert await filled(ground, '"When"', "2026-03-04") == "2026-03-04"
    assert await ground.value("[field.value, box.open]") == ["2026-03-04", False]


RANGE = """<div><input id=from aria-label=From><input id=to aria-label=To></div>
<div id=popup style="position: absolute; top: 40px; left: 8px; width: 500px; background: white" hidden></div><script>
const both = [document.getElementById('from'), document.getElementById('to')];
window.kept = ['', ''];
popup.innerHTML = [...Array(31)].map((_, day) => `<i>${day + 1}</i> `).join('');
const close = () => { popup.hidden = true; both.forEach((field, place) => { field.value = kept[place] }) };
for (const field of both) {
    field.onfocus = () => { popup.hidden = false };
    field.onblur = ({relatedTarget}) => { if (!both.includes(relatedTarget)) close() };
    field.onkeydown = ({key}) => {
        if (key !== 'Enter') return;
        if (both.every(each => each.value)) kept = both.map(each => each.value);
        close();
    };
}
</script>"""
"""Two dates that are taken together, as in Element Plus and Naive UI."""


async def test_both_dates_of_a_range_are_filled_in_one_call(ground: Playground) -> None:
    await ground.open(RANGE)
    days = {"From": "2026-03-04", "To": "2026-03-09"}
    fields = tuple([FieldValue(ref=await ground.ref(f'"{name}"'), value=day) for name, day in days.items()])

    settled = await settled_form(ground.supervisor, await fill_form(ground.supervisor, FormArguments(fields=fields)))
    assert [field.value for field in settled.filled] == await ground.value("kept") == [*days.values()]


async def test_one_date_of_a_range_that_takes_both_fails_and_says_how(ground: Playground) -> None:
    await ground.open(RANGE)

    with pytest.raises(ElementError, match="fill both dates of the range in one call"):
        await filled(ground, '"From"', "2026-03-04")

    assert await ground.value("kept") == ["", ""]
