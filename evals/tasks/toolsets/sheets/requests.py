"""Tasks that look at the requests of a page."""

from __future__ import annotations

import re

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer
from tests.support.servers.sites import Request, Response

JSON = {"Content-Type": "application/json"}


def page(script: str) -> str:
    """Return a page that awaits a list of requests and their bodies, and then says Ready."""
    done = "Promise.all(responses.map(each => each.text())).then(() => { state.textContent = 'Ready' })"
    return f"{ANSWER}<p id='state'>Not yet</p><script>Promise.all({script}).then(responses => {done})</script>"


def open_page(hands: ToolsetHands, desk: Desk) -> None:
    """Keep requests, open the page `page` and wait for its requests."""
    hands.keep_requests()
    hands.navigate(desk.at("page"))
    hands.wait_text("Ready")


@toolset_task(
    "<p>First</p>",
    answered("part-3"),
    files={
        "page": page("[1, 2, 3, 4].map(number => fetch(`part-${number}`))"),
        "part-1": Response("1"), "part-2": Response("2"), "part-3": Response("broken", 500), "part-4": Response("4"),
    },
)  # fmt: skip
def find_the_request_that_failed(hands: ToolsetHands, desk: Desk) -> None:
    """Type which of the parts of the page the server answered with the status 500."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.requests("part-"), r"(part-\d)[^\n]*\b500\b"))


@toolset_task(
    "<p>First</p>",
    answered("v-1190"),
    files={
        "page": page("[fetch('stock')]"),
        "stock": Response('{"left": 4, "shelf": "v-1190"}', headers=JSON),
    },
)
def read_a_response_that_the_page_hides(hands: ToolsetHands, desk: Desk) -> None:
    """Type the shelf in the JSON that the page gets from its server and does not show."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.request("/stock"), r"(v-\d+)"))


@toolset_task(
    "<p>First</p>",
    answered("v-7702"),
    files={
        "page": page("[fetch('track', {method: 'POST', body: JSON.stringify({event: 'opened', at: 'v-7702'})})]"),
        "track": Response("{}", headers=JSON),
    },
)
def read_what_the_page_sent(hands: ToolsetHands, desk: Desk) -> None:
    """Type the place (at) that the page reports to its server."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.request("/track"), r"(v-\d+)"))


@toolset_task(
    "<p>First</p>",
    answered("4242"),
    files={"page": page("[fetch('busy')]"), "busy": Response("", 429, {"Retry-After": "4242"})},
)
def read_a_response_header(hands: ToolsetHands, desk: Desk) -> None:
    """Type after how many seconds the server wants to be asked again."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.request("/busy"), r"(?i)retry-after\W+(\d+)"))


@toolset_task(
    "<p>First</p>",
    answered("v-9061"),
    files={"page": page("[fetch('doc', {headers: {'If-Match': 'v-9061'}})]"), "doc": Response("{}")},
)
def read_a_request_header(hands: ToolsetHands, desk: Desk) -> None:
    """Type the version that the page asks for with the header If-Match."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.request("/doc"), r"(v-\d+)"))


@toolset_task(
    "<p>First</p>",
    answered("5"),
    files={
        "page": page("[1, 2, 3, 4, 5].map(number => fetch(`row?number=${number}`))"),
        "row": Response("{}", headers=JSON),
    },
)
def count_the_calls_of_an_api(hands: ToolsetHands, desk: Desk) -> None:
    """Type how often the page calls row."""
    open_page(hands, desk)
    type_answer(hands, str(len(re.findall(r"/row\?number=\d", hands.requests("/row")))))


@toolset_task(
    "<p>First</p>",
    answered("v-2008"),
    files={
        "page": ANSWER + '<p>Ready</p><iframe src="$other/inner"></iframe>',
        "inner": "<script>fetch('offer').then(response => response.text())</script>",
        "offer": Response('{"offer": "v-2008"}', headers=JSON),
    },
)
def read_a_response_in_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Type the offer that a frame of another site gets from its server."""
    open_page(hands, desk)
    type_answer(hands, found_in(hands.patiently(lambda: hands.request("/offer")), r"(v-\d+)"))


def changing(request: Request, desk: Desk) -> str:
    """Return a page that is another one at each visit."""
    return f"<p>Visit {len([each for each in desk.requests if each.path == request.path])}</p>"


def is_first_visit_shown(desk: Desk) -> bool:
    """Whether the page shows its first visit, and the server knows of no other."""
    visits = [request for request in desk.requests if request.path.endswith("/page")]
    return len(visits) == 1 and desk.browser.is_true(desk.at("page"), "document.body.innerText.includes('Visit 1')")


@toolset_task("<p>First</p>", is_first_visit_shown, files={"page": changing})
def visit_a_page_again_from_a_har_file(hands: ToolsetHands, desk: Desk) -> None:
    """Visit a page, save it as a HAR file, and visit it again from the file, without its server."""
    hands.begin_har("visit")
    hands.navigate(desk.at("page"))
    hands.wait_text("Visit 1")
    hands.save_har("visit")
    hands.navigate("about:blank")
    hands.replay_har("visit")
    hands.navigate(desk.at("page"))
