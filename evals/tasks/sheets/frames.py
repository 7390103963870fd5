"""Tasks in frames: of the same site, of another, nested, turned."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task

FORM = """<label>Card <input id="card"></label> <button onclick="tell('paid ' + card.value)">Pay</button>"""


@task(
    '<iframe src="inner" title="Inner"></iframe>',
    lambda desk: desk.told == ["pressed"],
    files={"inner": "<button onclick=\"tell('pressed')\">Inside</button>"},
)
def press_a_button_in_a_frame(hands: Hands, desk: Desk) -> None:
    """Press a button in a frame of the same site."""
    hands.click(hands.ref("Inside", "button"))


def pay(hands: Hands) -> None:
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Card", "textbox"), "4111")
        hands.click(view.ref("Pay", "button"))


@task(
    '<iframe src="$other/pay" title="Payment"></iframe>', lambda desk: desk.told == ["paid 4111"], files={"pay": FORM}
)
def pay_in_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """Type and press in a frame of another site."""
    pay(hands)


@task(
    '<iframe src="$other/middle" title="Middle" width="500" height="300"></iframe>',
    lambda desk: desk.told == ["paid 4111"],
    files={"middle": '<p>Middle</p><iframe src="$own/pay" title="Payment"></iframe>', "pay": FORM},
)
def pay_in_a_frame_of_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """A frame of this site in a frame of another."""
    pay(hands)


@task(
    """<div style="transform: rotate(-25deg) scale(.8); transform-origin: 0 0; margin: 200px 40px">
    <iframe src="$other/pay" title="Payment" style="transform: scale(1.1)"></iframe></div>""",
    lambda desk: desk.told == ["paid 4111"],
    files={"pay": FORM},
)
def pay_in_a_foreign_frame_that_is_turned(hands: Hands, desk: Desk) -> None:
    """A frame of another site, rotated and scaled."""
    pay(hands)


@task(
    """<div style="height: 1500px"></div><iframe src="$other/long" title="Long" style="height: 150px"></iframe>
    <div style="height: 900px"></div>""",
    lambda desk: desk.told == ["paid 4111"],
    files={"long": f'<div style="height: 1200px"></div>{FORM}'},
)
def pay_at_the_end_of_a_foreign_frame_out_of_sight(hands: Hands, desk: Desk) -> None:
    """The frame is below the window, and the form below what the frame shows."""
    pay(hands)


@task(
    """<iframe sandbox="allow-scripts" srcdoc="<button onclick=&quot;parent.postMessage('hit', '*')&quot;>Try</button>">
    </iframe><script>onmessage = event => tell(event.data)</script>""",
    "told.join() === 'hit'",
)
def press_a_button_in_a_sandboxed_frame(hands: Hands, desk: Desk) -> None:
    """Press a button in a sandboxed srcdoc frame."""
    hands.click(hands.wait_ref("Try", "button"))


@task(
    '<iframe src="$other/first" title="Shop"></iframe>',
    lambda desk: desk.told == ["bought"],
    files={
        "first": '<a href="$own/second">To the shop</a>',
        "second": "<button onclick=\"tell('bought')\">Buy</button>",
    },
)
def follow_a_link_in_a_frame_to_another_process(hands: Hands, desk: Desk) -> None:
    """A link in a frame leads back to this site; buy there."""
    hands.looking.click(hands.ref("To the shop", "link"))
    hands.click(hands.wait_ref("Buy", "button"))


@task(
    """<iframe src="$other/code" title="Code"></iframe> <label>Code <input id="code"></label>""",
    "code.value === 'K7-QX'",
    files={"code": "<p>Your code: <b>K7-QX</b></p>"},
)
def copy_a_code_out_of_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """Type the code that a frame of another site shows."""
    view = hands.look()
    hands.type(view.ref("Code", "textbox"), view.match(r"\b([A-Z]\d-[A-Z]{2})\b"))


@task(
    '<iframe src="$other/inner" title="Inner"></iframe>',
    lambda desk: desk.told == ["b"],
    files={
        "inner": """<select aria-label="Plan" onchange="tell(value)"><option value="a">Small
        <option value="b">Big</select>"""
    },
)
def choose_an_option_in_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """Choose Big in a frame of another site."""
    hands.select(hands.ref("Plan", "combobox"), "Big")


@task(
    """<button onclick="add()">Add frame</button><script>const add = () => setTimeout(() => {
    const frame = document.createElement('iframe'); frame.src = '$other/late'; document.body.append(frame) }, 200)
    </script>""",
    lambda desk: desk.told == ["late"],
    files={"late": "<button onclick=\"tell('late')\">Late</button>"},
)
def press_a_button_in_a_frame_that_comes_late(hands: Hands, desk: Desk) -> None:
    """A frame of another site is added after a click."""
    hands.looking.click(hands.ref("Add frame", "button"))
    hands.click(hands.wait_ref("Late", "button"))


@task(
    '<iframe src="$other/inner" title="Inner" style="width: 300px; height: 200px"></iframe>',
    lambda desk: desk.told == ["over", "menu"],
    files={
        "inner": """<style>#sub { display: none } #nav:hover #sub { display: block }</style><div id="nav" onmouseenter="
        tell('over')"><button>Menu</button><div id="sub"><button onclick="tell('menu')">Hidden</button></div></div>"""
    },
)
def hover_in_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """Open a menu of a frame of another site by hovering."""
    hands.looking.hover(hands.ref("Menu", "button"))
    hands.click(hands.ref("Hidden", "button"))
