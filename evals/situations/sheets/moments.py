"""Situations that are a matter of time: pages that load, work or change while somebody acts."""

from __future__ import annotations

import time
from collections.abc import Iterator

from evals.situations.situation import at_once, situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from tests.support.servers.sites import Request, Response


def endless(request: Request, desk: Desk) -> Response:
    """A page with a button that never ends."""

    def pieces() -> Iterator[bytes]:
        yield f"""<!doctype html><title>Endless</title><button
        onclick="navigator.sendBeacon('/told?task={desk.path.strip("/")}', 'clicked')">Go on</button>""".encode()
        while desk.is_open:
            yield b"<!-- -->" * 200
            time.sleep(0.1)  # the page that drips

    return Response(pieces())


@situation("<p>Start</p>", "clicked", files={"endless": endless})
def page_that_never_ends(hands: Hands, desk: Desk) -> None:
    """Open a page that loads for ever, and press its button."""
    hands.looking.navigate(desk.at("endless"))
    hands.click(hands.ref("Go on", "button"))


@situation(
    """<button onclick="const end = Date.now() + 3000; while (Date.now() < end); tell('worked')">Work</button>
    <button onclick="tell('then')">Then</button>""",
    "worked", "then",
)  # fmt: skip
def busy_page(hands: Hands, desk: Desk) -> None:
    """Press a button while the page works for three seconds."""
    view = hands.look()
    work, then = view.ref("Work", "button"), view.ref("Then", "button")
    hands.click(work)
    hands.click(then)


@situation(
    """<button onclick="tell('stuck'); setTimeout(() => { while (true); }, 50)">Work</button>""",
    "stuck",
    ends_browser=True,
)
def page_that_is_busy_for_ever(hands: Hands, desk: Desk) -> None:
    """A click makes a page busy for ever: the click ends in time, and a look says that the page does not answer."""
    hands.click(hands.ref("Work", "button"))
    hands.must_not_read()


@situation(
    """<button onclick="tell('a')">Alpha</button><button onclick="tell('b')">Beta</button>""",
    "a", "b",
)  # fmt: skip
def two_commands_at_once(hands: Hands, desk: Desk) -> None:
    """Two clicks at the same time."""
    view = hands.look()
    alpha, beta = view.ref("Alpha", "button"), view.ref("Beta", "button")
    at_once(lambda: hands.click(alpha), lambda: hands.click(beta))


@situation("<p>Start</p>")
def address_that_nobody_serves(hands: Hands, desk: Desk) -> None:
    """Open an address where no server listens: say so."""
    hands.must_fail(lambda: hands.navigate("http://127.0.0.1:9/"))


@situation("<p>Start</p>", "still here", files={"": "<button onclick=\"tell('still here')\">Stay</button>",
                                                "none": Response(status=204)})  # fmt: skip
def address_without_a_page(hands: Hands, desk: Desk) -> None:
    """Open an address that answers 204: say so, and the page stays."""
    stay = hands.ref("Stay", "button")
    hands.must_fail(lambda: hands.navigate(desk.at("none")))
    hands.click(stay)


@situation(
    '<a href="second">On</a>',
    "second",
    files={"second": "<script>addEventListener('load', () => setTimeout(() => document.body.innerHTML = "
                     "'<button onclick=\"tell(`second`)\">Second</button>', 700))</script>"},
)  # fmt: skip
def page_that_draws_itself_later(hands: Hands, desk: Desk) -> None:
    """The next page draws its button 700 ms after it has loaded."""
    hands.click(hands.ref("On", "link"))
    hands.click(hands.wait_ref("Second", "button"))


@situation(
    """<button onclick="setTimeout(() => show.innerHTML = '<button onclick=tell(`late`)>Late</button>', 900)">Load
    </button><p id="show"></p>""",
    "late",
)
def answer_that_comes_late(hands: Hands, desk: Desk) -> None:
    """What a click loads comes 900 ms later."""
    hands.click(hands.ref("Load", "button"))
    hands.click(hands.wait_ref("Late", "button"))


@situation(
    """<button onclick="this.disabled = true; setTimeout(() => { this.disabled = false }, 600); tell('pressed')">
    Pay</button>""",
    "pressed",
)
def button_pressed_once(hands: Hands, desk: Desk) -> None:
    """Press once a button that disables itself: the server hears of it once."""
    hands.click(hands.ref("Pay", "button"))


@situation(
    '<a href="other" target="_blank">Elsewhere</a>',
    "elsewhere",
    files={"other": "<button onclick=\"tell('elsewhere')\">There</button>"},
)
def link_into_a_new_tab(hands: Hands, desk: Desk) -> None:
    """Press a button in the tab that a link opens."""
    hands.click(hands.ref("Elsewhere", "link"))
    hands.patiently(lambda: hands.looking.switch_to_opened("/other"))
    hands.click(hands.ref("There", "button"))
