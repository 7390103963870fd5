"""Scenarios of input, scripts, the console and the network."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Page
from world import World, scenario


@scenario
async def click_and_type(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    await page.click("#press")
    await page.dblclick("#press")
    world.see("pressed", await page.text_content("#press"))
    await page.hover("#hover")
    world.see("hovered", await page.text_content("#hover"))
    await page.goto(f"{world.own}/inner")
    await page.locator("#field").press_sequentially("abc")
    await page.keyboard.press("Backspace")
    await page.keyboard.insert_text("\u2603")
    world.see("typed", await page.input_value("#field"))


@scenario
async def form(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/form")
    await page.fill("#name", "Ada Lovelace")
    await page.check("#agree")
    await page.select_option("#size", "large")
    await page.click("#send")
    await page.wait_for_url("**/echo")
    world.see("sent", await page.text_content("#sent"))


@scenario
async def console(page: Page, world: World) -> None:
    said: list[Any] = []
    failed: list[str] = []
    world.on(page, "console", lambda message: said.append([message.type, message.text]))
    world.on(page, "pageerror", lambda error: failed.append(error.message))
    async with page.expect_event("pageerror"):
        await page.goto(f"{world.own}/logging")
    async with page.expect_console_message() as logging:
        await page.evaluate("console.log('handle', {a: [1, 2]})")
    message = await logging.value
    world.see("arguments", [await argument.json_value() for argument in message.args])
    world.see("said", said)
    world.see("failed", failed)


@scenario
async def bindings(page: Page, world: World) -> None:
    page = await world.context()
    await page.expose_function("add", lambda a, b: a + b)
    await page.expose_binding("whence", lambda source: source["frame"].url)
    await page.goto(f"{world.own}/frames")
    world.see("page", await page.evaluate("Promise.all([add(1, 2), whence()])"))
    frame = page.frame("frame")
    world.see("frame", frame and await frame.evaluate("Promise.all([add(3, 4), whence()])"))
    await page.reload()
    world.see("again", await page.evaluate("add(5, 6)"))


@scenario
async def evaluation(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    world.see("debugger", await page.evaluate("() => { debugger; return 'on' }"))
    handle = await page.evaluate_handle("() => ({list: [1, 2], node: document.body})")
    world.see("property", await (await handle.get_property("list")).json_value())
    world.see("promise", await page.evaluate("new Promise(done => setTimeout(() => done('late'), 50))"))
    try:
        await page.evaluate("() => { throw new TypeError('no') }")
    except Exception as error:
        world.see("thrown", str(error).splitlines()[0])
    running = asyncio.ensure_future(page.evaluate("new Promise(() => {})"))
    await page.evaluate("setTimeout(() => { location.href = '/next' }, 0)")
    try:
        await running
    except Exception as error:
        world.see("navigated", "Execution context was destroyed" in str(error))
    await page.wait_for_url("**/next")


@scenario
async def cdp_session(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    session = await page.context.new_cdp_session(page)
    paused: list[str] = []

    async def resume(event: dict[str, Any]) -> None:
        paused.append(event["reason"])
        await session.send("Debugger.resume")

    session.on("Debugger.paused", resume)
    await session.send("Debugger.enable")
    await session.send("Runtime.evaluate", {"expression": "debugger; 1"})
    world.see("paused", len(paused))
    await session.send("Debugger.disable")
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*/made-up"}]})

    async def fulfil(event: dict[str, Any]) -> None:
        await session.send("Fetch.fulfillRequest", {"requestId": event["requestId"], "responseCode": 204})

    session.on("Fetch.requestPaused", fulfil)
    world.see("fulfilled", await page.evaluate("fetch('/made-up').then(answer => answer.status)"))
    await session.detach()
    world.see("afterwards", await page.evaluate("fetch('/made-up').then(answer => answer.status)"))


@scenario
async def coverage_and_tracing(page: Page, world: World) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("Profiler.enable")
    await session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    await page.goto(f"{world.own}/workers")
    covered = await session.send("Profiler.takePreciseCoverage")
    world.see("covered", any(script["url"].endswith("/workers") for script in covered["result"]))
    await session.detach()
    await world.browser.start_tracing(page=page)
    await page.goto(f"{world.own}/plain")
    trace = await world.browser.stop_tracing()
    world.see("traced", b"/plain" in trace)


@scenario
async def storage(page: Page, world: World) -> None:
    page = await world.context()
    await page.goto(f"{world.own}/plain")
    await page.evaluate("localStorage.setItem('key', 'value'); document.cookie = 'a=b'")
    state = await page.context.storage_state()
    world.see("state", [len(state["cookies"]), [entry["localStorage"] for entry in state["origins"]]])
    await page.set_extra_http_headers({"X-Probe": "extra"})
    await page.goto(f"{world.own}/headers")
    world.see("headers", await page.text_content("body"))


@scenario
async def waiting_for_elements(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    await page.evaluate("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>here</p>'), 100)")
    world.see("late", await page.locator("#late").text_content())
    await page.evaluate("setTimeout(() => late.remove(), 100)")
    await page.locator("#late").wait_for(state="detached")
    await page.set_content("<title>Set</title><p>content")
    world.see("content", [await page.title(), await page.content()])


@scenario
async def crash(page: Page, world: World) -> None:
    page = await world.context()
    await page.goto(f"{world.own}/plain")
    async with page.expect_event("crash"):
        try:
            await page.goto("chrome://crash")
        except Exception as error:
            world.see("crashed", str(error).splitlines()[0])
    other = await page.context.new_page()
    await other.goto(f"{world.own}/next")
    world.see("afterwards", await other.title())
