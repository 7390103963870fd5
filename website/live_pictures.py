"""The pictures of the live view: a prompt, and an approval."""

from __future__ import annotations

import asyncio
import secrets
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from cdp_typed import Session, connect
from cdp_typed.helpers import click, goto, js, screenshot
from cdp_typed.launch import Launch, LaunchedBrowser, NoSandboxWarning, launch
from cdp_typed.protocol import emulation
from examples.demo.site import serve
from supervisor import AsyncSupervisor, Config, SupervisorRegistry
from supervisor.addons.live import Address, Approvals, LiveView, live_url, serve_live
from supervisor.tools import Policy, Toolbox
from tests.support.servers.sites import Sites

_SAYS = "console.log('3 things in the cart'); console.warn('the payment form is slow')"
_ASKS = "setTimeout(() => prompt('A voucher, if you have one:', 'SPRING'), 50); 1"
_HAS_PICTURES = "Number(picture.dataset.pictures) > 0"

_ORDER = """<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href=data:,><title>Your order</title><style>
body { font: 17px system-ui, sans-serif; margin: 0; color: #1d2433; background: #f4f1ea }
header { background: #23395d; color: #fff; padding: 16px 32px; font-size: 22px } main { padding: 16px 32px }
button, select { font: inherit; padding: 8px 14px; margin: 8px 6px 8px 0 }
</style><header>Your order</header><main><p>Tea, 250 g, and two cups: 31.50
<p><label>Delivery <select id=delivery><option>By post, 2 days</select></label>
<p><button id=pay>Pay 31.50</button><button>Cancel</button>"""


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
async def _tab(browser: LaunchedBrowser, address: str) -> AsyncGenerator[Session]:
    """A tab of the browser in which a person looks at an address."""
    async with connect(browser) as viewers, viewers.new_page() as tab:
        size = emulation.SetDeviceMetricsOverride(width=1180, height=680, device_scale_factor=1.25, mobile=False)
        await tab.send(size)
        await goto(tab, address)
        yield tab


async def prompt() -> bytes:
    """The live view of the demo's shop, which asks for a voucher."""
    address = Address(token=secrets.token_urlsafe(24))
    with serve() as shop:
        async with (
            _chromium(isolates=True) as shown,
            _chromium() as viewing,
            AsyncSupervisor(shown.ws_url, scope="own") as supervisor,
        ):
            await supervisor.navigate(shop)
            async with serve_live(LiveView(supervisor), address) as url, _tab(viewing, live_url(url, address)) as tab:
                await js(tab, once(_HAS_PICTURES))
                await supervisor.evaluate(_SAYS)
                await supervisor.evaluate(_ASKS)
                await js(tab, once(f"document.querySelector('.card.dialog') && {_HAS_PICTURES}"))
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
