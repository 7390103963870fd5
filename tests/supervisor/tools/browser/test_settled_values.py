"""Values in a result are those that fields hold once the page rests, on real Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.supervisor.tools.desk import Desk

BACK = "setTimeout(() => {{ {} }}, 200)"
FIELDS: dict[str, tuple[str, str, str]] = {
    "a select": (
        f"<select aria-label=F oninput='{BACK.format('this.value = `one`')}'><option>one<option>two</select>",
        "two",
        "one",
    ),
    "a text field": (f"<input aria-label=F value=one oninput='{BACK.format('this.value = `one`')}'>", "two", "one"),
    "a text field that holds the old one when it is first read": (
        "<input aria-label=F value=one "
        "oninput='window.addEventListener(`input`, () => { this.value = `one` }, {once: true})'>",
        "two",
        "one",
    ),
    "a combobox that drops what was typed": (
        "<input role=combobox aria-label=F value=one onblur='setTimeout(() => { this.value = `` }, 450)'>",
        "two",
        "",
    ),
    "a combobox that forgets what was chosen": (
        "<span><input role=combobox aria-label=F aria-controls=l onblur='setTimeout(() => { c.remove() }, 450)'>"
        "<b id=c></b></span><div id=l role=listbox onmousedown='event.preventDefault()' "
        "onclick='c.textContent = `two`; document.querySelector(`input`).value = ``'><i role=option>two</i></div>",
        "two",
        "",
    ),
    "an editor": (
        f"<div contenteditable role=textbox aria-label=F oninput='{BACK.format('this.textContent = `one`')}'>one</div>",
        "two",
        "one",
    ),
    "a box": (f"<input type=checkbox aria-label=F onclick='{BACK.format('this.checked = false')}'>", "true", "false"),
    "a drawn box": (
        "<div role=switch tabindex=0 aria-checked=false aria-label=F onclick='this.ariaChecked = true; "
        f"{BACK.format('this.ariaChecked = false')}'>F</div>",
        "true",
        "false",
    ),
    "a date": (
        f"<input type=date aria-label=F oninput='{BACK.format('this.value = `2027-03-01`')}'>",
        "2027-02-27",
        "2027-03-01",
    ),
    "a number that is written anew": (
        f"<input aria-label=F oninput='{BACK.format('this.value = `1,000.00`')}'>",
        "1000",
        "1,000.00",
    ),
}


@pytest.mark.parametrize("what", FIELDS)
def test_a_value_that_the_page_changes_soon_is_told_as_it_is_then(desk: Desk, what: str) -> None:
    html, value, kept = FIELDS[what]
    ref = re.findall(r"\[ref=(e\d+)\]", desk.show(html))[0]

    done = desk.fill(ref, value)

    assert done["filled"] == [{"ref": ref, "value": kept}], done


@pytest.mark.parametrize("more", [{"ref": "F"}, {"ref": "F", "paste": True}, {}], ids=["typed", "pasted", "in focus"])
def test_a_text_that_the_page_changes_soon_is_told_as_it_is_then(desk: Desk, more: dict[str, Any]) -> None:
    desk.show(f"<input aria-label=F autofocus oninput='{BACK.format('this.value = `ONE`')}'>")
    more = more | ({"ref": 'textbox "F"'} if "ref" in more else {})

    assert desk.call("browser_type", text="two", **more)["value"] == "ONE"


def test_what_was_typed_is_told_before_the_page_empties_the_field_at_enter(desk: Desk) -> None:
    desk.show("<input aria-label=F onkeydown='if (event.key === `Enter`) this.value = ``'>")

    assert desk.call("browser_type", ref='textbox "F"', text="two", submit=True)["value"] == "two"


@pytest.mark.parametrize(
    ("field", "text", "held"),
    [
        ("maxlength=5", "1234567", "12345"),
        (
            "oninput='this.value = this.value.replace(/\\D/g, ``).replace(/(...)(...)(.*)/, `($1) $2-$3`)'",
            "5551234567",
            "(555) 123-4567",
        ),
        ("oninput='this.value = this.value.toUpperCase()'", "ab", "AB"),
        ("type=number oninput='this.value = Number(this.value)'", "1.50", "1.5"),
    ],
    ids=["shortened", "a mask", "in capitals", "a number"],
)
def test_a_field_takes_what_it_wrote_itself_again(desk: Desk, field: str, text: str, held: str) -> None:
    ref = desk.refs(f"<input aria-label=F {field}>")["F"]

    done = [desk.fill(ref, text).get("filled") for _ in range(2)]

    assert done == [[{"ref": ref, "value": held}]] * 2


MARKED = {
    "by aria-invalid": "<input aria-label=F oninput='setTimeout(() => { this.ariaInvalid = true }, 200)'>",
    "by the browser": "<form><input aria-label=F type=email oninput='setTimeout(() => this.blur(), 100)'></form>",
    "in a shadow": "<x-f></x-f><script>customElements.define('x-f', class extends HTMLElement { connectedCallback() {"
    "this.attachShadow({mode: 'open'}).innerHTML = `<input aria-label=F oninput='this.ariaInvalid = `true`'>` } })"
    "</script>".replace("`true`", '"true"'),
    "not at all": "<form><input aria-label=F aria-invalid=false required></form>",
}


@pytest.mark.parametrize("what", MARKED)
def test_a_field_that_the_page_marks_as_wrong_is_told_as_that(desk: Desk, what: str) -> None:
    desk.show(MARKED[what])

    filled = desk.fill('textbox "F"', "hello")["filled"]
    typed = desk.call("browser_type", ref='textbox "F"', text="hello!")

    assert [done.get("invalid", False) for done in (*filled, typed)] == [what != "not at all"] * 2
