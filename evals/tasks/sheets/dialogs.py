"""Tasks with JavaScript dialogs."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands, ToolFailed
from evals.tasks.task import task


@task("<button onclick=\"alert('Saved'); tell('after')\">Save</button>", "told.join() === 'after'")
def close_an_alert(hands: Hands, desk: Desk) -> None:
    """Save, and close the alert."""
    hands.click(hands.ref("Save", "button"))
    hands.answer(accept=True)


@task("<button onclick=\"tell(confirm('Delete all?'))\">Delete</button>", "told.join() === 'false'")
def say_no(hands: Hands, desk: Desk) -> None:
    """Do not delete after all."""
    hands.click(hands.ref("Delete", "button"))
    hands.answer(accept=False)


@task("<button onclick=\"tell(prompt('Name?', 'nobody'))\">Rename</button>", "told.join() === 'Ann'")
def answer_a_prompt(hands: Hands, desk: Desk) -> None:
    """Rename to Ann."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True, text="Ann")


@task("<button onclick=\"tell(prompt('Name?', 'draft 7'))\">Rename</button>", "told.join() === 'draft 7'")
def keep_the_default_of_a_prompt(hands: Hands, desk: Desk) -> None:
    """Accept the name that the prompt proposes."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True)


@task("<button onclick=\"tell(prompt('Name?', 'draft') === '')\">Rename</button>", "told.join() === 'true'")
def empty_a_prompt(hands: Hands, desk: Desk) -> None:
    """Answer a prompt with an empty text."""
    hands.click(hands.ref("Rename", "button"))
    hands.answer(accept=True, text="")


@task("<button onclick=\"alert('first'); alert('second'); tell('after')\">Go</button>", "told.join() === 'after'")
def close_a_second_alert(hands: Hands, desk: Desk) -> None:
    """Close two alerts: the second must be in the result of the first's answer."""
    hands.click(hands.ref("Go", "button"))
    hands.expect(hands.answer(accept=True), "second")
    hands.answer(accept=True)


@task(
    """<button onclick="if (confirm('Sure?')) { const name = prompt('Who?'); alert('Hello ' + name); tell(name) }">Go
    </button>""",
    "told.join() === 'Bea'",
)
def answer_three_dialogs(hands: Hands, desk: Desk) -> None:
    """A confirm, a prompt and an alert in a row."""
    hands.click(hands.ref("Go", "button"))
    hands.expect(hands.answer(accept=True), "Who?")
    hands.expect(hands.answer(accept=True, text="Bea"), "Hello Bea")
    hands.answer(accept=True)


@task("<button onclick=\"setTimeout(() => tell(confirm('Late?')), 300)\">Later</button>", "told.join() === 'true'")
def answer_a_dialog_that_comes_late(hands: Hands, desk: Desk) -> None:
    """The question comes 300 ms after the click."""
    hands.click(hands.ref("Later", "button"))
    hands.patiently(lambda: hands.answer(accept=True))


@task(
    '<a href="next">Next</a>',
    lambda desk: desk.told == ["read"],
    files={"next": "<script>alert('Welcome'); tell('read')</script>"},
)
def close_an_alert_of_the_next_page(hands: Hands, desk: Desk) -> None:
    """The next page greets with an alert before it is there."""
    hands.click(hands.ref("Next", "link"))
    hands.patiently(lambda: hands.answer(accept=True))


STAY = """<input aria-label="Note"><a href="next">Leave</a><script>onbeforeunload = event =>
event.preventDefault()</script>"""
NEXT = {"next": "<script>tell('left')</script>"}


@task(STAY, lambda desk: desk.told == ["left"], files=NEXT)
def leave_a_page_that_asks(hands: Hands, desk: Desk) -> None:
    """Type something, and leave in spite of what is not saved."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Note", "textbox"), "x")
        hands.click(view.ref("Leave", "link"))
    hands.answer(accept=True)


@task(STAY, "document.querySelector('input').value === 'xy'", files=NEXT)
def stay_on_a_page_that_asks(hands: Hands, desk: Desk) -> None:
    """Begin to leave, stay, and type on."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Note", "textbox"), "x")
        hands.click(view.ref("Leave", "link"))
    hands.answer(accept=False)
    hands.type(view.ref("Note", "textbox"), "xy")


@task(
    """<iframe src="$other/inner" title="Inner"></iframe>""",
    lambda desk: desk.told == ["true"],
    files={"inner": "<button onclick=\"tell(confirm('From another site?'))\">Ask</button>"},
)
def answer_a_dialog_of_a_foreign_frame(hands: Hands, desk: Desk) -> None:
    """A frame of another site asks."""
    hands.click(hands.ref("Ask", "button"))
    hands.answer(accept=True)


@task(
    """<button onclick="window.open('popup', 'p', 'width=300,height=200')">Open</button>""",
    lambda desk: desk.told == ["answered"],
    files={"popup": "<button onclick=\"alert('In the popup'); tell('answered')\">Warn</button>"},
)
def close_an_alert_in_a_popup(hands: Hands, desk: Desk) -> None:
    """Open a popup, press its button, and close its alert."""
    hands.click(hands.ref("Open", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/popup"))
    hands.click(hands.ref("Warn", "button"))
    hands.answer(accept=True)


@task(
    """<button onclick="window.open('popup')">Open</button>""",
    lambda desk: desk.told == ["closed"],
    files={"popup": "<script>alert('At once'); tell('closed')</script>"},
)
def close_an_alert_with_which_a_popup_begins(hands: Hands, desk: Desk) -> None:
    """A popup that greets with an alert."""
    hands.click(hands.ref("Open", "button"))
    try:
        hands.answer(accept=True)
    except ToolFailed:
        hands.patiently(lambda: hands.switch_to_opened("/popup"))
        hands.patiently(lambda: hands.answer(accept=True))


@task(
    """<p id="now">Quiet</p><script>setTimeout(() => { alert('Session ends'); now.innerHTML =
    '<button onclick="tell(`stayed`)">Stay signed in</button>' }, 500)</script>""",
    "told.join() === 'stayed'",
)
def close_an_alert_that_nobody_asked_for(hands: Hands, desk: Desk) -> None:
    """An alert comes up by itself; close it and go on."""
    hands.patiently(lambda: hands.looking.answer(accept=True))
    hands.click(hands.ref("Stay signed in", "button"))
