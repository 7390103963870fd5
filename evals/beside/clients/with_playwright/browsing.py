"""Scenarios of navigations, frames, workers, contexts and windows."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, expect
from world import World, scenario


@scenario
async def navigation(page: Page, world: World) -> None:
    navigated: list[str] = []
    world.on(page, "framenavigated", lambda frame: navigated.append(frame.url))
    response = await page.goto(f"{world.own}/plain", wait_until="networkidle")
    world.see("status", response and response.status)
    world.see("title", await page.title())
    await page.click("#next")
    await page.wait_for_url("**/next")
    await page.goto(f"{world.own}/next#part")
    response = await page.goto(f"{world.own}/moved")
    before = response and response.request.redirected_from
    world.see("redirected", [before and before.url, page.url])
    world.see("navigated", navigated)


@scenario
async def failed_navigation(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    try:
        await page.goto("http://127.0.0.1:1/")
    except Exception as error:
        world.see("refused", str(error).splitlines()[0])
    await page.wait_for_url("chrome-error://chromewebdata/")
    response = await page.goto(f"{world.own}/missing")
    world.see("missing", response and response.status)
    await page.goto(f"{world.own}/plain")
    world.see("afterwards", await page.title())


@scenario
async def reload_and_history(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    await page.evaluate("window.mark = 1")
    await page.reload()
    world.see("mark", await page.evaluate("typeof mark"))
    for path in ("/first", "/second"):
        await page.goto(f"{world.own}{path}")
    back = await page.go_back()
    world.see("back", [page.url, back and back.status])
    forward = await page.go_forward()
    world.see("forward", [page.url, forward and forward.status])
    await page.evaluate("history.pushState({}, '', '/pushed')")
    world.see("pushed", page.url)
    await page.evaluate("setTimeout(() => location.reload(), 0)")
    await page.wait_for_event("framenavigated")


@scenario
async def oopif(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/frames")
    inner = page.frame_locator("#frame")
    world.see("text", await inner.locator("#text").text_content())
    await inner.locator("#press").click()
    world.see("pressed", await inner.locator("#press").text_content())
    await inner.locator("#field").fill("typed")
    world.see("typed", await inner.locator("#field").input_value())
    world.see("frames", sorted(frame.url for frame in page.frames))
    frame = page.frame("frame")
    world.see("origin", frame and await frame.evaluate("location.origin"))
    await page.evaluate("document.querySelector('#frame').src = '/inner'")
    await page.wait_for_function("document.querySelector('#frame').contentDocument?.title === 'Inner'")
    world.see("moved", sorted(frame.url for frame in page.frames))
    await page.evaluate("document.querySelector('#frame').remove()")
    world.see("removed", sorted(frame.url for frame in page.frames))


@scenario
async def nested_oopif(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/nested")
    deep = page.frame_locator("#frame").frame_locator("#deep")
    await deep.locator("#press").click()
    world.see("pressed", await deep.locator("#press").text_content())
    world.see("frames", [frame.name for frame in page.frames])


@scenario
async def popup(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    async with page.expect_popup() as opening:
        await page.evaluate(
            "window.popup = open('/next', 'named'); onmessage = event => { window.heard = event.data }; 0"
        )
    opened = await opening.value
    await opened.wait_for_load_state()
    world.see("title", await opened.title())
    world.see("opener", await opened.opener() == page)
    await opened.evaluate("opener.postMessage('hello', '*')")
    await page.wait_for_function("window.heard")
    world.see("heard", await page.evaluate("heard"))
    await page.evaluate("popup.location = '/plain'")
    await opened.wait_for_url("**/plain")
    async with opened.expect_event("close"):
        await page.evaluate("popup.close()")
    world.see("closed", await page.evaluate("popup.closed"))


@scenario
async def popup_to_another_site(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    for features in ("", "noopener"):
        async with page.context.expect_page() as opening:
            await page.evaluate(f"open('{world.other}/next', '', '{features}'); 0")
        opened = await opening.value
        await opened.wait_for_load_state()
        world.see(features or "with opener", [await opened.title(), await opened.evaluate("opener !== null")])
        await opened.close()


@scenario
async def dedicated_workers(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/workers")
    async with page.expect_event("worker") as starting:
        world.see("answer", await page.evaluate("dedicated()"))
    worker = await starting.value
    world.see("inside", [worker.url, await worker.evaluate("6 * 7")])
    world.see("blob", await page.evaluate("fromBlob()"))
    world.see("known", len(page.workers))


@scenario
async def shared_worker(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/workers")
    world.see("answer", await page.evaluate("shared()"))


@scenario
async def service_worker(page: Page, world: World) -> None:
    page = await world.context()
    await page.goto(f"{world.own}/workers")
    world.see("answer", await page.evaluate("service()"))
    world.see("workers", [worker.url for worker in page.context.service_workers])
    world.see("inside", [await worker.evaluate("6 * 7") for worker in page.context.service_workers])


@scenario
async def visibility(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    await page.bring_to_front()
    world.see("state", await page.evaluate("[document.visibilityState, document.hasFocus()]"))
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done('came'))))"
    world.see("frames", await page.evaluate(frames))
    second = await page.context.new_page()
    world.see("behind", await page.evaluate("[document.visibilityState, document.hasFocus()]"))
    await second.close()


@scenario
async def contexts(page: Page, world: World) -> None:
    pages = [await world.context(), await world.context()]
    for number, page_in_context in enumerate(pages):
        await page_in_context.goto(f"{world.own}/set-cookie?from-server={number}")
        cookie = {"name": "from-client", "value": str(number), "url": world.own}
        await page_in_context.context.add_cookies([cookie])  # type: ignore[list-item] # a plain dict
    for page_in_context in pages:
        await page_in_context.goto(f"{world.own}/cookies")
        world.see("sent", await page_in_context.text_content("body"))
        world.see("kept", sorted(cookie["value"] for cookie in await page_in_context.context.cookies()))
        await page_in_context.context.clear_cookies()
        world.see("cleared", await page_in_context.context.cookies())


@scenario
async def screenshot(page: Page, world: World) -> None:
    await page.set_viewport_size({"width": 300, "height": 200})
    await page.goto(f"{world.own}/frames")
    await expect(page.frame_locator("#frame").locator("#text")).to_be_visible()
    image = await page.screenshot()
    world.see("size", [int.from_bytes(image[16:20]), int.from_bytes(image[20:24])])
    whole = await page.screenshot(full_page=True, type="jpeg")
    world.see("jpeg", whole[:2].hex())
    part = await page.locator("#local").screenshot()
    world.see("part", [int.from_bytes(part[16:20]), int.from_bytes(part[20:24])])


@scenario
async def pdf(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/frames")
    printed = await page.pdf()
    world.see("printed", [printed[:5].decode(), printed.count(b"/Type /Page\n")])


@scenario
async def emulation(page: Page, world: World) -> None:
    page = await world.context(
        timezone_id="Pacific/Auckland",
        locale="mi-NZ",
        geolocation={"latitude": -36.8, "longitude": 174.7},
        permissions=["geolocation"],
        user_agent="Emulated/1.0",
        viewport={"width": 321, "height": 234},
        color_scheme="dark",
    )
    await page.goto(f"{world.own}/frames")
    expression = """() => new Promise((done, failed) => navigator.geolocation.getCurrentPosition(at => done([
      Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, at.coords.latitude, navigator.userAgent,
      innerWidth, innerHeight, ...['(prefers-color-scheme: dark)', 'print'].map(media => matchMedia(media).matches)]),
      failed))"""
    world.see("context", await page.evaluate(expression))
    await page.emulate_media(media="print", color_scheme="light")
    await page.set_viewport_size({"width": 432, "height": 345})
    world.see("page", await page.evaluate(expression))
    frame = page.frame("frame")
    world.see("frame", frame and await frame.evaluate("[navigator.userAgent, matchMedia('print').matches]"))
    await page.context.set_offline(True)
    world.see("offline", await page.evaluate("fetch('/data.json').then(() => 'loaded', () => 'failed')"))


@scenario
async def init_scripts(page: Page, world: World) -> None:
    page = await world.context()
    await page.add_init_script("window.early = document.readyState + location.pathname")
    await page.context.add_init_script("window.everywhere = true")
    await page.goto(f"{world.own}/frames")
    world.see("page", await page.evaluate("[early, everywhere]"))
    frame = page.frame("frame")
    world.see("frame", frame and await frame.evaluate("[early, everywhere]"))
    async with page.expect_popup() as opening:
        await page.evaluate("open('/next'); 0")
    opened = await opening.value
    await opened.wait_for_load_state()
    world.see("popup", await opened.evaluate("[typeof early, everywhere]"))


@scenario
async def many_pages_at_once(page: Page, world: World) -> None:
    pages = await asyncio.gather(*(page.context.new_page() for _ in range(4)))
    await asyncio.gather(*(opened.goto(f"{world.own}/frames") for opened in pages))
    world.see("frames", [len(opened.frames) for opened in pages])
    await asyncio.gather(*(opened.close() for opened in pages))
