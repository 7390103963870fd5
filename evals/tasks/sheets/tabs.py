"""Tasks with several tabs and windows."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task


@task(
    '<a href="code" target="_blank">Show the code</a> <label>Code <input id="code"></label>',
    "code.value === '552-31'",
    files={"code": "<p>Your code is 552-31.</p>"},
)
def copy_a_code_from_a_new_tab(hands: Hands, desk: Desk) -> None:
    """Read the code in the tab that a link opens, and type it in the first."""
    view = hands.look()
    hands.click(view.ref("Show the code", "link"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/code"))
    code = hands.look().match(r"(\d{3}-\d\d)")
    with hands.together():
        hands.switch_tab(desk.path)
        hands.type(view.ref("Code", "textbox"), code)


@task(
    """<button onclick="window.open('ask', 'ask', 'width=300,height=200')">Choose</button><p id="chosen">nothing</p>
    <button id="go" disabled onclick="tell('with ' + chosen.textContent)">Continue</button>
    <script>onmessage = event => { chosen.textContent = event.data; go.disabled = false }</script>""",
    "told.join() === 'with blue'",
    files={"ask": "<button onclick=\"opener.postMessage('blue', '*'); close()\">Blue</button>"},
)
def choose_in_a_popup_that_closes_itself(hands: Hands, desk: Desk) -> None:
    """Choose blue in a popup, which closes; go on in the page."""
    view = hands.look()
    hands.click(view.ref("Choose", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/ask"))
    hands.click(hands.ref("Blue", "button"))
    hands.switch_tab(desk.path)
    hands.patiently(lambda: hands.click(view.ref("Continue", "button")))


@task(
    "<p>First page</p>",
    lambda desk: desk.told == ["second"],
    files={"two": "<button onclick=\"tell('second')\">Two</button>"},
    looks_first=False,
)
def work_in_a_tab_of_ones_own(hands: Hands, desk: Desk) -> None:
    """Open a second tab and press its button at once."""
    hands.looking.open_tab(desk.at("two"))
    hands.click(hands.ref("Two", "button"))


@task(
    "<button onclick=\"tell('first')\">One</button>",
    lambda desk: (
        desk.told == ["first"] and sum(info["url"].startswith(desk.url) for info in desk.browser.targets()) == 1
    ),
    files={"two": "<p>Two</p>"},
    looks_first=False,
)
def close_a_tab_and_go_on_in_the_first(hands: Hands, desk: Desk) -> None:
    """Open a second tab, close it, and go on in the first."""
    hands.open_tab(desk.at("two"))
    with hands.together():
        hands.close_tab("/two")
        hands.looking.switch_tab(desk.path)
    hands.click(hands.ref("One", "button"))


@task(
    '<a href="one" target="_blank">Open one</a> <a href="two" target="_blank">Open two</a>',
    lambda desk: sorted(desk.told) == ["one", "two"],
    files={name: f"<button onclick=\"tell('{name}')\">Press {name}</button>" for name in ("one", "two")},
)
def work_in_two_tabs_by_turns(hands: Hands, desk: Desk) -> None:
    """Open two links in new tabs, and press the button of each."""
    view = hands.look()
    hands.click(view.ref("Open one", "link"))
    with hands.together():
        hands.switch_tab(desk.path)
        hands.click(view.ref("Open two", "link"))
    for name in ("one", "two"):
        press_in_tab(hands, name)


def press_in_tab(hands: Hands, name: str) -> None:
    hands.patiently(lambda: hands.looking.switch_tab(f"/{name}"))
    hands.click(hands.ref(f"Press {name}", "button"))


@task(
    """<form action="$own/result" target="_blank"><input name="q" aria-label="Question"><button>Ask</button></form>""",
    lambda desk: desk.told == ["asked"],
    files={"result": "<button onclick=\"tell('asked')\">Answer</button>"},
)
def send_a_form_into_a_new_tab(hands: Hands, desk: Desk) -> None:
    """The answer of a form comes in a new tab."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Question", "textbox"), "why")
        hands.click(view.ref("Ask", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/result"))
    hands.click(hands.ref("Answer", "button"))
