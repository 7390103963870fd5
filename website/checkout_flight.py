"""A flight on which much happens: an agent buys something, with two tabs, frames of another site, dialogs and failures.

`record` flies it on a local Chromium. The report of its recording is a picture of the documentation, and tests
look at it.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from cdp_typed.launch import NoSandboxWarning, launch
from supervisor import CDPSupervisor
from supervisor.registry import SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.servers.cutting import CuttingProxy

REPORT_SIZES = ((1440, 900), (1180, 720), (390, 844))
"""The windows in which its report is shown: a screen, a notebook, a phone."""
PATIENCE_S = 20.0

_LOOK = """<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href=data:,><title>{title}</title><style>
body {{ font: 16px system-ui, sans-serif; margin: 0; color: #1d2433; background: {ground} }}
header {{ background: #23395d; color: #fff; padding: 18px 32px; font-size: 22px }} main {{ padding: 20px 32px }}
li {{ margin: 10px 0 }} iframe {{ border: 1px solid #b9c2d0; border-radius: 8px; background: #fff; margin-right: 12px }}
button, input {{ font: inherit; padding: 8px 14px; margin: 4px 6px 4px 0 }}</style>
<header>{title}</header><main>{main}</main>"""

_SHOP = """<ul><li>Tea, 250 g <button onclick="add('tea')">Add tea</button><li>Teapot, 1.2 l
<button onclick="add('teapot')">Add teapot</button><li>Two cups <button onclick="add('cups')">Add cups</button></ul>
<p>In the cart: <b id=cart>nothing</b></p><button onclick="if (confirm('Remove everything from the cart?')) add(null)">
Empty the cart</button><button onclick="apply()">Use a voucher</button>
<button onclick="window.open('/terms')">Terms</button>
<button onclick="sort()">Sort by price</button><button onclick="location = '/checkout'">Check out</button>
<p><label>Search <input name=search></label><p id=said></p><script>
const cart = [], say = text => document.getElementById('said').textContent = text
function add(what) {{ what ? cart.push(what) : cart.length = 0; fetch('/cart?' + cart).then(() => {{
  document.getElementById('cart').textContent = cart.join(', ') || 'nothing' }}) }}
function apply() {{ const code = prompt('Voucher code:', 'SPRING'); fetch('/voucher?code=' + code).then(answer => {{
  if (!answer.ok) console.error('voucher refused: ' + answer.status); say('That voucher does not exist.') }}) }}
function sort() {{ setTimeout(() => {{ const end = Date.now() + 4500; while (Date.now() < end)
 ; say('Sorted.') }}, 50) }}
console.log('the shop is ready')</script><iframe name=reviews width=340 height=120 src="{other}/reviews"></iframe>
<iframe name=help width=340 height=120 src="/help"></iframe>"""

_CHECKOUT = """<p><label>Name <input name=name></label>
<label>Street <input name=street></label>
<label><input type=checkbox name=gift> It is a present</label></p>
<button onclick="pay()">Pay now</button><p id=said></p>
<iframe name=payment width=420 height=150 src="{other}/payment"></iframe><script>
onbeforeunload = event => event.preventDefault()
function pay() {{ alert('The payment service is slow today.');
  console.warn('payment took 4 s'); fetch('/pay').then(() => {{
  onbeforeunload = null; location = '/thanks' }}) }}</script>"""

_INNER = "<!doctype html><meta charset=utf-8><style>body {{ font: 15px system-ui }}</style>{}"


def _documents(other: str) -> dict[str, str]:
    """Path -> HTML."""

    def page(title: str, main: str, ground: str = "#f7f9fc") -> str:
        return _LOOK.format(title=title, main=main.format(other=other), ground=ground)

    return {
        "/": page("Tea and more", _SHOP),
        "/checkout": page("Check out", _CHECKOUT, "#fdf9f0"),
        "/terms": page("Terms of trade", "<p>Goods may be returned within 30 days.</p>", "#f3f7f1"),
        "/thanks": page("Thank you", "<p>Order 4711 is on its way.</p>", "#eef8f0"),
        "/reviews": _INNER.format("<p>★★★★★ “The best teapot.”<p><button>Write a review</button>"),
        "/help": _INNER.format("<p>Questions? <a href=/terms>Read the terms</a></p>"),
        "/payment": _INNER.format("<p>Pay by invoice</p><label>Voucher card <input name=card></label>"),
        "/cart": "{}",
        "/pay": "{}",
    }


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        document = self.server.documents.get(urlsplit(self.path).path)
        body = (document or "not found").encode()
        self.send_response(200 if document else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The report shows the requests."""


class _Server(ThreadingHTTPServer):
    documents: dict[str, str]


@contextlib.contextmanager
def _shop() -> Generator[str]:
    """Serve the shop on `localhost` and, as another site, on `127.0.0.1`; yields its URL."""
    server = _Server(("127.0.0.1", 0), _Handler)
    port = server.server_address[1]
    server.documents = _documents(f"http://127.0.0.1:{port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def record(path: Path) -> None:
    """Fly, and record it to this file."""
    with _shop() as shop:
        _fly(path, shop)


def _fly(path: Path, shop: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        starting = launch(isolate_sites=True)
    with starting as chromium, CuttingProxy(urlsplit(chromium.ws_url).port or 0) as proxy:
        registry = SupervisorRegistry()
        supervisor = registry.get_or_start(
            "checkout",
            proxy.url(chromium.ws_url),
            record_to=str(path),
            record_screenshots=True,
            scope="own",
            watch_requests=True,
            call_timeout_s=3.0,
        )
        try:
            with Toolbox(supervisor.config, registry=registry, toolsets="browser") as toolbox:
                _Agent(toolbox, supervisor, proxy).fly(shop)
        finally:
            registry.stop("checkout")


class _Agent:
    """The agent's steps, its mistakes included."""

    def __init__(self, toolbox: Toolbox, supervisor: CDPSupervisor, proxy: CuttingProxy) -> None:
        self._toolbox, self._supervisor, self._proxy = toolbox, supervisor, proxy

    def _do(self, name: str, **arguments: object) -> None:
        self._toolbox.dispatch(f"browser_{name}", arguments, "checkout")

    def _click(self, *names: str) -> None:
        for name in names:
            self._do("click", ref=f'button "{name}"')

    def fly(self, shop: str) -> None:
        """Everything, in order: 40 calls of tools."""
        self._buy(shop)
        self._wait_for_a_busy_page()
        self._read_the_terms()
        self._lose_the_page_and_the_connection(shop)
        self._pay()

    def _buy(self, shop: str) -> None:
        self._do("navigate", url=shop)
        self._do("snapshot")
        self._click("Add tea", "Add teapot", "Add cups", "Empty the cart")
        self._do("click", ref='button "Add tea"')
        self._do("dialog", action="dismiss")
        self._do("type", ref="css=input[name=search]", text="green tea")
        self._do("press", key="Escape")
        self._click("Use a voucher")
        self._do("dialog", action="accept", prompt_text="WINTER")
        self._do("wait", until="text:does not exist")
        self._do("console")
        self._do("click", ref='button "Write a review"')

    def _wait_for_a_busy_page(self) -> None:
        self._click("Sort by price")
        self._do("snapshot")
        self._click("Add cups")
        self._do("snapshot", interactive_only=True)
        self._do("wait", until="text:Sorted", timeout=10)
        self._click("Write the letter")

    def _read_the_terms(self) -> None:
        self._click("Terms")
        self._do("tabs")
        pages = self._supervisor.snapshot().pages
        self._do("tabs", action="select", target_id=pages[-1].target_id)
        self._do("snapshot")
        self._do("scroll")
        self._do("tabs", action="close", target_id=pages[-1].target_id)

    def _lose_the_page_and_the_connection(self, shop: str) -> None:
        self._proxy.cut()
        self._supervisor.wait_for(lambda now: now.epoch == 2 and now.state == "ready", timeout_s=PATIENCE_S)
        self._do("snapshot")
        self._do("navigate", url="chrome://crash")
        self._do("snapshot")
        self._click("Check out")
        self._do("navigate", url=shop)
        self._do("snapshot", interactive_only=True)

    def _pay(self) -> None:
        self._click("Add teapot", "Check out")
        self._do("snapshot")
        self._do("type", ref="css=input[name=name]", text="Ann Example")
        self._do("type", ref="css=input[name=street]", text="Elm Street 1")
        self._do("click", ref="css=input[name=gift]")
        self._do("back")
        self._do("dialog", action="dismiss")
        self._click("Pay now")
        self._do("dialog", action="accept")
        self._do("wait", until="url:thanks")
        self._do("snapshot")
