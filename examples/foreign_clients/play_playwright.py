"""Playwright does the flow; usage: play_playwright.py HTTP_ADDRESS PAGE."""

from __future__ import annotations

import asyncio
import json
import sys

from playwright.async_api import Dialog, async_playwright


async def main(http: str, url: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(http)
        page = await browser.contexts[0].new_page()
        dialogs: list[list[str]] = []

        async def answer(dialog: Dialog) -> None:
            dialogs.append([dialog.type, dialog.message])
            await dialog.accept("Ada")

        page.on("dialog", answer)
        await page.goto(url)
        seen = {
            "title": await page.title(),
            "value": await page.evaluate("6 * 7"),
            "answer": await page.evaluate("prompt('Name?')"),
            "dialogs": dialogs,
        }
        await page.close()
        await browser.close()
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
