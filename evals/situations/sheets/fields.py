"""Situations in which a field does not hold what was put into it. A button sends what it holds."""

from __future__ import annotations

from evals.situations.situation import situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands

SEND = """<button onclick="tell(field.value)">Send</button>"""


def send(hands: Hands) -> None:
    """Send what the field holds."""
    hands.click(hands.ref("Send", "button"))


@situation(f'<input type="date" id="field" aria-label="Departure">{SEND}', "2027-03-14")
def date(hands: Hands, desk: Desk) -> None:
    """Set a date."""
    hands.set(hands.ref("Departure"), "2027-03-14")
    send(hands)


@situation(f'<input type="time" id="field" aria-label="Alarm" value="12:00">{SEND}', "06:45")
def time_of_day(hands: Hands, desk: Desk) -> None:
    """Set a time."""
    hands.set(hands.ref("Alarm"), "06:45")
    send(hands)


@situation(f'<input type="color" id="field" aria-label="Paint">{SEND}', "#ff8800")
def color(hands: Hands, desk: Desk) -> None:
    """Set a color."""
    hands.set(hands.ref("Paint"), "#ff8800")
    send(hands)


@situation(f'<input type="range" id="field" aria-label="Volume" max="100" value="10">{SEND}', "70")
def slider(hands: Hands, desk: Desk) -> None:
    """Set a slider."""
    hands.set(hands.ref("Volume", "slider"), "70")
    send(hands)


@situation(
    """<div contenteditable role="textbox" id="field" aria-label="Post">old text</div>
    <button onclick="tell(field.innerText.trim())">Send</button>""",
    "new text",
)
def contenteditable(hands: Hands, desk: Desk) -> None:
    """Replace what a rich text holds."""
    hands.type(hands.ref("Post", "textbox"), "new text")
    send(hands)


@situation(
    """<input id="field" aria-label="Town"><button onclick="tell(state)">Send</button><script>let state = '';
    field.oninput = () => { state = field.value; setTimeout(() => { field.value = state }) }</script>""",
    "York",
)
def controlled_field(hands: Hands, desk: Desk) -> None:
    """A field whose value a program keeps, as frameworks do."""
    hands.type(hands.ref("Town", "textbox"), "York")
    send(hands)


@situation(f'<textarea id="field" aria-label="Address"></textarea>{SEND}', "High St 1\nYork")
def two_lines(hands: Hands, desk: Desk) -> None:
    """Write two lines."""
    hands.type(hands.ref("Address", "textbox"), "High St 1\nYork")
    send(hands)


@situation('<input readonly aria-label="Total" value="7">')
def read_only(hands: Hands, desk: Desk) -> None:
    """A field that cannot be changed: say so."""
    hands.must_fail(lambda: hands.type(hands.ref("Total", "textbox"), "8"))


@situation('<input disabled aria-label="Total" value="7">')
def disabled_field(hands: Hands, desk: Desk) -> None:
    """A disabled field: say so."""
    hands.must_fail(lambda: hands.type(hands.ref("Total", "textbox"), "8"))


@situation('<a href="#there">Details</a>')
def no_field(hands: Hands, desk: Desk) -> None:
    """A link takes no text: say so."""
    hands.must_fail(lambda: hands.type(hands.ref("Details", "link"), "8"))


@situation(
    """<select multiple id="field" aria-label="Fruit"><option>Apple<option selected>Banana<option>Cherry</select>
    <button onclick="tell([...field.selectedOptions].map(one => one.text).join())">Send</button>""",
    "Apple,Cherry",
)
def several_options(hands: Hands, desk: Desk) -> None:
    """Choose two options, and no others."""
    hands.select(hands.ref("Fruit", "listbox"), "Apple", "Cherry")
    send(hands)


@situation('<select aria-label="Size"><option>Small<option>Large</select>')
def option_that_does_not_exist(hands: Hands, desk: Desk) -> None:
    """Choose an option that does not exist: say so."""
    hands.must_fail(lambda: hands.select(hands.ref("Size", "combobox"), "Huge"))


@situation(
    """<style>input { position: absolute; opacity: 0; width: 0; height: 0 }</style>
    <label><input type="checkbox" id="field"> I agree</label><button onclick="tell(field.checked)">Send</button>""",
    "true",
)
def checkbox_behind_its_label(hands: Hands, desk: Desk) -> None:
    """Tick a checkbox that only its label shows."""
    hands.check(hands.ref("I agree", "checkbox"))
    send(hands)


@situation("""<label><input type="checkbox" onclick="return false"> I agree</label>""")
def checkbox_that_refuses(hands: Hands, desk: Desk) -> None:
    """A checkbox that does not let itself be ticked: say so."""
    hands.must_fail(lambda: hands.check(hands.ref("I agree", "checkbox")))


@situation(
    """<label><input type="checkbox" id="field" checked> News</label><button onclick="tell(field.checked)">Send
    </button>""",
    "true",
)
def checkbox_that_is_ticked_already(hands: Hands, desk: Desk) -> None:
    """Tick what is ticked already."""
    hands.check(hands.ref("News", "checkbox"))
    send(hands)


@situation("""<form onsubmit="tell('sent ' + q.value); return false"><input name="q" aria-label="Query"></form>""",
           "sent why")  # fmt: skip
def sent_by_enter(hands: Hands, desk: Desk) -> None:
    """Send a form with Enter, once."""
    hands.type(hands.ref("Query", "textbox"), "why", submit=True)
