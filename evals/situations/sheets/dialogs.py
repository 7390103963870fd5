"""Situations with JavaScript dialogs."""

from __future__ import annotations

from contextlib import suppress

from evals.situations.situation import situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands, ToolFailed


@situation("<button onclick=\"tell(confirm('Delete all?'))\">Delete</button>", "true")
def confirm_accepted(hands: Hands, desk: Desk) -> None:
    """Say yes."""
    hands.click(hands.ref("Delete", "button"))
    hands.answer(accept=True)


@situation("<button onclick=\"tell(confirm('Delete all?'))\">Delete</button>", "false")
def confirm_dismissed(hands: Hands, desk: Desk) -> None:
    """Say no."""
    hands.click(hands.ref("Delete", "button"))
    hands.answer(accept=False)


@situation("<button onclick=\"tell(prompt('Name?', 'draft 7'))\">Rename</button>", "draft 7")
def prompt_with_its_default(hands: Hands, desk: Desk) -> None:
    """Accept the name that the prompt proposes."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True)


@situation("<button onclick=\"tell(JSON.stringify(prompt('Name?', 'draft 7')))\">Rename</button>", '""')
def prompt_emptied(hands: Hands, desk: Desk) -> None:
    """Answer with an empty text."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True, text="")


@situation("<button onclick=\"tell(JSON.stringify(prompt('Name?', 'draft 7')))\">Rename</button>", "null")
def prompt_dismissed(hands: Hands, desk: Desk) -> None:
    """Cancel."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=False)


@situation("<button onclick=\"tell(prompt('Name?'))\">Rename</button>", 'Zoë says "--no" 🦊')
def prompt_in_unicode(hands: Hands, desk: Desk) -> None:
    """Answer with quotes, dashes and signs outside of the basic plane."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True, text='Zoë says "--no" 🦊')


@situation("<button onclick=\"alert('first'); alert('second'); tell('after')\">Go</button>", "after")
def two_alerts(hands: Hands, desk: Desk) -> None:
    """Close two alerts in a row."""
    hands.click(hands.ref("Go", "button"))
    hands.close_alert()
    hands.close_alert()


@situation(
    """<button onclick="window.open('popup', 'p', 'width=300,height=200')">Open</button>
    <button onclick="tell('on')">Go on</button>""",
    "answered", "on",
    files={"popup": "<button onclick=\"alert('In the popup'); tell('answered')\">Warn</button>"},
)  # fmt: skip
def alert_in_a_popup(hands: Hands, desk: Desk) -> None:
    """Press a popup's button, close its alert, and go on in the first page."""
    hands.click(hands.ref("Open", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/popup"))
    hands.click(hands.ref("Warn", "button"))
    hands.close_alert()
    hands.looking.switch_tab(desk.path)
    hands.click(hands.ref("Go on", "button"))


@situation(
    """<button onclick="window.open('popup')">Open</button> <button onclick="tell('on')">Go on</button>""",
    "closed", "on",
    files={"popup": "<script>alert('At once'); tell('closed')</script>"},
)  # fmt: skip
def popup_that_opens_with_an_alert(hands: Hands, desk: Desk) -> None:
    """Close the alert with which a popup begins, and go on in the first page."""
    hands.click(hands.ref("Open", "button"))
    try:
        hands.close_alert()
    except ToolFailed:
        hands.patiently(lambda: hands.switch_to_opened("/popup"))
        hands.patiently(hands.close_alert)
    hands.patiently(lambda: hands.looking.switch_tab(desk.path))
    hands.click(hands.ref("Go on", "button"))


STAY = """<input id="note" aria-label="Note"><a href="next">Leave</a><button onclick="tell(note.value)">Send</button>
<script>onbeforeunload = event => event.preventDefault()</script>"""
NEXT = {"next": "<script>tell('left')</script>"}


@situation(STAY, "x", files=NEXT)
def unsaved_text_kept(hands: Hands, desk: Desk) -> None:
    """Begin to leave a page with unsaved text, stay, and send the text."""
    view = hands.look()
    hands.type(view.ref("Note", "textbox"), "x")
    hands.click(view.ref("Leave", "link"))
    hands.answer(accept=False)
    hands.click(view.ref("Send", "button"))


@situation(STAY, "left", files=NEXT)
def unsaved_text_left(hands: Hands, desk: Desk) -> None:
    """Leave a page with unsaved text."""
    view = hands.look()
    hands.type(view.ref("Note", "textbox"), "x")
    hands.click(view.ref("Leave", "link"))
    if "beforeunload" in hands.heard:  # else the tool has left by itself
        hands.answer(accept=True)


@situation(
    """<button onclick="window.open('editor')">Edit</button> <button onclick="tell('on')">Go on</button>""",
    "closed", "on",
    files={"editor": STAY + "<script>onpagehide = () => tell('closed')</script>"},
)  # fmt: skip
def unsaved_text_closed(hands: Hands, desk: Desk) -> None:
    """Close a tab with unsaved text, and go on in the first."""
    hands.click(hands.ref("Edit", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/editor"))
    hands.type(hands.ref("Note", "textbox"), "x")
    if "beforeunload" in hands.close_tab("/editor"):
        with suppress(ToolFailed):  # which says no more than that it asked
            hands.answer(accept=True)
    hands.patiently(lambda: hands.looking.switch_tab(desk.path))
    hands.click(hands.ref("Go on", "button"))


@situation("<button onclick=\"setTimeout(() => tell(confirm('Late?')), 1500)\">Later</button>", "true")
def dialog_1500_ms_later(hands: Hands, desk: Desk) -> None:
    """The question comes 1.5 s after the click."""
    hands.click(hands.ref("Later", "button"))
    hands.patiently(lambda: hands.answer(accept=True))


@situation(
    '<iframe src="$other/inner" title="Inner"></iframe>',
    "true",
    files={"inner": "<button onclick=\"tell(confirm('From another site?'))\">Ask</button>"},
)
def dialog_of_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """A frame of another site asks."""
    hands.click(hands.ref("Ask", "button"))
    hands.answer(accept=True)


@situation("<button onclick=\"tell(confirm('Look?'))\">Ask</button>", "false")
def look_under_a_dialog(hands: Hands, desk: Desk) -> None:
    """Look at the page while a dialog is open: that ends in time, and the dialog is answered afterwards."""
    hands.click(hands.ref("Ask", "button"))
    with suppress(ToolFailed):
        hands.snapshot()
    hands.answer(accept=False)


@situation('<a href="next">Next</a>', "read", files={"next": "<script>alert('Welcome'); tell('read')</script>"})
def page_that_opens_with_an_alert(hands: Hands, desk: Desk) -> None:
    """Close the alert with which the next page begins."""
    hands.click(hands.ref("Next", "link"))
    hands.patiently(hands.close_alert)


@situation(
    """<input aria-label="Amount" oninput="if (value.length === 2) tell(confirm('So much?') + ' ' + value)">""",
    "true 12",
)
def dialog_in_the_middle_of_typing(hands: Hands, desk: Desk) -> None:
    """A field asks as soon as it holds two digits."""
    hands.type(hands.ref("Amount", "textbox"), "12")
    hands.answer(accept=True)


@situation(
    """<button onclick="tell('one')">One</button><button onclick="window.open('asks')">Ask</button>""",
    "false", "one",
    files={"asks": "<button onclick=\"tell(confirm('Here?'))\">Here</button>"},
)  # fmt: skip
def another_tab_under_a_dialog(hands: Hands, desk: Desk) -> None:
    """Leave a tab whose dialog is open, answer later."""
    view = hands.look()
    one = view.ref("One", "button")
    hands.click(view.ref("Ask", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/asks"))
    hands.click(hands.ref("Here", "button"))
    hands.answer(accept=False)
    hands.switch_tab(desk.path)
    hands.click(one)
