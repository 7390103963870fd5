"""The pictures of the live view: a prompt, a drag, a list of options, an approval, and the grid of all sessions."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import warnings
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Literal

from cdp_typed import Session, connect
from cdp_typed.helpers import click, goto, js, screenshot
from cdp_typed.launch import Launch, LaunchedBrowser, NoSandboxWarning, launch
from cdp_typed.protocol import emulation
from cdp_typed.protocol import input as cdp_input
from examples.demo.site import serve
from supervisor import AsyncSupervisor, Config, SupervisorRegistry
from supervisor.addons.live import Address, Approvals, LiveView, announce, live_url, serve_grid, serve_live
from supervisor.tools import Policy, Toolbox
from tests.support.servers.sites import Sites

_SAYS = "console.log('3 things in the cart'); console.warn('the payment form is slow')"
_ASKS = "setTimeout(() => prompt('A voucher, if you have one:', 'SPRING'), 50); 1"
_DELETES = "setTimeout(() => confirm('Delete the draft of Tuesday?'), 50); 1"
_HAS_PICTURES = "Number(picture.dataset.pictures) > 0"
_TAKEN = "picture.classList.contains('controlled') && Math.abs(picture.width - stage.clientWidth) < 2"

_STYLE = """<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href=data:,><title>{title}</title><style>
body {{ font: 17px system-ui, sans-serif; margin: 0; color: #1d2433; background: #f4f1ea }}
header {{ background: #23395d; color: #fff; padding: 16px 32px; font-size: 22px }} main {{ padding: 16px 32px }}
button, select {{ font: inherit; padding: 8px 14px; margin: 8px 6px 8px 0 }} input {{ width: 320px }}
#puzzle {{ position: relative; width: 320px; height: 130px; background: linear-gradient(120deg, #9cc4b2, #e8c07d) }}
#puzzle i {{ position: absolute; top: 40px; width: 46px; height: 46px; border-radius: 8px }}
</style><header>{title}</header><main>{main}</main>"""
_CAPTCHA = _STYLE.format(
    title="Are you human?",
    main="""<p>Slide the piece into the gap.<div id=puzzle><i style="left: 214px; background: #0005"></i>
<i id=piece style="left: 0; background: #c8553d"></i></div>
<p><input id=slider type=range min=0 max=274 value=0 oninput="piece.style.left = value + 'px'">""",
)
_ORDER = _STYLE.format(
    title="Your order",
    main="""<p>Tea, 250 g, and two cups: 31.50<p><label>Delivery <select id=delivery><option>By post, 2 days
<option>Express, tomorrow<option disabled>By bicycle (not today)<optgroup label="Collect it"><option>Shop at the harbour
<option>Shop at the station</optgroup></select></label><p><button id=pay>Pay 31.50</button><button>Cancel</button>""",
)


def once(condition: str) -> str:
    """Return an expression whose promise is settled when the condition is true, and that is drawn."""
    drawn = "requestAnimationFrame(() => requestAnimationFrame(done))"
    look = f"() => {{ if ({condition}) {{ clearInterval(id); {drawn} }} }}"
    return f"new Promise(done => {{ const id = setInterval({look}, 20) }})"


def _chromium(*, isolates: bool = False) -> Launch:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        return launch(isolate_sites=isolates)


@asynccontextmanager
async def _tab(browser: LaunchedBrowser, address: str, height: int = 680) -> AsyncGenerator[Session]:
    """A tab of the browser in which a person looks at an address."""
    async with connect(browser) as viewers, viewers.new_page() as tab:
        size = emulation.SetDeviceMetricsOverride(width=1180, height=height, device_scale_factor=1.25, mobile=False)
        await tab.send(size)
        await goto(tab, address)
        yield tab


@asynccontextmanager
async def _viewed(page: str) -> AsyncGenerator[tuple[AsyncSupervisor, Session]]:
    """A supervised page at this address, and a tab with its live view."""
    async with (
        _chromium(isolates=True) as shown,
        _chromium() as viewing,
        AsyncSupervisor(shown.ws_url, scope="own") as supervisor,
    ):
        await supervisor.navigate(page)
        address = Address(token=secrets.token_urlsafe(24))
        async with serve_live(LiveView(supervisor), address) as url, _tab(viewing, live_url(url, address)) as tab:
            await js(tab, once(_HAS_PICTURES))
            yield supervisor, tab


async def prompt() -> bytes:
    """The live view of the demo's shop, which asks for a voucher."""
    with serve() as shop:
        async with _viewed(shop) as (supervisor, tab):
            await supervisor.evaluate(_SAYS)
            await supervisor.evaluate(_ASKS)
            await js(tab, once(f"document.querySelector('.card.dialog') && {_HAS_PICTURES}"))
            return await screenshot(tab)


async def drag() -> bytes:
    """A person drags the slider of a captcha."""
    with Sites({"/": _CAPTCHA}) as sites:
        async with _viewed(sites.local("/")) as (supervisor, tab):
            left, top = await _take(supervisor, tab, "slider", x=8)
            await _mouse(tab, "mousePressed", left, top)
            for step in range(1, 14):
                await _mouse(tab, "mouseMoved", left + 15 * step, top)
                await asyncio.sleep(0.06)  # a view sends a move every 40 ms at most
            await asyncio.sleep(1)  # for the picture of the last move
            taken = await screenshot(tab)
            await _mouse(tab, "mouseReleased", left + 195, top)
            return taken


async def options() -> bytes:
    """A person has opened a select list, whose options the view shows over the picture."""
    with Sites({"/": _ORDER}) as sites:
        async with _viewed(sites.local("/")) as (supervisor, tab):
            left, top = await _take(supervisor, tab, "delivery", x=40)
            await _mouse(tab, "mousePressed", left, top)
            await _mouse(tab, "mouseReleased", left, top)
            await js(tab, once("!document.getElementById('list').hidden"))
            return await screenshot(tab)


async def approval() -> bytes:
    """The agent asks to click on a button that pays."""
    approvals, registry = Approvals(), SupervisorRegistry()
    policy = Policy(approve=("browser_click",))
    with Sites({"/": _ORDER}) as sites:
        async with _chromium(isolates=True) as shown, _chromium() as viewing:
            config = Config(cdp_url=shown.ws_url, scope="own")

            def running() -> AsyncSupervisor | None:
                supervisor = registry.get("default")
                return supervisor.aio if supervisor is not None else None

            async with Toolbox(config, registry=registry, policy=policy, hooks=[approvals]) as toolbox:
                await toolbox.adispatch("browser_navigate", {"url": sites.local("/")})
                view = LiveView(running, tools=lambda: toolbox.running, approvals=approvals)
                address = Address(token=secrets.token_urlsafe(24))
                async with serve_live(view, address) as url, _tab(viewing, live_url(url, address)) as tab:
                    await js(tab, once(_HAS_PICTURES))
                    call = asyncio.create_task(toolbox.adispatch("browser_click", {"ref": 'button "Pay 31.50"'}))
                    await js(tab, once("document.querySelector('.aim')"))
                    taken = await screenshot(tab)
                    await click(tab, ".approval button:not(.primary)")
                    await call
                    return taken


async def grid() -> bytes:
    """Three sessions: one asks a question, one is in a person's hands, one works."""
    with tempfile.TemporaryDirectory() as folder, Sites({"/": _ORDER, "/captcha": _CAPTCHA}) as sites, serve() as shop:
        async with AsyncExitStack() as ending:
            own = {"XDG_RUNTIME_DIR": os.environ.get("XDG_RUNTIME_DIR", "")}  # empty is as none
            ending.callback(os.environ.update, own)
            os.environ["XDG_RUNTIME_DIR"] = folder  # other views of this user are no part of the picture
            shown = await ending.enter_async_context(_chromium(isolates=True))
            viewing = await ending.enter_async_context(_chromium())
            sessions = {"mcp": shop, "live --launch": sites.local("/captcha"), "fleet live orders": sites.local("/")}
            supervisors: list[AsyncSupervisor] = []
            for name, page in sessions.items():
                supervisor = await ending.enter_async_context(AsyncSupervisor(shown.ws_url, scope="own"))
                await supervisor.navigate(page)
                address = Address(token=secrets.token_urlsafe(24))
                url = await ending.enter_async_context(serve_live(LiveView(supervisor), address))
                ending.enter_context(announce(name, url, address.token))
                supervisors.append(supervisor)
            supervisors[1].takeover.begin()
            address = Address(token=secrets.token_urlsafe(24))
            url = await ending.enter_async_context(serve_grid(address))
            tab = await ending.enter_async_context(_tab(viewing, live_url(url, address), 460))
            drawn = "[...document.querySelectorAll('canvas')].filter(each => each.dataset.pictures).length === 3"
            await js(tab, once(drawn))
            await supervisors[2].evaluate(_DELETES)
            await js(tab, once("document.querySelector('.dialog')"))
            return await screenshot(tab)


async def _take(supervisor: AsyncSupervisor, tab: Session, element: str, *, x: int) -> tuple[float, float]:
    """Take the browser over, and return the place in the view that shows a point of this element."""
    box = f"(box => [box.left + {x}, box.top + box.height / 2])({element}.getBoundingClientRect())"
    left, top = (await supervisor.evaluate(box)).value
    await click(tab, "#take")
    await js(tab, once(_TAKEN))
    at = await js(tab, "(box => [box.left, box.top])(picture.getBoundingClientRect())")
    return at[0] + left, at[1] + top


async def _mouse(
    tab: Session, kind: Literal["mousePressed", "mouseMoved", "mouseReleased"], x: float, y: float
) -> None:
    await tab.send(cdp_input.DispatchMouseEvent(type=kind, x=x, y=y, button="left", buttons=1, click_count=1))
