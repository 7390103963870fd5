"""Tasks for the mouse: other clicks, hovering, dragging, and what scripts made clickable."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task


@task('<div tabindex="0" role="button" ondblclick="tell(1)">Open folder</div>', "told.length === 1")
def double_click(hands: Hands, desk: Desk) -> None:
    """Open the folder."""
    hands.click(hands.ref("Open folder", "button"), count=2)


@task(
    '<p id="word" style="width: 9em" ondblclick="tell(getSelection().toString().trim())">elephant</p>',
    "told.join() === 'elephant'",
)
def double_click_a_word_to_select_it(hands: Hands, desk: Desk) -> None:
    """Select a word in plain text by a double click."""
    hands.click(hands.ref("elephant"), count=2)


@task(
    """<p id="file" style="padding: 9px">notes.txt</p><div id="menu" role="menu" hidden style="position: fixed">
    <div role="menuitem" onclick="tell('renamed')">Rename</div></div><script>
    file.oncontextmenu = event => { event.preventDefault(); menu.hidden = false;
      menu.style.left = event.clientX + 'px'; menu.style.top = event.clientY + 'px' };</script>""",
    "told.join() === 'renamed'",
)
def choose_in_a_context_menu(hands: Hands, desk: Desk) -> None:
    """Rename the file by the menu of the right button."""
    hands.looking.click(hands.ref("notes.txt"), button="right")
    hands.click(hands.ref("Rename", "menuitem"))


@task(
    """<style>#sub { display: none } nav:hover #sub { display: block } nav { width: 9em }</style>
    <nav><button>Products</button><div id="sub"><a href="#lamps" onclick="tell('lamps')">Lamps</a></div></nav>""",
    "told.join() === 'lamps'",
)
def choose_in_a_menu_that_hovering_opens(hands: Hands, desk: Desk) -> None:
    """Choose Lamps under Products."""
    hands.looking.hover(hands.ref("Products", "button"))
    hands.click(hands.ref("Lamps", "link"))


@task(
    """<style>#tip { visibility: hidden } #help:hover + #tip { visibility: visible }</style>
    <button id="help">?</button><span id="tip" role="tooltip">The code is 7316</span>
    <p><label>Code <input id="code"></label>""",
    "code.value === '7316'",
)
def read_a_tooltip(hands: Hands, desk: Desk) -> None:
    """Type the code that a tooltip tells."""
    view = hands.look()
    hands.looking.hover(view.ref("?", "button"))
    hands.type(view.ref("Code", "textbox"), hands.look().match(r"code is (\d+)"))


@task(
    """<style>div { border: 1px solid; padding: 12px; margin: 12px; width: 9em }</style>
    <div id="card" draggable="true">Milk</div><div id="cart">Cart</div><script>
    card.ondragstart = event => event.dataTransfer.setData('text/plain', 'milk');
    cart.ondragover = event => event.preventDefault();
    cart.ondrop = event => { event.preventDefault(); tell(event.dataTransfer.getData('text/plain')) };</script>""",
    "told.join() === 'milk'",
)
def drag_and_drop_of_html(hands: Hands, desk: Desk) -> None:
    """Drag the milk into the cart (HTML drag and drop)."""
    view = hands.look()
    hands.drag(view.ref("Milk"), view.ref("Cart"))


KNOB = """<style>#track { position: relative; width: 400px; height: 30px; background: #ddd; margin: 20px }
#knob { position: absolute; left: 0; width: 30px; height: 30px; background: #26c }
#goal { position: absolute; right: 0; width: 30px; height: 30px; background: #2c6 }</style>
<div id="track"><div id="knob" role="img" aria-label="Knob"></div><div id="goal" role="img"
  aria-label="Goal"></div></div>
<script>let from = null; goal.style.pointerEvents = 'auto';
knob.onpointerdown = event => { from = event.clientX - knob.offsetLeft; knob.setPointerCapture(event.pointerId) };
knob.onpointermove = event => { if (from !== null) knob.style.left = event.clientX - from + 'px' };
knob.onpointerup = () => { from = null; tell(knob.offsetLeft) };</script>"""


@task(KNOB, "told.length === 1 && Math.abs(told[0] - 370) < 20")
def drag_by_pointer_events(hands: Hands, desk: Desk) -> None:
    """Drag the knob to the goal (pointer events with capture)."""
    view = hands.look()
    hands.drag(view.ref("Knob"), view.ref("Goal"))


@task(
    """<p id="card" draggable="true" style="width: 9em; padding: 9px">Letter</p>
    <iframe src="box" title="Box" style="width: 300px; height: 150px"></iframe>
    <script>card.ondragstart = event => event.dataTransfer.setData('text/plain', 'letter')</script>""",
    lambda desk: desk.told == ["letter"],
    files={
        "box": """<div id="zone" style="height: 100px; background: #eee">Put it here</div><script>
        zone.ondragover = event => event.preventDefault();
        zone.ondrop = event => { event.preventDefault(); tell(event.dataTransfer.getData('text/plain')) };</script>"""
    },
)
def drag_into_a_frame(hands: Hands, desk: Desk) -> None:
    """Drag the letter into the box, which is a frame."""
    view = hands.look()
    hands.drag(view.ref("Letter"), view.ref("Put it here"))


@task("<div onclick=\"tell('div')\">Archive</div><div>Other words</div>", "told.join() === 'div'")
def click_a_div_with_a_handler(hands: Hands, desk: Desk) -> None:
    """Archive, which is a div with onclick."""
    hands.click(hands.ref("Archive"))


@task(
    """<ul id="mails"><li>From Ann</li><li>From Bob</li><li>From Cem</li></ul>
    <script>mails.addEventListener('click', event => tell(event.target.textContent))</script>""",
    "told.join() === 'From Bob'",
)
def click_an_item_of_a_list_that_listens(hands: Hands, desk: Desk) -> None:
    """Open the mail from Bob: the list has the listener."""
    hands.click(hands.ref("From Bob"))


@task(
    """<style>.card { cursor: pointer; border: 1px solid; margin: 8px; padding: 8px }</style>
    <div class="card"><h3>Paris</h3><p>3 nights</p></div><div class="card"><h3>Rome</h3><p>5 nights</p></div><script>
    for (const card of document.querySelectorAll('.card')) {
      card.addEventListener('click', () => tell(card.querySelector('h3').textContent)) }</script>""",
    "told.join() === 'Rome'",
)
def click_a_card_with_a_pointer(hands: Hands, desk: Desk) -> None:
    """Choose the card Rome."""
    hands.click(hands.ref("5 nights"))


@task(
    """<table><tr><th>Name<th></tr><tr><td>Ann<td><button onclick="tell('ann')">Delete</button></tr>
    <tr><td>Bob<td><button onclick="tell('bob')">Delete</button></tr></table>""",
    "told.join() === 'bob'",
)
def press_the_button_in_the_row_of_bob(hands: Hands, desk: Desk) -> None:
    """Delete Bob."""
    hands.click(hands.ref("Delete", "button", after="Bob"))


@task(
    """<svg width="200" height="100"><g role="button" aria-label="East" onclick="tell('east')"><circle cx="150" cy="50"
    r="40" fill="#6c6"/></g><g role="button" aria-label="West" onclick="tell('west')"><circle cx="50" cy="50" r="40"
    fill="#66c"/></g></svg>""",
    "told.join() === 'east'",
)
def click_a_shape_of_a_drawing(hands: Hands, desk: Desk) -> None:
    """Click the eastern circle of an SVG."""
    hands.click(hands.ref("East", "button"))


@task(
    """<canvas id="board" role="img" aria-label="Board" width="300" height="300"></canvas><script>
    const ink = board.getContext('2d'); ink.fillStyle = '#c33'; ink.fillRect(120, 120, 60, 60);
    board.onclick = event => { if (Math.abs(event.offsetX - 150) < 30 && Math.abs(event.offsetY - 150) < 30) {
      tell('hit') } };</script>""",
    "told.join() === 'hit'",
)
def click_in_the_middle_of_a_canvas(hands: Hands, desk: Desk) -> None:
    """Hit the square in the middle of a canvas."""
    hands.click(hands.ref("Board"))


@task(
    """<style>@keyframes slide { from { transform: translateX(300px) } to { transform: none } }
    button { animation: slide 1s ease-out }</style><button onclick="tell('caught')">Catch me</button>""",
    "told.join() === 'caught'",
)
def press_a_button_that_slides_in(hands: Hands, desk: Desk) -> None:
    """Press a button while it moves."""
    hands.click(hands.ref("Catch me", "button"))


@task(
    """<div style="transform: rotate(35deg) scale(.7) translate(80px, 90px); width: 300px">
    <button onclick="tell('wrong')">Left</button> <button onclick="tell('right')">Right</button></div>""",
    "told.join() === 'right'",
)
def press_a_button_that_is_turned(hands: Hands, desk: Desk) -> None:
    """Press the right button of a box that is rotated and smaller."""
    hands.click(hands.ref("Right", "button"))
