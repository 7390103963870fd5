"""A shop with hostile texts, and a run in it that is recorded; its server knows what was ordered."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import parse_qs

from tests.support.secrets import CANARY
from tests.support.servers.sites import Request, Response, Sites, iframe

HOSTILE = "It's \"q\" */ ${x} {y} `z` \\' <b> \u202e \u2028 #{a} %s '''"
"""A name that tries to leave a literal of each language, and comments."""

_ORDER = """<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>Order</title>
<h1>Order</h1>
<form action=/bought method=post>
<label>Mail <input name=mail></label>
<label>Password <input name=password type=password></label>
<label>Note <textarea name=note></textarea></label>
<label>Size <select name=size><option value=s>Small</option><option value=l>Large</option></select></label>
<label>Day <input name=day type=date></label>
<label><input type=checkbox name=gift> Gift</label>
<ul aria-label=Basket><li>Green <b>tea</b></li><li>Cake</li></ul>
<button type=button class=x onclick="extra.value += 'a'">Add</button>
<button type=button class=x onclick="extra.value += 'b'">Add</button>
<button type=button onclick="extra.value += 'h'">@NAME@</button>
<input name=extra id=extra readonly>
<div id=host></div>
<button type=button onclick="extra.value += confirm('sure?') ? prompt('who?') : 'no'">Ask</button>
<button id=buy>Buy</button>
</form>
<p id=late></p>
<script>
const root = host.attachShadow({mode: 'open'});
root.innerHTML = '<div><span role=button tabindex=0>Inner</span><i class=dot>dot</i></div>';
root.querySelector('span').onclick = () => { extra.value += 's' };
root.querySelector('i').onclick = () => { extra.value += 'd' };
addEventListener('message', message => { extra.value += message.data });
setTimeout(() => { late.textContent = 'Now ' + @TEXT@ }, 300);
</script>""".replace("@NAME@", escape(HOSTILE)).replace("@TEXT@", json.dumps(HOSTILE))
_INNER = """<!doctype html><button onclick="parent.postMessage('f', '*')">Framed</button><button>Add</button>"""


class Shop:
    """The pages of the shop on a server, and the orders that came."""

    def __init__(self, sites: Sites) -> None:
        self.orders: list[dict[str, str]] = []
        self.address = sites.local("/order")
        sites.pages["/order"] = _ORDER + iframe(sites.remote("/inner"))
        sites.pages["/inner"] = _INNER
        sites.pages["/bought"] = self._bought

    def _bought(self, request: Request) -> Response:
        self.orders.append({name: values[0] for name, values in parse_qs(request.body.decode()).items()})
        page = "<!doctype html><title>Thanks</title><link rel=icon href=data:,><p>Thank you"
        return Response(page, headers={"Content-Type": "text/html"})


EXPECTED = {
    "mail": "ada@example.com",
    "password": CANARY,
    "note": HOSTILE.replace("\u2028", " ") + "\r\nsecond line",
    "size": "l",
    "day": "2027-01-31",
    "gift": "on",
    "extra": "bhsdfAda",
}


def order(call: Callable[..., dict[str, Any]], shop: Shop) -> None:
    """Use every element of the shop."""

    def does(tool: str, **arguments: Any) -> dict[str, Any]:
        result = call(tool, **arguments)
        assert result["success"], (tool, result)
        return result

    does("browser_navigate", url=shop.address)
    does("browser_wait", until="text:Now It's")
    page = does("browser_snapshot")["page"]
    add = [line.partition("[ref=")[2].partition("]")[0] for line in page.splitlines() if 'button "Add"' in line]
    does(
        "browser_fill_form",
        fields=[{"ref": "label=Mail", "value": EXPECTED["mail"]}, {"ref": "label=Password", "value": CANARY}],
    )
    does("browser_type", ref="label=Note", text=EXPECTED["note"].replace("\r", ""))
    fields = [("label=Size", "Large"), ("css=[name=day]", EXPECTED["day"]), ("label=Gift", "true")]
    does("browser_fill_form", fields=[{"ref": ref, "value": value} for ref, value in fields])
    does("browser_click", ref=add[1])
    hostile = next(line for line in page.splitlines() if "button \"It's" in line)
    does("browser_click", ref=hostile.partition("[ref=")[2].partition("]")[0])
    does("browser_click", ref='button "Inner"')
    does("browser_click", ref="css=i.dot")
    does("browser_click", ref='button "Framed"')
    does("browser_click", ref='button "Ask"')
    does("browser_dialog", action="accept")
    does("browser_dialog", action="accept", prompt_text="Ada")
    verify(does)
    does("browser_click", ref="css=#buy")
    does("browser_verify", check="text", expected="Thank you")
    does("browser_verify", check="title", expected="Thanks")
    does("browser_verify", check="url", expected="/bought")


def verify(does: Callable[..., dict[str, Any]]) -> None:
    """Every check that can hold on the page of the order."""
    (inner,) = does("browser_snapshot")["frame_tree"]["children"]
    checks: list[dict[str, Any]] = [
        {"check": "visible", "ref": 'button "Inner"'},
        {"check": "text", "expected": "Green tea"},
        {"check": "value", "ref": "label=Mail", "expected": EXPECTED["mail"]},
        {"check": "value", "ref": "label=Gift", "expected": "true"},
        {"check": "list", "ref": 'list "Basket"', "expected": ["Green tea", "Cake"]},
        {"check": "count", "ref": "css=.x", "expected": "2"},
        {"check": "text", "expected": "Framed", "frame_id": inner["frame_id"]},
        {"check": "url", "expected": "/order"},
        {"check": "title", "expected": "Order"},
        {"check": "console"},
        {"check": "request", "expected": "/inner"},
    ]
    for each in checks:
        assert does("browser_verify", **each)["holds"], each
