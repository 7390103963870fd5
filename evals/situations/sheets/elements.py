"""Situations in which a click meets something else than it was meant for."""

from __future__ import annotations

from evals.situations.situation import situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands


def press(hands: Hands, name: str) -> str:
    """Press a button."""
    return hands.click(hands.ref(name, "button"))


@situation("""<button onclick="tell('paid')">Pay</button><div style="position: fixed; inset: 0; background: #fffd"
onclick="tell('banner')">We value your privacy</div>""")
def covered_by_a_banner(hands: Hands, desk: Desk) -> None:
    """A banner covers the button: say so."""
    hands.must_fail(lambda: press(hands, "Pay"))


@situation(
    """<header style="position: sticky; top: 0; height: 200px; background: #ddd" onclick="tell('header')">Shop</header>
    <div style="height: 1500px"></div><button onclick="tell('paid')">Pay</button><div style="height: 3000px"></div>
    <script>addEventListener('load', () => scrollTo(0, 1690))</script>""",
    "paid",
)
def under_a_sticky_header(hands: Hands, desk: Desk) -> None:
    """The button is scrolled under a header that stays."""
    press(hands, "Pay")


@situation(
    """<style>.trash::before { content: '\\e872' } .trash { display: inline-block; width: 24px; height: 24px }</style>
    <ul><li>Bread <i class="trash" title="Delete" onclick="tell('bread')"></i></li></ul>""",
    "bread",
)
def icon_of_a_font(hands: Hands, desk: Desk) -> None:
    """Press an icon without a role."""
    hands.click(hands.ref("Delete"))


@situation(
    """<div style="position: relative; width: 300px; height: 40px"><button id="run" style="position: absolute"
    onclick="tell('caught')">Catch</button></div><script>
    run.animate([{left: 0}, {left: '200px'}], {duration: 1000, fill: 'forwards', iterations: 2})</script>""",
    "caught",
)
def moving(hands: Hands, desk: Desk) -> None:
    """A button that moves for two seconds."""
    hands.patiently(lambda: press(hands, "Catch"))


@situation("<button disabled onclick=\"tell('sent')\">Send</button>")
def disabled(hands: Hands, desk: Desk) -> None:
    """A disabled button: say so."""
    hands.must_fail(lambda: press(hands, "Send"))


@situation("""<div role="button" tabindex="0" aria-disabled="true">Send</div>""")
def aria_disabled(hands: Hands, desk: Desk) -> None:
    """A disabled button of the page's making: say so."""
    hands.must_fail(lambda: press(hands, "Send"))


@situation(
    """<div id="host"></div><script>host.attachShadow({mode: 'closed'}).innerHTML =
    '<button onclick="tell(`inside`)">Inside</button>'</script>""",
    "inside",
)
def in_a_closed_shadow_root(hands: Hands, desk: Desk) -> None:
    """Press a button in a closed shadow root."""
    press(hands, "Inside")


INNER = {"inner": "<body style='margin: 40px'><button onclick=\"tell('inside')\">Inside</button>"}


@situation('<iframe src="$other/inner" title="Inner"></iframe>', "inside", files=INNER)
def in_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """Press a button in a frame of another site."""
    press(hands, "Inside")


@situation(
    """<iframe src="$other/inner" title="Inner" style="transform: rotate(90deg) scale(1.5); margin: 200px"></iframe>""",
    "inside",
    files=INNER,
)
def in_a_turned_foreign_frame(hands: Hands, desk: Desk) -> None:
    """The frame of another site is turned and larger."""
    press(hands, "Inside")


@situation(
    """<iframe title="Outer" srcdoc="<iframe src='$other/inner' title='Inner'></iframe>"></iframe>""",
    "inside",
    files=INNER,
)
def in_a_frame_in_a_frame(hands: Hands, desk: Desk) -> None:
    """A frame of another site in a frame."""
    press(hands, "Inside")


@situation(
    """<div style="height: 120px; overflow: auto"><div style="height: 2000px"></div>
    <button onclick="tell('deep')">Deep</button></div>""",
    "deep",
)
def in_a_scrolled_box(hands: Hands, desk: Desk) -> None:
    """Press what is out of sight in a box."""
    press(hands, "Deep")


@situation(
    """<style>#menu { visibility: hidden } #top:hover #menu { visibility: visible }</style><div id="top">
    <button>File</button><div id="menu"><button onclick="tell('export')">Export</button></div></div>""",
    "export",
)
def in_a_menu_under_the_mouse(hands: Hands, desk: Desk) -> None:
    """A menu that is open while the mouse is over it."""
    hands.looking.hover(hands.ref("File", "button"))
    press(hands, "Export")


@situation("<button ondblclick=\"tell('twice')\">Open</button>", "twice")
def double_click(hands: Hands, desk: Desk) -> None:
    """Open by a double click."""
    hands.click(hands.ref("Open", "button"), count=2)


@situation("<button oncontextmenu=\"tell('menu'); return false\">File</button>", "menu")
def right_button(hands: Hands, desk: Desk) -> None:
    """Press with the right button."""
    hands.click(hands.ref("File", "button"), button="right")


@situation(
    """<button draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'parcel')">Parcel</button>
    <button ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); tell(event.dataTransfer.getData('text/plain'))">Van</button>""",
    "parcel",
)
def drag_and_drop(hands: Hands, desk: Desk) -> None:
    """Drag the parcel into the van."""
    view = hands.look()
    hands.drag(view.ref("Parcel", "button"), view.ref("Van", "button"))


@situation(
    """<input type="file" id="file" hidden onchange="tell(files[0].name)">
    <button onclick="file.click()">Choose a file</button>""",
    "a.txt",
)
def chooser_by_a_button(hands: Hands, desk: Desk) -> None:
    """A button opens the chooser of a hidden field."""
    hands.upload_by_chooser(hands.ref("Choose a file", "button"), [desk.file("a.txt", "a")])


@situation("""<input type="file" aria-label="File" onchange="tell(files[0].name)">""")
def file_that_does_not_exist(hands: Hands, desk: Desk) -> None:
    """Give a file that does not exist: say so."""
    hands.must_fail(lambda: hands.upload(hands.ref("File"), [desk.folder / "missing.txt"]))
