"""Tasks for the keyboard."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task


@task(
    """<p>Press Control+K to search</p><dialog id="palette"><input id="line" aria-label="Command"></dialog><script>
    onkeydown = event => { if (event.ctrlKey && event.key === 'k') { event.preventDefault(); palette.showModal() } };
    line.onkeydown = event => { if (event.key === 'Enter') tell(line.value) };</script>""",
    "told.join() === 'open settings'",
    looks_first=False,
)
def use_a_command_palette(hands: Hands, desk: Desk) -> None:
    """Open the palette by its chord, type a command, and press Enter."""
    with hands.together():
        hands.press("Control+k")
        hands.write("open settings")
        hands.press("Enter")


@task(
    """<canvas id="board" tabindex="0" width="300" height="100" aria-label="Board" role="application"></canvas><script>
    let text = ''; const ink = board.getContext('2d'); board.focus(); board.onkeydown = event => {
    if (event.key === 'Enter') tell(text); else if (event.key.length === 1) { text += event.key;
    ink.clearRect(0, 0, 300, 100); ink.fillText(text, 10, 50) } };</script>""",
    "told.join() === 'hello you'",
    looks_first=False,
)
def type_into_a_canvas(hands: Hands, desk: Desk) -> None:
    """Type into an application that is a canvas with the focus."""
    with hands.together():
        hands.write("hello you")
        hands.press("Enter")


@task(
    """<button id="open" onclick="menu.hidden = false; menu.firstElementChild.focus()">File</button>
    <div id="menu" role="menu" hidden><div role="menuitem" tabindex="-1">New</div><div role="menuitem"
      tabindex="-1">Save
    </div></div><script>menu.onkeydown = event => { const item = document.activeElement;
    if (event.key === 'ArrowDown') item.nextElementSibling.focus();
    if (event.key === 'Enter') { event.preventDefault(); tell(item.textContent.trim());
    menu.hidden = true } };</script>""",
    "told.join() === 'Save'",
)
def choose_in_a_menu_by_arrows(hands: Hands, desk: Desk) -> None:
    """Open the menu, go down, and press Enter."""
    with hands.together():
        hands.click(hands.ref("File", "button"))
        hands.press("ArrowDown")
        hands.press("Enter")


@task(
    '<input id="one" aria-label="One"><input id="two" aria-label="Two">',
    "one.value === 'first' && two.value === 'second'",
)
def go_on_with_tab(hands: Hands, desk: Desk) -> None:
    """Type into a field, press Tab, and type into the next."""
    with hands.together():
        hands.type(hands.ref("One", "textbox"), "first")
        hands.press("Tab")
        hands.write("second")


@task(
    """<button onclick="box.hidden = false">Show</button><div id="box" hidden>Press Escape</div><script>
    onkeydown = event => { if (event.key === 'Escape' && !box.hidden) { box.hidden = true;
    tell('closed') } };</script>""",
    "told.join() === 'closed'",
)
def close_with_escape(hands: Hands, desk: Desk) -> None:
    """Show the box, and close it with Escape."""
    with hands.together():
        hands.click(hands.ref("Show", "button"))
        hands.press("Escape")


@task('<textarea id="text" aria-label="Text">replace me</textarea>', "text.value === 'new'")
def select_all_and_write(hands: Hands, desk: Desk) -> None:
    """Replace a text by Control+A and typing."""
    with hands.together():
        hands.click(hands.ref("Text", "textbox"))
        hands.press("Control+a")
        hands.write("new")


@task(
    """<div id="pad" contenteditable role="textbox" aria-label="Pad"></div><script>pad.onpaste = event => {
    event.preventDefault(); tell(event.clipboardData.getData('text/plain')) };</script>""",
    "told.join() === 'a,b'",
)
def paste_a_text(hands: Hands, desk: Desk) -> None:
    """Paste two cells into an editor that listens for it."""
    hands.paste(hands.ref("Pad", "textbox"), "a,b")


@task(
    """<label>Phone <input id="phone" onkeydown="keys++"></label><script>let keys = 0; phone.oninput = () => {
    const digits = phone.value.replace(/\\D/g, '').slice(0, 7);
    phone.value = digits.length > 3 ? digits.slice(0, 3) + '-' + digits.slice(3) : digits };</script>""",
    "phone.value === '555-1234'",
)
def type_into_a_mask(hands: Hands, desk: Desk) -> None:
    """Type a number into a field that writes it its own way."""
    hands.type(hands.ref("Phone", "textbox"), "5551234")


@task(
    """<div id="cells"></div><script>for (let n = 0; n < 6; n++) { const cell = document.createElement('input');
    cell.maxLength = 1; cell.size = 1; cell.ariaLabel = `Digit ${n + 1}`; cells.append(cell);
    cell.oninput = () => { cell.nextElementSibling?.focus();
      const code = [...cells.children].map(cell => cell.value).join('');
      if (code.length === 6) tell(code) } }</script>""",
    "told.at(-1) === '482913'",
)
def type_a_code_into_six_fields(hands: Hands, desk: Desk) -> None:
    """Type six digits, one after the other, where each field passes the focus on."""
    with hands.together():
        hands.click(hands.ref("Digit 1", "textbox"))
        hands.write("482913")
