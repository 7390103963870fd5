"""zendriver; usage: HTTP_ADDRESS ORIGIN."""

from __future__ import annotations

import asyncio
import sys
from typing import Any
from urllib.parse import urlsplit

import zendriver
from steps import Step, play
from zendriver import cdp


async def main(http: str, origin: str) -> None:
    address = urlsplit(http)
    browser = await zendriver.start(host=address.hostname, port=address.port)
    tab = await browser.get(f"{origin}/", new_tab=True)
    await asyncio.sleep(0.5)
    dialogs: list[list[str]] = []

    async def answer(event: cdp.page.JavascriptDialogOpening) -> None:
        dialogs.append([event.type_.value, event.message])
        await tab.send(cdp.page.handle_java_script_dialog(accept=True, prompt_text="Ada"))

    async def prompt() -> Any:
        tab.add_handler(cdp.page.JavascriptDialogOpening, answer)
        await tab.send(cdp.page.enable())
        return [await tab.evaluate("prompt('Name?')"), dialogs]

    async def found(selector: str) -> Any:
        element = await tab.select(selector, timeout=1)
        return element and element.tag_name

    async def told(navigation: Any) -> Any:
        await navigation
        await asyncio.sleep(0.5)
        return await tab.evaluate("location.href")

    async def content() -> Any:
        return "near" in await tab.get_content()

    async def cookies() -> Any:
        return len(await browser.cookies.get_all())

    steps: dict[str, Step] = {
        "title": lambda: tab.evaluate("document.title"),
        "evaluate": lambda: tab.evaluate("6 * 7"),
        "evaluate a promise": lambda: tab.evaluate("Promise.resolve(42)", await_promise=True),
        "evaluate an object": lambda: tab.evaluate("({a: 1})", return_by_value=True),
        "evaluate what throws": lambda: thrown(tab),
        "a variable": lambda: tab.evaluate("window.total"),
        "dialog": prompt,
        "select": lambda: found("#near"),
        "select nothing": lambda: found("#absent"),
        "query_selector": lambda: tab.query_selector("#absent"),
        "find": lambda: tab.find("absent", timeout=1),
        "get_content": lambda: content(),
        "get": lambda: told(tab.get(f"{origin}/second")),
        "back": lambda: told(tab.back()),
        "reload": lambda: told(tab.reload()),
        "mouse": lambda: tab.mouse_click(5, 500),
        "screenshot": lambda: tab.save_screenshot("/dev/null"),
        "cookies": cookies,
        "close": tab.close,
    }
    await play(steps)
    await asyncio.wait_for(browser.stop(), 5)


async def thrown(tab: Any) -> Any:
    value = await tab.evaluate("(() => { throw new Error('no') })()")
    return str(getattr(value, "text", value))


asyncio.run(main(*sys.argv[1:]))
