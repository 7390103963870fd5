"""Tasks that answer, stop, hold and change the requests of a page."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import Mock, ToolsetHands
from evals.tasks.toolsets.task import toolset_task
from tests.support.servers.sites import Request, Response

LOAD = """<button onclick="load()">Load</button><script>
async function load() {
  const started = performance.now();
  try {
    const response = await fetch('price', {OPTIONS});
    const text = response.ok ? await response.text() : `status ${response.status}`;
    tell(text); window.took_ms = performance.now() - started;
  } catch { tell('no connection') }
}</script>"""
PRICE = {"price": Response("12", headers={"Content-Type": "text/plain"})}


def loading(options: str = "{}") -> str:
    """Return a page that fetches a price with these options."""
    return LOAD.replace("{OPTIONS}", options)


def load(hands: ToolsetHands) -> None:
    """Let the page fetch the price."""
    hands.click(hands.ref("Load", "button"))


def told(desk: Desk, *texts: str) -> bool:
    """Whether the page told this, in this order, in which beacons need not come to the server."""
    return desk.browser.is_true(desk.url, f"told.join() === '{','.join(texts)}'")


def asked(desk: Desk) -> list[Request]:
    """Return the requests for the price that came to the server."""
    return [request for request in desk.requests if request.path.endswith("/price")]


@toolset_task(loading(), lambda desk: desk.told == ["7"] and not asked(desk), files=PRICE)
def answer_in_place_of_the_server(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page get the price 7, which the server never sent, and load it."""
    hands.mock("price", Mock(body="7"))
    load(hands)


@toolset_task(loading(), lambda desk: desk.told == ["status 503"] and not asked(desk), files=PRICE)
def answer_with_an_error(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page get the status 503, and load the price."""
    hands.mock("price", Mock(status=503))
    load(hands)


@toolset_task(loading(), lambda desk: desk.told == ["no connection"] and not asked(desk), files=PRICE)
def let_a_request_fail(hands: ToolsetHands, desk: Desk) -> None:
    """Let the request for the price fail as with a broken network, and load it."""
    hands.abort("price")
    load(hands)


@toolset_task(loading(), "told.join() === '12' && took_ms >= 600", files=PRICE)
def hold_a_request(hands: ToolsetHands, desk: Desk) -> None:
    """Hold the request for the price for 0.7 s, and load it."""
    hands.delay("price", 0.7)
    load(hands)


@toolset_task(
    loading(), lambda desk: desk.told == ["12"] and asked(desk)[0].headers.get("x-beta") == "yes", files=PRICE
)
def add_a_header_to_a_request(hands: ToolsetHands, desk: Desk) -> None:
    """Send the header X-Beta: yes with the request for the price, and load it."""
    hands.change("price", header=("X-Beta", "yes"))
    load(hands)


@toolset_task(
    loading("{headers: {'X-Trace': '1'}}"),
    lambda desk: desk.told == ["12"] and "x-trace" not in asked(desk)[0].headers,
    files=PRICE,
)
def remove_a_header_of_a_request(hands: ToolsetHands, desk: Desk) -> None:
    """Remove the header X-Trace, which the page sends with the request for the price, and load it."""
    hands.change("price", without="X-Trace")
    load(hands)


@toolset_task(
    loading("{method: 'POST', body: 'currency=EUR'}"),
    lambda desk: desk.told == ["12"] and asked(desk)[0].body == b"currency=CHF",
    files=PRICE,
)
def change_the_body_of_a_request(hands: ToolsetHands, desk: Desk) -> None:
    """Send currency=CHF in place of what the page sends, and load the price."""
    hands.change("price", body="currency=CHF")
    load(hands)


@toolset_task(loading(), lambda desk: told(desk, "7", "12") and len(asked(desk)) == 1, files=PRICE)
def answer_only_the_first_request(hands: ToolsetHands, desk: Desk) -> None:
    """Answer the first request with 7 and leave the second one to the server."""
    hands.mock("price", Mock(body="7", times=1))
    load(hands)
    load(hands)


@toolset_task(
    loading() + "<button onclick=\"fetch('price', {method: 'POST'}).then(r => r.text()).then(tell)\">Save</button>",
    lambda desk: told(desk, "12", "saved") and [request.method for request in asked(desk)] == ["GET"],
    files=PRICE,
)
def answer_only_one_method(hands: ToolsetHands, desk: Desk) -> None:
    """Answer what is posted with saved and leave other requests to the server; load, then save."""
    hands.mock("price", Mock(body="saved", method="POST"))
    load(hands)
    hands.click(hands.ref("Save", "button"))


@toolset_task(loading(), lambda desk: told(desk, "7", "12") and len(asked(desk)) == 1, files=PRICE)
def take_an_answer_away(hands: ToolsetHands, desk: Desk) -> None:
    """Answer with 7, load, leave the requests to the server again, and load."""
    hands.mock("price", Mock(body="7"))
    load(hands)
    hands.unroute()
    load(hands)


@toolset_task(
    "<p>First</p>",
    lambda desk: desk.told == ["patched"],
    files={
        "page": '<script src="app.js"></script>',
        "app.js": Response("tell('original')", headers={"Content-Type": "text/javascript"}),
    },
)
def replace_a_script_of_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Replace app.js by one that tells patched, and open the page."""
    hands.mock("app.js", Mock(body="tell('patched')", content_type="text/javascript"))
    hands.navigate(desk.at("page"))


@toolset_task(
    '<iframe title="Shop" src="$other/shop"></iframe>',
    lambda desk: desk.told == ["7"] and not asked(desk),
    files={"shop": loading(), **PRICE},
)
def answer_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Let a frame of another site get the price 7, and load it there."""
    hands.mock("price", Mock(body="7"))
    hands.click(hands.wait_ref("Load", "button"))
