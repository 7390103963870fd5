"""Tasks with the controls that HTML has."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands, ToolFailed
from evals.tasks.media import WAVE
from evals.tasks.task import task


@task("<button onclick=\"tell('sent')\">Send</button>", "told.join() === 'sent'")
def press_a_button(hands: Hands, desk: Desk) -> None:
    """Send."""
    hands.click(hands.ref("Send", "button"))


@task(
    '<a href="next">Continue</a>',
    lambda desk: desk.told == ["arrived"],
    files={"next": "<script>tell('arrived')</script>"},
)
def follow_a_link(hands: Hands, desk: Desk) -> None:
    """Continue."""
    hands.click(hands.ref("Continue", "link"))


@task('<label><input type="checkbox" id="box"> I agree</label>', "box.checked")
def tick_a_checkbox(hands: Hands, desk: Desk) -> None:
    """Agree."""
    hands.check(hands.ref("I agree", "checkbox"))


@task('<label><input type="checkbox" id="box" checked> Newsletter</label>', "!box.checked")
def untick_a_checkbox(hands: Hands, desk: Desk) -> None:
    """Have no newsletter."""
    hands.check(hands.ref("Newsletter", "checkbox"), on=False)


@task('<label><input type="checkbox" id="box" checked onchange="tell(1)"> Newsletter</label>', "box.checked")
def leave_a_ticked_checkbox_ticked(hands: Hands, desk: Desk) -> None:
    """Make sure that the newsletter is ordered, which it is."""
    hands.check(hands.ref("Newsletter", "checkbox"))


@task(
    """<style>#box { position: absolute; opacity: 0; width: 0; height: 0 }
    label::before { content: '[ ] ' } #box:checked + label::before { content: '[x] ' }</style>
    <input type="checkbox" id="box"><label for="box">Dark mode</label>""",
    "box.checked",
)
def tick_a_checkbox_that_only_its_label_shows(hands: Hands, desk: Desk) -> None:
    """Switch the dark mode on: by its label, when the box itself cannot be clicked."""
    view = hands.look()
    try:
        hands.looking.check(view.ref("Dark mode", "checkbox"))
    except ToolFailed:
        hands.looking.click(view.ref("Dark mode", nth=1))
    view = hands.look()
    if not view.has(r"Dark mode.*\bchecked\b(?!=false)"):
        hands.click(view.ref("Dark mode", nth=1))


@task(
    '<label for="name">Your name</label> <input id="name"><p onclick="tell(0)">Nothing</p>',
    "document.activeElement.id === 'name' && document.activeElement.value === 'Ann'",
)
def click_a_label_and_type(hands: Hands, desk: Desk) -> None:
    """Click on the words "Your name", and type Ann into what has the focus then."""
    with hands.together():
        hands.click(hands.ref("Your name"))
        hands.write("Ann")


@task(
    """<fieldset><legend>Size</legend><label><input type="radio" name="size" value="s"> Small</label>
    <label><input type="radio" name="size" value="l"> Large</label></fieldset>""",
    "document.querySelector('[name=size]:checked')?.value === 'l'",
)
def choose_a_radio_button(hands: Hands, desk: Desk) -> None:
    """Choose Large."""
    hands.check(hands.ref("Large", "radio"))


@task(
    """<label>Country <select id="country" onchange="tell(value)"><option value="">Choose<option value="at">Austria
    <option value="br">Brazil<option value="cl">Chile</select></label>""",
    "country.value === 'br' && told.join() === 'br'",
)
def choose_an_option(hands: Hands, desk: Desk) -> None:
    """Choose Brazil."""
    hands.select(hands.ref("Country", "combobox"), "Brazil")


@task(
    """<select id="car" aria-label="Car"><optgroup label="German"><option>Audi<option>Opel</optgroup>
    <optgroup label="Swedish"><option>Saab<option>Volvo</optgroup></select>""",
    "car.value === 'Volvo'",
)
def choose_an_option_of_a_group(hands: Hands, desk: Desk) -> None:
    """Choose Volvo."""
    hands.select(hands.ref("Car", "combobox"), "Volvo")


@task(
    """<select id="fruit" aria-label="Fruit" multiple size="4" onchange="tell(selectedOptions.length)">
    <option>Apple<option selected>Banana<option>Cherry<option>Date</select>""",
    "[...fruit.selectedOptions].map(option => option.text.trim()).join() === 'Apple,Cherry'",
)
def choose_two_options(hands: Hands, desk: Desk) -> None:
    """Choose Apple and Cherry, and nothing else."""
    hands.select(hands.ref("Fruit", "listbox"), "Apple", "Cherry")


@task(
    """<select id="number" aria-label="Number" size="5"></select>
    <script>for (let n = 0; n < 400; n++) number.add(new Option(`Number ${n}`))</script>""",
    "number.value === 'Number 333'",
)
def choose_an_option_of_a_long_list(hands: Hands, desk: Desk) -> None:
    """Choose number 333."""
    hands.select(hands.ref("Number", "listbox"), "Number 333")


@task('<input type="date" id="day" aria-label="Departure" onchange="tell(value)">', "day.value === '2027-03-14'")
def set_a_date(hands: Hands, desk: Desk) -> None:
    """Depart on 14 March 2027."""
    hands.set(hands.ref("Departure"), "2027-03-14")


@task('<input type="time" id="hour" aria-label="Alarm" value="12:00">', "hour.value === '06:45'")
def set_a_time(hands: Hands, desk: Desk) -> None:
    """Set the alarm to 6:45."""
    hands.set(hands.ref("Alarm"), "06:45")


@task('<input type="datetime-local" id="start" aria-label="Start">', "start.value === '2027-03-14T09:30'")
def set_a_date_with_a_time(hands: Hands, desk: Desk) -> None:
    """Start on 14 March 2027 at 9:30."""
    hands.set(hands.ref("Start"), "2027-03-14T09:30")


@task('<input type="month" id="month" aria-label="Expires">', "month.value === '2029-11'")
def set_a_month(hands: Hands, desk: Desk) -> None:
    """The card expires in November 2029."""
    hands.set(hands.ref("Expires"), "2029-11")


@task('<input type="color" id="color" aria-label="Paint" oninput="tell(value)">', "color.value === '#ff8800'")
def set_a_color(hands: Hands, desk: Desk) -> None:
    """Paint it #ff8800."""
    hands.set(hands.ref("Paint"), "#ff8800")


@task(
    '<input type="range" id="volume" aria-label="Volume" min="0" max="100" value="10" oninput="tell(value)">',
    "volume.value === '70' && told.at(-1) === '70'",
)
def set_a_range(hands: Hands, desk: Desk) -> None:
    """Turn the volume to 70."""
    hands.set(hands.ref("Volume", "slider"), "70")


@task('<input type="number" id="amount" aria-label="Amount" value="1" min="0">', "amount.value === '42'")
def set_a_number(hands: Hands, desk: Desk) -> None:
    """Take 42."""
    hands.type(hands.ref("Amount", "spinbutton"), "42")


@task('<textarea id="note" aria-label="Note">old</textarea>', "note.value === 'first\\nsecond'")
def write_two_lines(hands: Hands, desk: Desk) -> None:
    """Replace the note by two lines."""
    hands.type(hands.ref("Note", "textbox"), "first\nsecond")


@task(
    '<div id="post" contenteditable role="textbox" aria-label="Post">old <b>text</b></div>',
    "post.innerText.trim() === 'new text'",
)
def replace_rich_text(hands: Hands, desk: Desk) -> None:
    """Replace the post."""
    hands.type(hands.ref("Post", "textbox"), "new text")


@task(
    """<input list="towns" id="town" aria-label="Town" onchange="tell(value)"><datalist id="towns"><option>Paris
    <option>Prague</datalist><button>Go</button>""",
    "town.value === 'Prague'",
)
def fill_a_field_with_suggestions(hands: Hands, desk: Desk) -> None:
    """Go to Prague."""
    hands.type(hands.ref("Town", "combobox", "textbox"), "Prague")


@task(
    "<details id=more><summary>More</summary><button onclick=\"tell('deep')\">Deep</button></details>",
    "told.join() === 'deep'",
)
def open_details_and_press_what_is_inside(hands: Hands, desk: Desk) -> None:
    """Press the button under "More"."""
    hands.looking.click(hands.ref("More"))
    hands.click(hands.ref("Deep", "button"))


@task(
    '<audio id="song" controls src="song.wav" onplay="tell(1)"></audio>', "told.length === 1", files={"song.wav": WAVE}
)
def play_by_the_controls_of_the_browser(hands: Hands, desk: Desk) -> None:
    """Play the song with the browser's own controls."""
    hands.click(hands.ref("play", "button"))


@task(
    """<button id="go" disabled onclick="tell('go')">Go</button>
    <script>setTimeout(() => { go.disabled = false }, 700)</script>""",
    "told.join() === 'go'",
)
def press_a_button_that_is_enabled_soon(hands: Hands, desk: Desk) -> None:
    """Press a button that is disabled for a moment."""
    ref = hands.ref("Go", "button")
    hands.patiently(lambda: hands.click(ref))


@task('<button disabled onclick="tell(1)">Pay</button>', "told.length === 0")
def be_told_that_a_button_is_disabled(hands: Hands, desk: Desk) -> None:
    """Try to pay: the tool must not claim that it clicked."""
    hands.must_fail(lambda: hands.click(hands.ref("Pay", "button")))


@task('<fieldset disabled><legend>Closed</legend><label>Code <input id="code"></label></fieldset>', "code.value === ''")
def be_told_that_a_field_is_disabled(hands: Hands, desk: Desk) -> None:
    """Try to type into a field of a disabled fieldset."""
    hands.must_fail(lambda: hands.type(hands.ref("Code", "textbox"), "1234"))


@task('<div role="button" tabindex="0" aria-disabled="true">Delete</div>', "told.length === 0")
def be_told_that_an_aria_button_is_disabled(hands: Hands, desk: Desk) -> None:
    """Try to press what says that it is disabled."""
    hands.must_fail(lambda: hands.click(hands.ref("Delete", "button")))


@task(
    """<button role="switch" id="wifi" aria-checked="false" aria-label="Wi-Fi"
    onclick="ariaChecked = ariaChecked === 'true' ? 'false' : 'true'">off</button>""",
    "wifi.ariaChecked === 'true'",
)
def turn_a_switch_on(hands: Hands, desk: Desk) -> None:
    """Turn the Wi-Fi on."""
    hands.click(hands.ref("Wi-Fi", "switch"))


@task(
    """<div id="knob" role="slider" tabindex="0" aria-label="Speed" aria-valuenow="3" aria-valuemin="0"
    aria-valuemax="9">3</div><script>knob.onkeydown = event => {
    if (event.key === 'ArrowRight') { knob.ariaValueNow = knob.textContent = +knob.ariaValueNow + 1 } }</script>""",
    "knob.ariaValueNow === '5'",
)
def move_an_aria_slider_by_keys(hands: Hands, desk: Desk) -> None:
    """Raise the speed from 3 to 5."""
    with hands.together():
        hands.click(hands.ref("Speed", "slider"))
        hands.press("ArrowRight")
        hands.press("ArrowRight")


@task(
    """<button popovertarget="menu">Options</button><div id="menu"
    popover><button onclick="tell('share')">Share</button>
    </div>""",
    "told.join() === 'share'",
)
def choose_in_a_popover(hands: Hands, desk: Desk) -> None:
    """Open the options and share."""
    hands.looking.click(hands.ref("Options", "button"))
    hands.click(hands.ref("Share", "button"))
