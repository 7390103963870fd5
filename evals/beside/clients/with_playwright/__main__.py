"""Playwright plays scenarios; usage: with_playwright ADDRESS OWN OTHER FOLDER new|shared [SCENARIO...]."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import browsing  # noqa: F401  its scenarios
import waiting  # noqa: F401  its scenarios
import working  # noqa: F401  its scenarios
from playwright.async_api import Browser, Page, async_playwright
from world import NEW_PAGES_ONLY, SCENARIOS, TIMEOUT_MS, World

SCENARIO_S = 30


def tell(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


async def play(name: str, page: Page, world: World) -> None:
    try:
        await asyncio.wait_for(SCENARIOS[name](page, world), SCENARIO_S)
    except Exception as error:  # whatever it is, it is an outcome
        world.see("error", f"{type(error).__name__}: {str(error).splitlines()[:1]}")
    with contextlib.suppress(Exception):
        await asyncio.wait_for(world.end(), SCENARIO_S)
    tell(scenario=name, seen=world.seen)


async def shared_page(browser: Browser, own: str) -> Page:
    """Return the page that existed before the client connected."""
    page = next(page for page in browser.contexts[0].pages if page.url == f"{own}/plain")
    page.set_default_timeout(TIMEOUT_MS)
    return page


async def main(address: str, own: str, other: str, folder: str, group: str, *names: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(address)
        shared = await shared_page(browser, own) if group == "shared" else None
        tell(connected=True)
        sys.stdin.readline()
        for name in names or [name for name in SCENARIOS if shared is None or name not in NEW_PAGES_ONLY]:
            world = World(browser, own, other, Path(folder))
            if shared is not None:
                await play(name, shared, world)
                for url in ("about:blank", f"{own}/plain"):  # the former helps where a script waits for something
                    with contextlib.suppress(Exception):
                        await shared.goto(url)
                continue
            page = await browser.contexts[0].new_page()
            page.set_default_timeout(TIMEOUT_MS)
            await play(name, page, world)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(page.close(), SCENARIO_S)
        await browser.close()


asyncio.run(main(*sys.argv[1:]))
