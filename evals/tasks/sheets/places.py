"""Tasks of going from page to page."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task
from tests.support.servers.sites import Request, Response


@task(
    '<a href="second">Second</a><button onclick="tell(1)">Here</button>',
    "told.join() === '1'",
    files={"second": "<p>Second page</p>"},
)
def go_back(hands: Hands, desk: Desk) -> None:
    """Follow a link, go back, and press a button there."""
    with hands.together():
        hands.click(hands.ref("Second", "link"))
        hands.wait_text("Second page")
        hands.looking.back()
    hands.click(hands.ref("Here", "button"))


@task(
    """<a href="offer-a">Details</a> <a href="offer-b">Details</a>""",
    lambda desk: desk.told == ["b"],
    files={"offer-a": "<script>tell('a')</script>", "offer-b": "<script>tell('b')</script>"},
)
def choose_a_link_by_its_address(hands: Hands, desk: Desk) -> None:
    """Of two links with the same words, follow the one to offer-b, which only its address tells."""
    view = hands.look()
    view.match("(offer-b)")
    hands.click(view.ref("Details", "link", nth=1))


@task(
    """<nav><a href="#one">One</a> <a href="#two">Two</a></nav><main id="main">start</main><script>
    document.querySelector('nav').onclick = event => { event.preventDefault();
      const name = event.target.textContent; history.pushState({}, '', name.toLowerCase());
      setTimeout(() => { main.innerHTML = `<h1>${name}</h1><button onclick="tell('${name}')">Use</button>` }, 100) };
    </script>""",
    "told.join() === 'Two' && location.pathname.endsWith('/two')",
)
def use_a_page_of_one_document(hands: Hands, desk: Desk) -> None:
    """Go to "Two" in an application that changes its address by itself."""
    hands.looking.click(hands.ref("Two", "link"))
    hands.click(hands.wait_ref("Use", "button"))


@task(
    """<button onclick="setTimeout(() => location = 'first', 200)">Check out</button>""",
    lambda desk: desk.told == ["end"],
    files={
        "first": '<meta http-equiv="refresh" content="0; url=second"><p>One moment</p>',
        "second": "<script>location.replace('third')</script>",
        "third": "<button onclick=\"tell('end')\">Finish</button>",
    },
)
def arrive_after_redirects(hands: Hands, desk: Desk) -> None:
    """A click leads over three pages, each by itself."""
    hands.looking.click(hands.ref("Check out", "button"))
    hands.click(hands.wait_ref("Finish", "button"))


def inside(request: Request, desk: Desk) -> str | Response:
    if request.authorization != "Basic " + b64encode(b"ann:secret").decode():
        return Response("<p>Who are you?", 401, {"WWW-Authenticate": 'Basic realm="inside"'})
    return "<button onclick=\"tell('inside')\">Enter</button>"


@task("<p>Outside</p>", lambda desk: desk.told == ["inside"], files={"inside": inside}, looks_first=False)
def log_in_by_http(hands: Hands, desk: Desk) -> None:
    """Open a page that wants a name and a password, with both in its address."""
    hands.looking.navigate(desk.at("inside").replace("://", "://ann:secret@"))
    hands.click(hands.ref("Enter", "button"))


def drip(request: Request, desk: Desk) -> Response:
    def pieces() -> Iterator[bytes]:
        end = time.monotonic() + 60
        while time.monotonic() < end and desk.is_open:
            yield b" "
            time.sleep(0.1)  # the picture that drips

    return Response(pieces(), headers={"Content-Type": "image/png"})


@task(
    '<a href="endless">On</a>',
    lambda desk: desk.told == ["in time"],
    files={
        "endless": "<button onclick=\"tell('in time')\">Go on</button><img src='drip' alt=''>",
        "drip": drip,
    },
    looks_first=False,
)
def use_a_page_that_never_ends_to_load(hands: Hands, desk: Desk) -> None:
    """Go to a page whose image never arrives, and press a button there, within fifteen seconds."""
    started = time.monotonic()
    hands.looking.navigate(desk.at("endless"))
    hands.click(hands.ref("Go on", "button"))
    if time.monotonic() - started > 15:
        raise TimeoutError("it took longer than 15 s")


def slow(request: Request, desk: Desk) -> str:
    time.sleep(1.2)  # the page that is slow
    return "<button onclick=\"tell('slow')\">Slow</button>"


@task('<a href="slow">To the slow page</a>', lambda desk: desk.told == ["slow"], files={"slow": slow})
def follow_a_link_to_a_slow_page(hands: Hands, desk: Desk) -> None:
    """The next page takes more than a second to answer."""
    hands.looking.click(hands.ref("To the slow page", "link"))
    hands.click(hands.wait_ref("Slow", "button"))


@task(
    "<p>Before</p>",
    lambda desk: desk.told == ["again"],
    files={"fresh": "<button onclick=\"tell('again')\">Again</button>"},
    looks_first=False,
)
def go_on_after_a_crash(hands: Hands, desk: Desk) -> None:
    """The page crashes; go to another and press its button."""
    desk.browser.crash(desk.url)
    hands.patiently(lambda: hands.looking.navigate(desk.at("fresh")))
    hands.click(hands.ref("Again", "button"))


@task("<button onclick=\"tell('here')\">Here</button>", "told.join() === 'here'", looks_first=False)
def be_told_that_a_server_does_not_answer(hands: Hands, desk: Desk) -> None:
    """An address that leads nowhere is told; going back, everything works."""
    hands.must_fail(lambda: hands.navigate("http://127.0.0.1:9/"))
    hands.patiently(lambda: hands.looking.navigate(desk.url))
    hands.click(hands.ref("Here", "button"))


@task(
    "<p>" + "Lorem ipsum dolor sit amet. " * 400 + "</p><p>The word of the day is quince.</p>"
    "<p>" + "Lorem ipsum dolor sit amet. " * 400 + '</p><input id="word" aria-label="Word">',
    "word.value === 'quince'",
    looks_first=False,
)
def find_a_word_in_a_long_text(hands: Hands, desk: Desk) -> None:
    """Type the word of the day, which stands in the middle of a long text."""
    word = hands.seek("word of the day", r"word of the day is (\w+)")
    hands.type(hands.ref("Word", "textbox"), word)
