"""The pages that the recipes of docs/recipes.md open, and a proxy."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.cookies import SimpleCookie

from websockets.sync.server import serve

from tests.support.servers.sites import Page, Request, Response, iframe

_HEAD = "<!doctype html><link rel=icon href=data:,>"

_SHOP = """<title>Shop</title><p id=price></p><script>
function never() {}
function show(price) {
  const element = document.querySelector('#price');
  element.textContent = price;
  element.dataset.ready = '';
}
setTimeout(() => fetch('/api/price').then(response => response.json()).then(({price}) => show(price)), 20);
</script>"""

_NOISY = """<script>
console.log('hello');
console.warn('careful');
throw new TypeError('no such thing');
</script>"""

_FORM = """<form action=/><label>Name <input id=name name=name></label><input type=file>
<select id=colour><option>blue<option>red</select><button>Send</button></form>"""

_DRAW = """<style>body { margin: 0; height: 100px }</style><script>
window.drawn = [];
window.taps = 0;
addEventListener('mousemove', event => event.buttons && drawn.push(event.clientX));
addEventListener('touchend', () => taps++);
</script>"""

_ASKS = "<body style='height: 100px'><script>addEventListener('beforeunload', event => event.preventDefault())</script>"

_MOVING = """<p></p><script>
const step = () => { document.querySelector('p').textContent += '.'; setTimeout(step, 20); };
step();
</script>"""


_FEED = """<ul></ul><script>
const list = document.querySelector('ul');
const add = rows => { for (const row of rows) list.innerHTML += `<li style="height: 100px">${row}`; };
const more = () => list.children.length < 60 && fetch('/api/more').then(response => response.json()).then(add);
addEventListener('scroll', () => innerHeight + scrollY >= document.body.scrollHeight - 50 && more());
more();
</script>"""

_REPORTS = """<button>Download</button><script>
document.querySelector('button').onclick = () => {
  for (const month of ['june', 'july']) {
    const frame = document.createElement('iframe');
    frame.src = `/${month}.csv`;
    document.body.append(frame);
  }
};
</script>"""

_OFFLINE = "<script>navigator.serviceWorker.register('/service.js')</script>"
_SERVICE = "addEventListener('install', event => event.waitUntil(caches.open('offline')))"


@contextmanager
def prices_by_websocket() -> Generator[int]:
    """Serve prices over WebSocket; yields the port."""
    with serve(lambda socket: socket.send(f"{socket.recv(decode=True)}: 99"), "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.socket.getsockname()[1]
        server.shutdown()
        thread.join()


def _members(request: Request) -> str | Response:
    right = "Basic " + base64.b64encode(b"ada:lovelace").decode()
    return f"{_HEAD}welcome" if request.authorization == right else Response("", 401, {"WWW-Authenticate": "Basic"})


def _account(request: Request) -> str:
    sent = SimpleCookie(request.headers.get("cookie", ""))
    return f"{_HEAD}{sent['user'].value if 'user' in sent else ''}"


def _headers(request: Request) -> Response:
    return _json(dict(request.headers))


def _report(_: Request) -> Response:
    """A file of unknown length."""
    headers = {"Content-Type": "text/csv", "Content-Disposition": "attachment"}
    return Response(iter([b"tea,2\n" + bytes(24_994), bytes(25_000)]), headers=headers)


def _json(value: object) -> Response:
    return Response(json.dumps(value), headers={"Content-Type": "application/json"})


def recipe_pages(own: str, other: str, prices: str) -> Mapping[str, Page]:
    """Path -> page, on both origins; `prices` is the address of a WebSocket."""
    ticker = f"const socket = new WebSocket('{prices}'); socket.onopen = () => socket.send('tea')"
    pages: dict[str, str] = {
        "/": "<title>Example</title><h1>Hello</h1><a id=shop href=/shop>Shop</a><img src=/picture.png>",
        "/shop": _SHOP,
        "/noisy": _NOISY,
        "/form": _FORM,
        "/draw": _DRAW,
        "/asks": _ASKS,
        "/moving": _MOVING,
        "/long": "<p style='height: 5000px'>Long",
        "/frames": f"<title>Outer</title>{iframe(f'{own}/inner', 'inner')}",
        "/embeds": f"<title>Outer</title>{iframe(f'{other}/inner', 'inner')}",
        "/pays": iframe(f"{other}/form", "form"),
        "/feed": _FEED,
        "/reports": _REPORTS,
        "/offline": _OFFLINE,
        "/ticker": f"<script>{ticker}</script>",
        "/inner": "<title>Inner</title>",
        "/worker": "<script>window.worker = new Worker('/worker.js')</script>",
        "/popups": "<button onclick=\"window.open('/inner')\">Open</button>",
    }
    picture = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    return {path: _HEAD + body for path, body in pages.items()} | {
        "/picture.png": Response(picture, headers={"Content-Type": "image/svg+xml"}),
        "/api/price": _json({"price": 99}),
        "/api/more": _json(["row"] * 20),
        "/large.bin": Response(
            bytes(3_000_000), headers={"Content-Type": "application/x-tea", "Content-Disposition": "attachment"}
        ),
        "/june.csv": _report,
        "/july.csv": _report,
        "/service.js": Response(_SERVICE, headers={"Content-Type": "text/javascript"}),
        "/headers": _headers,
        "/members": _members,
        "/login": Response(_HEAD, headers={"Set-Cookie": "user=Ada"}),
        "/account": _account,
        "/strict": Response(_HEAD, headers={"Content-Security-Policy": "script-src 'none'"}),
        "/worker.js": Response("self.answer = 42", headers={"Content-Type": "text/javascript"}),
        "/prices.csv": Response(
            "tea,2\n", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=prices.csv"}
        ),
    }
