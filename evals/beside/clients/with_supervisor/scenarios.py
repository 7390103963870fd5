"""Scenarios of a second supervisor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from cdp_typed import TargetCrashed
from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page, runtime
from evals.beside.clients.programs import Scenarios, World
from supervisor import (
    AsyncSupervisor,
    BlockedByDialog,
    DialogAction,
    DialogRule,
    NavigationFailed,
    PageInfo,
    SupervisorSnapshot,
    UrlRules,
)

SCENARIOS = Scenarios[AsyncSupervisor]()


def current(now: SupervisorSnapshot) -> PageInfo:
    return next(info for info in now.pages if info.is_current)


def is_loaded(now: SupervisorSnapshot) -> bool:
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


async def go(supervisor: AsyncSupervisor, url: str) -> SupervisorSnapshot:
    await supervisor.navigate(url)
    return await supervisor.wait_for(lambda now: is_loaded(now) and current(now).url == url, timeout_s=10)


async def value(supervisor: AsyncSupervisor, expression: str, frame_id: str | None = None) -> object:
    return (await supervisor.evaluate(expression, frame_id)).value


async def run(supervisor: AsyncSupervisor, expression: str, frame_id: str | None = None) -> None:
    """With a user's gesture, and without waiting for what it returns."""
    await supervisor.send(runtime.Evaluate(expression=expression, user_gesture=True), frame_id)


async def click(supervisor: AsyncSupervisor) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        press = input_.DispatchMouseEvent(type=kind, x=20, y=20, button="left", click_count=1)
        await supervisor.send(press)


def closed_by(supervisor: AsyncSupervisor, count: int) -> list[list[object]]:
    records = supervisor.snapshot().recent_dialogs[-count:]
    return [[record.message, record.closed_by, record.accepted, record.user_input] for record in records]


@SCENARIOS.add
async def navigation(supervisor: AsyncSupervisor, world: World) -> None:
    now = await go(supervisor, f"{world.own}/frames")
    world.see("frames", sorted([frame.url, frame.is_oopif] for frame in now.frame_tree.children))
    await supervisor.reload_page()
    await supervisor.wait_for(is_loaded, timeout_s=10)
    world.see("title", await value(supervisor, "document.title"))
    try:
        await supervisor.navigate("http://127.0.0.1:1/")
    except NavigationFailed as error:
        world.see("refused", str(error))
    await go(supervisor, f"{world.own}/next")
    world.see("afterwards", await value(supervisor, "document.title"))


@SCENARIOS.add
async def oopifs(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/nested")
    now = await supervisor.wait_for(lambda now: now.frame_tree.total == 3 and is_loaded(now), timeout_s=10)
    for frame in now.frame_tree.children:
        world.see(frame.name, await value(supervisor, "location.href", frame.frame_id))


@asynccontextmanager
async def opened(supervisor: AsyncSupervisor, expression: str, frame_id: str | None = None) -> AsyncGenerator[str]:
    """The id of the dialog that an expression opens."""
    try:
        await supervisor.evaluate(expression, frame_id)
    except BlockedByDialog as blocked:
        yield blocked.dialog.id
    else:
        raise AssertionError("no dialog opened")


@SCENARIOS.add
async def dialogs(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/plain")
    answers: list[tuple[str, DialogAction, str | None]] = [
        ("alert('hello')", "accept", None),
        ("confirm('yes')", "accept", None),
        ("confirm('no')", "dismiss", None),
        ("prompt('name?')", "accept", "Ada"),
    ]
    for opens, action, text in answers:
        async with opened(supervisor, f"window.answer = {opens}") as dialog_id:
            receipt = await supervisor.respond_to_dialog(action, text, dialog_id)
            world.see(opens, [receipt.closed_by, receipt.accepted])
        world.see("answer", await value(supervisor, "window.answer"))


@SCENARIOS.add
async def dialogs_of_frames(supervisor: AsyncSupervisor, world: World) -> None:
    now = await go(supervisor, f"{world.own}/frames")
    for frame in sorted(now.frame_tree.children, key=lambda frame: frame.name):
        async with opened(supervisor, "window.answer = prompt('name?')", frame.frame_id) as dialog_id:
            await supervisor.respond_to_dialog("accept", frame.name, dialog_id)
        world.see(frame.name, await value(supervisor, "window.answer", frame.frame_id))


@SCENARIOS.add
async def rules(supervisor: AsyncSupervisor, world: World) -> None:
    """Quick answers, many in a row."""
    await go(supervisor, f"{world.own}/plain")
    armed = [
        await supervisor.arm_dialog(DialogRule(action="accept", type="confirm")),
        await supervisor.arm_dialog(DialogRule(action="accept", type="prompt", prompt_text="Ada")),
    ]
    world.see("confirms", await value(supervisor, "[1, 2, 3, 4].map(number => confirm(number))"))
    world.see("prompts", await value(supervisor, "[1, 2, 3].map(number => prompt(number))"))
    world.see("records", closed_by(supervisor, 7))
    await go(supervisor, f"{world.own}/early")
    world.see("early", await value(supervisor, "window.answer"))
    for rule_id in armed:
        await supervisor.disarm_dialog(rule_id)


@SCENARIOS.add
async def beforeunload(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/staying")
    await click(supervisor)
    for action in ("dismiss", "accept"):
        try:
            await supervisor.send(page.Navigate(url=f"{world.own}/next"))
        except BlockedByDialog as blocked:
            world.see("dialog", blocked.dialog.type)
            await supervisor.respond_to_dialog("accept" if action == "accept" else "dismiss")
        await asyncio.sleep(1)  # a navigation at once is now and then not asked about
    world.see("title", await value(supervisor, "document.title"))


@SCENARIOS.add
async def popups(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/plain")
    opener = current(supervisor.snapshot()).target_id

    async def popup(url: str) -> PageInfo:
        await run(supervisor, f"window.popup = open('{url}'); 0")

        def opened_by(now: SupervisorSnapshot) -> list[PageInfo]:
            return [info for info in now.pages if info.opener_id == opener]

        return opened_by(await supervisor.wait_for(lambda now: bool(opened_by(now)), timeout_s=10))[0]

    shown = await popup("/next")
    await supervisor.wait_for(lambda now: any(info.url == f"{world.own}/next" for info in now.pages), timeout_s=10)
    titled = "new Promise(done => setInterval(() => document.title && done(document.title), 20))"
    world.see("title", await value(supervisor, titled, shown.target_id))
    await run(supervisor, "popup.close()", opener)
    await supervisor.wait_for(lambda now: all(info.target_id != shown.target_id for info in now.pages), timeout_s=10)
    asking = await popup("/early")
    now = await supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=10)
    world.see("asks", [[dialog.message, dialog.target_id == asking.target_id] for dialog in now.pending_dialogs])
    await supervisor.respond_to_dialog("accept")
    world.see("answer", await value(supervisor, "window.answer", asking.target_id))
    await supervisor.close_page(asking.target_id)
    await supervisor.select_page(opener)


@SCENARIOS.add
async def consoles(supervisor: AsyncSupervisor, world: World) -> None:
    cursor = supervisor.console_since(0).cursor
    await go(supervisor, f"{world.own}/logging")
    await supervisor.wait_for(lambda _: len(supervisor.console_since(cursor).messages) == 4, timeout_s=10)
    said = supervisor.console_since(cursor).messages
    world.see("said", sorted([message.level, message.text.split("\n")[0]] for message in said))


@SCENARIOS.add
async def file_choosers(supervisor: AsyncSupervisor, world: World) -> None:
    (world.folder / "one.txt").write_text("1")
    await go(supervisor, f"{world.own}/files")
    await run(supervisor, "pick.click()")
    await supervisor.wait_for(lambda now: bool(now.blockers), timeout_s=10)
    world.see("blockers", [blocker.kind for blocker in supervisor.snapshot().blockers])
    await supervisor.choose_files([world.folder / "one.txt"])
    world.see("chosen", await value(supervisor, "pick.files[0].name"))


@SCENARIOS.add
async def downloads(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/download")
    cursor = supervisor.snapshot().cursor
    await run(supervisor, "document.querySelector('#get').click()")
    begun = await supervisor.wait_for_change("blocker_opened", since=cursor, timeout_s=10)
    ended = await supervisor.wait_for_change("blocker_closed", since=cursor, timeout_s=10)
    world.see("download", [begun.text, begun.subject == ended.subject])


@SCENARIOS.add
async def restrictions(supervisor: AsyncSupervisor, world: World) -> None:
    await supervisor.restrict(UrlRules(deny_origins=("https://elsewhere.example",)))
    await go(supervisor, f"{world.own}/frames")
    try:
        await supervisor.navigate("https://elsewhere.example/")
    except NavigationFailed:
        world.see("refused", True)
    await go(supervisor, f"{world.own}/next")


@SCENARIOS.add
async def workers(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/workers")
    for kind in ("dedicated", "fromBlob", "shared", "service"):
        try:
            world.see(kind, (await supervisor.evaluate(f"{kind}()", timeout_s=2)).value)
        except Exception as error:
            world.see(kind, type(error).__name__)


@SCENARIOS.add
async def changes(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/plain")
    cursor = supervisor.snapshot().cursor
    await go(supervisor, f"{world.own}/frames")
    await supervisor.evaluate("console.log('hello')")
    async with opened(supervisor, "alert('asked')"):
        await supervisor.respond_to_dialog("accept")
    told = supervisor.changes_since(cursor).changes
    world.see("kinds", sorted({change.kind for change in told}))


@SCENARIOS.add
async def scripts(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/plain")
    world.see("debugger", await value(supervisor, "debugger; 'on'"))
    state = "[document.visibilityState, document.hasFocus()]"
    world.see("visible", await value(supervisor, state))


@SCENARIOS.add_for_new_pages
async def closing_under_a_dialog(supervisor: AsyncSupervisor, world: World) -> None:
    opened_page = await supervisor.open_page(f"{world.own}/frames")
    now = await supervisor.wait_for(lambda now: now.frame_tree.total == 3 and is_loaded(now), timeout_s=10)
    inner = next(frame for frame in now.frame_tree.children if frame.is_oopif)
    async with opened(supervisor, "confirm('left open')", inner.frame_id):
        await supervisor.close_page(opened_page.target_id)
    world.see("records", closed_by(supervisor, 1))
    world.see("afterwards", await value(supervisor, "1 + 1"))


@SCENARIOS.add_for_new_pages
async def crash(supervisor: AsyncSupervisor, world: World) -> None:
    await go(supervisor, f"{world.own}/plain")
    try:
        await supervisor.send(page.Crash())
    except TargetCrashed:
        world.see("crashed", current(supervisor.snapshot()).status)
    await supervisor.reload_page()
    await supervisor.wait_for(is_loaded, timeout_s=10)
    world.see("afterwards", await value(supervisor, "document.title"))
