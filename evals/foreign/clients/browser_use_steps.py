"""browser-use, without a model; usage: HTTP_ADDRESS ORIGIN."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

os.environ |= {"ANONYMIZED_TELEMETRY": "false", "BROWSER_USE_LOGGING_LEVEL": "result"}

from browser_use import BrowserSession
from steps import Step, play


async def main(http: str, origin: str) -> None:
    session = BrowserSession(cdp_url=http)

    async def page() -> Any:
        return await session.must_get_current_page()

    async def evaluate(function: str, *arguments: Any) -> Any:
        return await (await page()).evaluate(function, *arguments)

    async def elements(selector: str) -> Any:
        return len(await (await page()).get_elements_by_css_selector(selector))

    async def state() -> Any:
        summary = await session.get_browser_state_summary(include_screenshot=False)
        return [summary.url, summary.title, len(summary.dom_state.selector_map)]

    async def cookies() -> Any:
        return len(await session.cookies())

    async def tabs() -> Any:
        return sorted(tab.url for tab in await session.get_tabs())

    async def opened() -> Any:
        other = await session.new_page(f"{origin}/second")
        await asyncio.sleep(0.5)
        return await other.get_url()

    steps: dict[str, Step] = {
        "start": lambda: _nothing(session.start()),
        "navigate_to": lambda: _settled(session.navigate_to(f"{origin}/")),
        "title": session.get_current_page_title,
        "url": session.get_current_page_url,
        "evaluate": lambda: evaluate("() => 6 * 7"),
        "evaluate with arguments": lambda: evaluate("(x) => x + 1", 41),
        "evaluate what throws": lambda: evaluate("() => { throw new Error('no') }"),
        "a variable": lambda: evaluate("() => window.total"),
        "elements": lambda: elements("#near"),
        "elements that are not there": lambda: elements("#absent"),
        "state": state,
        "screenshot": lambda: _size(session.take_screenshot()),
        "cookies": cookies,
        "tabs": tabs,
        "new_page": opened,
        "press": lambda: _press(page),
        "go_back": lambda: _back(page),
        "stop": session.stop,
    }
    await play(steps)


async def _settled(navigation: Any) -> None:
    await navigation
    await asyncio.sleep(0.5)


async def _nothing(started: Any) -> None:
    await started


async def _size(picture: Any) -> bool:
    return len(await picture) > 100


async def _press(page: Any) -> None:
    await (await page()).press("a")


async def _back(page: Any) -> None:
    await (await page()).go_back()


asyncio.run(main(*sys.argv[1:]))
