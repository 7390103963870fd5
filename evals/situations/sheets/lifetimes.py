"""Situations in which a tab, a page or the browser ends."""

from __future__ import annotations

from evals.situations.situation import situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands

PAGE = "<button onclick=\"tell('sent')\">Send</button>"
NEXT = {"next": "<button onclick=\"tell('next')\">Next</button>"}


@situation(PAGE)
def crashed_page(hands: Hands, desk: Desk) -> None:
    """Press a button of a page that has crashed: say so."""
    send = hands.ref("Send", "button")
    desk.browser.crash(desk.url)
    hands.must_fail(lambda: hands.click(send))


@situation(PAGE, "next", files=NEXT)
def page_after_a_crash(hands: Hands, desk: Desk) -> None:
    """Open another page in a tab that has crashed."""
    desk.browser.crash(desk.url)
    hands.patiently(lambda: hands.looking.navigate(desk.at("next")))
    hands.click(hands.ref("Next", "button"))


@situation(
    """<button onclick="window.open('ask', 'ask', 'width=300,height=200')">Choose</button>
    <button onclick="tell('on')">Go on</button>""",
    "blue", "on",
    files={"ask": "<button onclick=\"tell('blue'); close()\">Blue</button>"},
)  # fmt: skip
def popup_that_closes_itself(hands: Hands, desk: Desk) -> None:
    """Choose in a popup, which closes; go on in the first page."""
    hands.click(hands.ref("Choose", "button"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/ask"))
    hands.click(hands.ref("Blue", "button"))
    hands.looking.switch_tab(desk.path)
    hands.click(hands.ref("Go on", "button"))


@situation(PAGE, ends_browser=True)
def killed_browser(hands: Hands, desk: Desk) -> None:
    """The browser is killed: the next look says so, and shows no other page in its place."""
    desk.browser.kill()
    hands.must_not_read()


@situation(PAGE, ends_browser=True)
def click_in_a_killed_browser(hands: Hands, desk: Desk) -> None:
    """The browser is killed: a click says so."""
    send = hands.ref("Send", "button")
    desk.browser.kill()
    hands.must_fail(lambda: hands.click(send))
