"""Playwright for Python over `connect_over_cdp`; usage: HTTP_ADDRESS ORIGIN."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from playwright.async_api import async_playwright
from steps import Step, play


async def main(http: str, origin: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(http)
        page = await browser.contexts[0].new_page()
        page.set_default_timeout(3000)
        heard: dict[str, list[Any]] = {"dialogs": [], "console": [], "errors": [], "requests": []}

        async def answer(dialog: Any) -> None:
            heard["dialogs"].append([dialog.type, dialog.message, dialog.default_value])
            await dialog.accept("Ada")

        page.on("dialog", answer)
        page.on("console", lambda message: heard["console"].append([message.type, message.text]))
        page.on("pageerror", lambda error: heard["errors"].append(error.message))
        kept: dict[str, Any] = {}

        async def goto(path: str) -> Any:
            response = await page.goto(origin + path)
            return [page.url, response and response.status]

        async def handle() -> Any:
            kept["handle"] = await page.evaluate_handle("({a: 1, b: [2]})")
            return str(kept["handle"])

        async def console() -> Any:
            await page.evaluate("console.log('said', 1)")
            await asyncio.sleep(0.2)
            return heard["console"]

        async def exposed() -> Any:
            await page.expose_function("add", lambda a, b: a + b)
            return await page.evaluate("add(1, 2)")

        async def init_script() -> Any:
            await page.add_init_script("window.early = 1")
            await page.goto(origin + "/second")
            return await page.evaluate("window.early")

        async def routed() -> Any:
            await page.route("**/made-up", lambda route: route.fulfill(status=200, content_type="text/html", body="x"))
            response = await page.goto(origin + "/made-up")
            await page.unroute("**/made-up")
            return response and response.status

        async def cookies() -> Any:
            await page.context.add_cookies([{"name": "a", "value": "1", "url": origin}])
            return [[cookie["name"], cookie["value"]] for cookie in await page.context.cookies(origin)]

        async def popup() -> Any:
            async with page.expect_popup() as opened:
                await page.evaluate("() => { window.open('about:blank') }")
            other = await opened.value
            url = other.url
            await other.close()
            return url

        async def back() -> Any:
            await page.goto(origin + "/")
            await page.goto(origin + "/second")
            return await _url(page.go_back())

        async def framed() -> Any:
            await page.goto(origin + "/framed")
            return sorted(frame.url for frame in page.frames)

        async def in_frame(expression: str) -> Any:
            return await page.frames[-1].evaluate(expression)

        async def new_context() -> Any:
            context = await browser.new_context()
            other = await context.new_page()
            await other.goto(origin + "/second")
            title = await other.title()
            await context.close()
            return title

        async def closed() -> Any:
            await page.close()
            return page.is_closed()

        steps: dict[str, Step] = {
            "goto": lambda: goto("/"),
            "title": page.title,
            "evaluate an expression": lambda: page.evaluate("6 * 7"),
            "evaluate a function": lambda: page.evaluate("() => 42"),
            "evaluate a function of an argument": lambda: page.evaluate("x => x + 1", 41),
            "evaluate a function of an object": lambda: page.evaluate("({a, b}) => [a, b]", {"a": 1, "b": "x"}),
            "evaluate an async function": lambda: page.evaluate("async () => 42"),
            "evaluate a promise": lambda: page.evaluate("() => Promise.resolve(42)"),
            "evaluate what throws": lambda: page.evaluate("() => { throw new Error('no') }"),
            "evaluate an object": lambda: page.evaluate("() => ({a: 1, b: [2, null]})"),
            "evaluate nothing": lambda: page.evaluate("() => {}"),
            "evaluate text that is no script": lambda: page.evaluate("() => {"),
            "a variable": lambda: page.evaluate("() => window.total"),
            "handle": handle,
            "handle, json_value": lambda: kept["handle"].json_value(),
            "handle, evaluate": lambda: kept["handle"].evaluate("o => o.a"),
            "handle, get_property": lambda: kept["handle"].get_property("a"),
            "handle, dispose": lambda: kept["handle"].dispose(),
            "dialog": lambda: page.evaluate("prompt('Name?', 'nobody')"),
            "dialog, told": lambda: asyncio.sleep(0, heard["dialogs"]),
            "console": console,
            "expose_function": exposed,
            "add_init_script": init_script,
            "route": routed,
            "cookies": cookies,
            "locator, count": lambda: page.locator("#near").count(),
            "locator, text": lambda: page.locator("#near").text_content(),
            "locator, click": lambda: page.locator("#near").click(timeout=2000),
            "locator of nothing, count": lambda: page.locator("#absent").count(),
            "locator of nothing, click": lambda: page.locator("#absent").click(timeout=1000),
            "query_selector": lambda: page.query_selector("#absent"),
            "content": page.content,
            "keyboard": lambda: page.keyboard.type("abc"),
            "mouse": lambda: page.mouse.click(5, 500),
            "screenshot": lambda: _size(page.screenshot()),
            "pdf": lambda: _size(page.pdf()),
            "frames": framed,
            "frame, evaluate": lambda: in_frame("() => document.title"),
            "frame, title": lambda: in_frame("1 + 1"),
            "go_back": back,
            "reload": lambda: _url(page.reload()),
            "goto a page that is not there": lambda: goto("/absent"),
            "goto no address": lambda: page.goto("nowhere"),
            "set_content": lambda: page.set_content("<p id=p>Text</p>"),
            "viewport": lambda: page.set_viewport_size({"width": 800, "height": 600}),
            "popup": popup,
            "new_context": new_context,
            "close": closed,
        }
        await play(steps)
        await asyncio.wait_for(browser.close(), 5)


async def _size(picture: Any) -> bool:
    return len(await picture) > 100


async def _url(navigation: Any) -> Any:
    response = await navigation
    return response and [response.url, response.status]


asyncio.run(main(*sys.argv[1:]))
