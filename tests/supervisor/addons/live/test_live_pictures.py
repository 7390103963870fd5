"""The picture in the live view is the page as it is, or says how old it is."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

import pytest
from msgspec.structs import replace

from cdp_typed import Session
from cdp_typed.helpers import click, js
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import input as cdp_input
from supervisor import AsyncSupervisor
from supervisor.addons.live import Address, LiveView, live_url, serve_live, view
from supervisor.addons.live.screencast import LARGE
from tests.supervisor.addons.live.conftest import Live, LiveOn, until
from tests.supervisor.addons.live.test_live_takeover import TAKEN, give_back, point_at, take_over
from tests.support.browsers import LaunchBrowser
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites

ROUNDS = 200 if "CDP_TYPED_SOAK_S" in os.environ else 8
COLOURS = {
    "red": "r > 220 && g < 40 && b < 40",
    "lime": "r < 40 && g > 220 && b < 40",
    "blue": "r < 40 && g < 40 && b > 220",
}
MIDDLE = "picture.getContext('2d').getImageData(picture.width / 2, picture.height / 2, 1, 1).data"
MOVING = """<p style="position: absolute">moves</p><script>
    setInterval(() => document.querySelector('p').style.left = Date.now() % 300 + 'px', 16)</script>"""
TURNS_LIME = "<script>addEventListener('mousedown', () => document.body.style.background = 'lime')</script>"
DRAGGED = """<body style="margin: 0"><p style="font: 40px monospace; margin: 100px">drag over this text</p><script>
    window.moves = []; window.ups = 0;
    addEventListener('mousemove', event => moves.push(event.buttons));
    addEventListener('mouseup', () => ups++)</script>"""


def page_of(colour: str) -> str:
    return f"<title>{colour}</title><body style='background: {colour}'>"


async def test_the_picture_follows_an_agent_and_a_person_who_take_turns(live: LiveOn, sites: Sites) -> None:
    for colour in COLOURS:
        sites.pages[f"/{colour}"] = page_of(colour) + TURNS_LIME
    async with live(page_of("red")) as shown, shown.viewer() as viewer:
        for number in range(ROUNDS // 2):
            site = sites.remote if number % 2 else sites.local

            async def shows(colour: str, what: str, number: int = number) -> None:
                assert await until(viewer, f"(([r, g, b]) => {COLOURS[colour]})({MIDDLE})"), f"{what}, round {number}"

            await shown.supervisor.navigate(site("/red"))  # to another process
            await shows("red", "a navigation")
            assert await js(viewer, "document.getElementById('age').hidden")
            await shown.supervisor.send(cdp_input.DispatchMouseEvent(type="mousePressed", x=9, y=9, button="left"))
            await shows("lime", "the agent's input")
            opened = await shown.supervisor.open_page(site("/blue"))
            await shows("blue", "a new tab")
            await take_over(viewer)
            for step in range(10):
                left, top = await point_at(viewer, 100 + step, 100)
                await viewer.send(cdp_input.DispatchMouseEvent(type="mouseMoved", x=left, y=top))
                await asyncio.sleep(0.05)  # as a hand does
            await click(viewer, "#picture")
            await shows("lime", "a person's input")
            assert await js(viewer, TAKEN), f"round {number}"
            await give_back(viewer)
            await shown.supervisor.close_page(opened.target_id)


@asynccontextmanager
async def viewed(
    browser: LaunchedBrowser, live: LiveOn, sites: Sites
) -> AsyncGenerator[tuple[AsyncSupervisor, Session]]:
    """A supervisor of a browser of the test's own, and a viewer of it."""
    async with live(page_of("red")) as shown, AsyncSupervisor(browser.ws_url, reconnect_attempts=0) as supervisor:
        await supervisor.navigate(sites.local("/"))
        view, address = LiveView(supervisor), Address(token=CANARY)
        async with (
            serve_live(view, address) as url,
            Live(supervisor, view, live_url(url, address), shown.viewers).viewer() as viewer,
        ):
            yield supervisor, viewer


async def test_an_old_picture_says_its_age(chromium_factory: LaunchBrowser, live: LiveOn, sites: Sites) -> None:
    browser = chromium_factory()
    async with viewed(browser, live, sites) as (_, viewer):
        os.kill(browser.pid, signal.SIGSTOP)
        try:
            assert "s old" in await until(viewer, "!age.hidden && age.textContent")
        finally:
            os.kill(browser.pid, signal.SIGCONT)

        assert await until(viewer, "age.hidden")


async def test_a_browser_that_died_leaves_no_picture(
    chromium_factory: LaunchBrowser, live: LiveOn, sites: Sites
) -> None:
    browser = chromium_factory()
    async with viewed(browser, live, sites) as (_, viewer):
        os.kill(browser.pid, signal.SIGKILL)

        assert await until(viewer, "nothing.hidden === false && nothing.textContent") == "The browser is gone."
        assert await until(viewer, f"{MIDDLE}[3] === 0")


async def test_dragging_holds_the_button_and_ends_outside_of_the_picture(live: LiveOn) -> None:
    async with live(DRAGGED) as shown, shown.viewer() as viewer:
        await take_over(viewer)
        left, top = await point_at(viewer, 105, 120)

        async def mouse(
            kind: Literal["mousePressed", "mouseMoved", "mouseReleased"], x: float, y: float, buttons: int
        ) -> None:
            event = cdp_input.DispatchMouseEvent(type=kind, x=x, y=y, button="left", buttons=buttons, click_count=1)
            await viewer.send(event)
            await asyncio.sleep(0.06)

        await mouse("mousePressed", left, top, 1)
        for step in range(1, 6):
            await mouse("mouseMoved", left + 60 * step, top, 1)
        await mouse("mouseReleased", 5, 5, 0)  # on the heading of the view
        await click(viewer, "#take")

        selected = await shown.supervisor.evaluate("getSelection().toString()")
        assert len(str(selected.value)) > 5
        assert (await shown.supervisor.evaluate("ups")).value >= 1
        assert (await shown.supervisor.evaluate("moves.includes(1)")).value is True


async def test_a_person_in_control_gets_pictures_at_a_pace_of_their_own(
    live: LiveOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "LARGE", replace(LARGE, period_s=600.0))
    async with live(MOVING) as shown, shown.viewer() as viewer:
        await take_over(viewer)
        shown_before = await js(viewer, "Number(picture.dataset.pictures)")

        assert await until(viewer, f"Number(picture.dataset.pictures) > {shown_before + 10}")
