"""Pictures for a flight recording leave no mark on the iframes that appear while one is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from supervisor.config import Config
from supervisor.registry import SupervisorRegistry
from supervisor.tools import Toolbox
from tests.support.browsers import LaunchBrowser
from tests.support.servers.sites import Sites

CHECKOUT = """<!doctype html><title>Shop</title><h1>Cart</h1><button>Checkout</button><script>
document.querySelector("button").onclick = () => document.body.insertAdjacentHTML("beforeend",
    "<iframe style='margin: 40px; width: 400px; height: 200px' src='%s'></iframe>")</script>"""
PAY = """<body style="margin: 30px"><button onclick="const paid = new XMLHttpRequest();
paid.open('POST', '/paid', false); paid.send()">Pay now</button>"""


@pytest.mark.parametrize("leaves", ["navigate", "dialog"])
def test_an_iframe_that_appears_during_a_picture_gets_the_clicks_in_it(
    chromium_factory: LaunchBrowser, sites: Sites, tmp_path: Path, leaves: str
) -> None:
    asks = "<script>onbeforeunload = event => event.preventDefault()</script>" if leaves == "dialog" else ""
    form = f"<title>Form</title><a href=/shop>To the shop</a>{asks}"
    sites.pages.update({"/form": form, "/pay": PAY, "/paid": "ok", "/shop": CHECKOUT % sites.remote("/pay")})
    wide = chromium_factory(args=("--window-size=1600,900",)).ws_url
    config = Config(cdp_url=wide, record_to=str(tmp_path / "flight.jsonl"), record_screenshots=True)
    with Toolbox(config, registry=SupervisorRegistry()) as toolbox:
        toolbox.dispatch("browser_navigate", {"url": sites.local("/form")})
        toolbox.dispatch("browser_click", {"ref": 'link "To the shop"'})
        if leaves == "dialog":
            toolbox.dispatch("browser_dialog", {"action": "accept"})
        toolbox.dispatch("browser_wait", {"until": "text:Checkout"})
        for button in ("Checkout", "Pay now"):
            clicked = json.loads(toolbox.dispatch("browser_click", {"ref": f'button "{button}"'}))
            assert (clicked["success"], clicked.get("hint")) == (True, None)

    assert [request.path for request in sites.requests].count("/paid") == 1
