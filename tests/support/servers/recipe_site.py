"""The pages that the recipes of docs/recipes.md open, and a proxy."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

from tests.support.servers.sites import Page, Request, Response, iframe

__all__ = ["recipe_pages"]

_HEAD = "<!doctype html><link rel=icon href=data:,>"

_SHOP = """<title>Shop</title><p id=price></p><script>
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


def _members(request: Request) -> str | Response:
    right = "Basic " + base64.b64encode(b"ada:lovelace").decode()
    return f"{_HEAD}welcome" if request.authorization == right else Response("", 401, {"WWW-Authenticate": "Basic"})


def _headers(request: Request) -> Response:
    return _json(dict(request.headers))


def _json(value: object) -> Response:
    return Response(json.dumps(value), headers={"Content-Type": "application/json"})


def recipe_pages(own: str, other: str) -> Mapping[str, Page]:
    """Path -> page, on both origins."""
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
        "/inner": "<title>Inner</title>",
        "/worker": "<script>window.worker = new Worker('/worker.js')</script>",
        "/popups": "<button onclick=\"window.open('/inner')\">Open</button>",
    }
    picture = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    return {path: _HEAD + body for path, body in pages.items()} | {
        "/picture.png": Response(picture, headers={"Content-Type": "image/svg+xml"}),
        "/api/price": _json({"price": 99}),
        "/headers": _headers,
        "/members": _members,
        "/strict": Response(_HEAD, headers={"Content-Security-Policy": "script-src 'none'"}),
        "/worker.js": Response("self.answer = 42", headers={"Content-Type": "text/javascript"}),
        "/prices.csv": Response(
            "tea,2\n", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=prices.csv"}
        ),
    }
