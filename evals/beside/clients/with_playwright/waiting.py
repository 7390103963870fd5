"""Scenarios in which the page waits for its client: dialogs, file choosers, downloads, logins, held requests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from playwright.async_api import Dialog, Page, Request, Route
from world import World, new_pages_only, scenario


def answering(world: World, page: Page, answers: Mapping[str, str | bool]) -> list[str]:
    """Answer dialogs by their messages: a text or True accepts, False dismisses. What they were is listed."""
    dialogs: list[str] = []

    async def answer(dialog: Dialog) -> None:
        dialogs.append(f"{dialog.type} {dialog.message} {dialog.default_value}".strip())
        given = answers.get(dialog.message, True)
        if given is False:
            await dialog.dismiss()
        else:
            await dialog.accept(given if isinstance(given, str) else None)

    world.on(page, "dialog", answer)
    return dialogs


@scenario
async def dialogs(page: Page, world: World) -> None:
    said = answering(world, page, {"no": False, "name?": "Ada"})
    await page.goto(f"{world.own}/plain")
    world.see("answers", await page.evaluate("[alert('hello'), confirm('yes'), confirm('no'), prompt('name?', 'x')]"))
    await page.evaluate("setTimeout(() => { window.later = confirm('yes') }, 0)")
    await page.wait_for_function("'later' in window")
    world.see("dialogs", said)


@scenario
async def quick_dialogs_in_a_row(page: Page, world: World) -> None:
    said = answering(world, page, {f"{number}": number % 2 == 0 for number in range(8)})
    await page.goto(f"{world.own}/plain")
    world.see("first", await page.evaluate("[0, 1, 2, 3, 4, 5, 6, 7].map(number => confirm(String(number)))"))
    await page.goto(f"{world.own}/next")
    world.see("second", await page.evaluate("[0, 1, 2].map(number => prompt(String(number), 'text'))"))
    world.see("dialogs", said)
    other = await page.context.new_page()
    said = answering(world, other, {})
    await other.goto(f"{world.own}/early")
    world.see("another page", [await other.evaluate("answer"), said])
    await other.close()


@scenario
async def unheard_dialogs(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    world.see("answers", await page.evaluate("[alert('a'), confirm('b'), prompt('c', 'x'), confirm('d')]"))


@scenario
async def dialogs_of_frames(page: Page, world: World) -> None:
    said = answering(world, page, {"name?": "Ada"})
    await page.goto(f"{world.own}/frames")
    for name in ("frame", "local"):
        frame = page.frame(name)
        world.see(name, frame and await frame.evaluate("[prompt('name?'), confirm('sure?'), alert('done')]"))
    world.see("dialogs", said)


@scenario
async def dialog_of_a_popup(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/plain")
    said: list[str] = []

    async def answer(dialog: Dialog) -> None:
        said.append(dialog.message)
        await dialog.accept()

    world.on(page.context, "dialog", answer)
    async with page.expect_popup() as opening:
        await page.evaluate("open('/early'); 0")
    opened = await opening.value
    await opened.wait_for_function("'answer' in window")
    world.see("answer", [await opened.evaluate("answer"), said])
    await opened.close()


@scenario
async def slow_answer(page: Page, world: World) -> None:
    async def answer(dialog: Dialog) -> None:
        await asyncio.sleep(0.6)
        await dialog.accept("late")

    world.on(page, "dialog", answer)
    await page.goto(f"{world.own}/plain")
    world.see("answers", await page.evaluate("[prompt('a'), prompt('b')]"))


def leaving(world: World, page: Page, stays: list[bool]) -> None:
    """Answer `beforeunload` dialogs in this order."""

    async def answer(dialog: Dialog) -> None:
        world.see("dialog", dialog.type)
        await (dialog.dismiss() if stays.pop(0) else dialog.accept())

    world.on(page, "dialog", answer)


@scenario
async def beforeunload(page: Page, world: World) -> None:
    leaving(world, page, [True, False])
    await page.goto(f"{world.own}/staying")
    await page.click("#touch")
    try:
        await page.goto(f"{world.own}/next")
    except Exception as error:
        world.see("stays", str(error).splitlines()[0])
    await asyncio.sleep(1)  # a navigation at once would be taken for the one that failed
    await page.goto(f"{world.own}/next")
    world.see("left", page.url)


@new_pages_only
async def closing_with_beforeunload(page: Page, world: World) -> None:
    leaving(world, page, [True, False])
    await page.goto(f"{world.own}/staying")
    await page.click("#touch")
    async with page.expect_event("dialog"):
        await page.close(run_before_unload=True)
    world.see("stays", await page.title())
    async with page.expect_event("close"):
        await page.close(run_before_unload=True)


@new_pages_only
async def closing_under_a_dialog(page: Page, world: World) -> None:
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    world.on(page, "dialog", lambda dialog: opened.set_result(dialog.message))
    await page.goto(f"{world.own}/plain")
    await page.evaluate("setTimeout(() => confirm('left open'), 0)")
    world.see("dialog", await asyncio.wait_for(opened, 10))
    await page.close()
    world.see("closed", page.is_closed())
    other = await world.browser.contexts[0].new_page()
    await other.goto(f"{world.own}/plain")
    world.see("afterwards", await other.title())
    await other.close()


@scenario
async def routes(page: Page, world: World) -> None:
    async def change(route: Route) -> None:
        await route.continue_(headers={**route.request.headers, "X-Probe": "changed"})

    await page.goto(f"{world.own}/plain")
    await page.route("**/made-up", lambda route: route.fulfill(status=201, body="fulfilled"))
    await page.route("**/data.json", lambda route: route.abort())
    await page.route("**/headers", change)
    await page.route("**/next", lambda route: route.fulfill(body="<title>Routed</title>", content_type="text/html"))
    fetched = "url => fetch(url).then(async answer => [answer.status, await answer.text()], error => error.name)"
    for url in ("/made-up", "/data.json", "/headers", "/plain"):
        world.see(url, (await page.evaluate(fetched, url))[: 20 if url != "/plain" else 1])
    await page.goto(f"{world.own}/next")
    world.see("document", await page.title())
    await page.unroute_all()
    await page.goto(f"{world.own}/next")
    world.see("without", await page.title())


@scenario
async def routes_of_frames_and_contexts(page: Page, world: World) -> None:
    page = await world.context()
    await page.context.route(
        "**/inner", lambda route: route.fulfill(body="<p id=text>routed</p>", content_type="text/html")
    )
    await page.goto(f"{world.own}/frames")
    world.see("frame", await page.frame_locator("#frame").locator("#text").text_content())
    async with page.expect_popup() as opening:
        await page.evaluate("open('/inner'); 0")
    world.see("popup", await (await opening.value).text_content("#text"))


@scenario
async def file_chooser(page: Page, world: World) -> None:
    (world.folder / "one.txt").write_text("1")
    (world.folder / "two.txt").write_text("2")
    await page.goto(f"{world.own}/files")
    async with page.expect_file_chooser() as choosing:
        await page.click("#pick")
    chooser = await choosing.value
    world.see("several", chooser.is_multiple())
    await chooser.set_files([world.folder / "one.txt", world.folder / "two.txt"])
    world.see("chosen", await page.evaluate("[...pick.files].map(file => file.name)"))
    await page.set_input_files("#pick", world.folder / "one.txt")
    world.see("set", await page.evaluate("pick.files[0].text()"))


@scenario
async def download(page: Page, world: World) -> None:
    await page.goto(f"{world.own}/download")
    for _ in range(2):
        async with page.expect_download() as downloading:
            await page.click("#get")
        loaded = await downloading.value
        world.see("name", [loaded.suggested_filename, loaded.url, await loaded.failure()])
        await loaded.save_as(world.folder / "saved.txt")
        world.see("content", (world.folder / "saved.txt").read_text())
    context_page = await world.context()
    await context_page.goto(f"{world.own}/download")
    async with context_page.expect_download() as downloading:
        await context_page.click("#get")
    world.see("in a context", (await (await downloading.value).path()).read_text())


@scenario
async def http_auth(page: Page, world: World) -> None:
    page = await world.context(http_credentials={"username": "ada", "password": "lovelace"})
    response = await page.goto(f"{world.own}/members")
    world.see("right", [response and response.status, await page.title()])
    page = await world.context(http_credentials={"username": "ada", "password": "wrong"})
    response = await page.goto(f"{world.own}/members")
    world.see("wrong", response and response.status)


@new_pages_only
async def http_auth_not_given(page: Page, world: World) -> None:
    try:
        response = await page.goto(f"{world.own}/members")
        world.see("none", response and response.status)
    except Exception as error:
        world.see("none", str(error).splitlines()[0])


@scenario
async def requests(page: Page, world: World) -> None:
    told: list[str] = []

    def tell(word: str) -> None:
        def note(request: Request) -> None:
            told.append(f"{word} {request.method} {request.url} {request.resource_type}")

        world.on(page, word, note)

    for word in ("request", "requestfinished", "requestfailed"):
        tell(word)
    await page.goto(f"{world.own}/plain")
    async with page.expect_response("**/headers") as answering_:
        await page.evaluate("fetch('/headers', {headers: {'X-Probe': 'sent'}}).then(answer => answer.text())")
    answer = await answering_.value
    world.see("body", await answer.text())
    await page.evaluate("fetch('http://127.0.0.1:1/').catch(() => 0)")
    await asyncio.sleep(0.5)
    world.see("told", sorted(told))
