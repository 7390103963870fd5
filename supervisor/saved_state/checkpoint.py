"""Copies cookies and storage from one supervisor's browser context to another. The browser returns the cookies, and the
`DOMStorage` domain returns the storage. A script in an isolated world reads IndexedDB, which no command returns whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.printable import visible
from cdp_typed.protocol import dom_storage, network, storage
from cdp_typed.protocol.browser import BrowserContextID
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.frames import Frame
from supervisor.core.state.pages import Session
from supervisor.core.state.world import World
from supervisor.core.vocabulary.errors import CallError, InvalidConfig, NoPage
from supervisor.driver.browser_contexts import accepted_context
from supervisor.driver.driver import Driver

from .checkpoint_values import Checkpoint, IndexedDatabases, SavedPage, StorageArea
from .indexed_databases import read_databases
from .storage_documents import can_be_shown, opened_for_storage, storage_key, write

__all__ = ["Checkpoint", "restore", "take"]

TIMEOUT_S = 5.0
"""Seconds that a page has to report its storage. Later replies are ignored and the storage is listed as missing."""

_log = logging.getLogger("supervisor")

_Area = StorageArea | IndexedDatabases

_SHOWN = ("http://", "https://")


class _FrameStorage(Struct, frozen=True):
    """The storage that one frame reported; None for an area that it did not report."""

    frame: Frame
    key: str | None = None
    local: StorageArea | None = None
    session: StorageArea | None = None
    databases: IndexedDatabases | None = None


async def take(supervisor: AsyncSupervisor) -> Checkpoint:
    """Return the cookies of the supervisor's own browser context, and the storage and the addresses of its open pages.

    With the scope `browser`, the browser context of the current page replaces the private one. Takes five seconds
    at most: `missing` lists the storage that a page with a dialog or a busy script did not report. Raises
    `InvalidConfig` with another scope and without `own_context=True`, `NoPage` without a current page, and `NotRunning`
    or `ConnectionLost` without a browser.
    """
    return await supervisor.with_driver(_take)


async def restore(supervisor: AsyncSupervisor, checkpoint: Checkpoint, *, pages: bool = False) -> Checkpoint:
    """Put cookies and localStorage into the supervisor's own browser context; with `pages`, open the pages as well,
    with their sessionStorage. Returns what was restored; `missing` has one sentence for each part that was not, and
    each is logged.

    A temporary page writes localStorage; its documents never come from a server. Places where `restrict` lets no page
    go are skipped. Raises what `take` raises, and what `open_page` raises.
    """
    context_id = await supervisor.with_driver(_own_context)
    missing: list[str] = []
    areas: list[_Area] = [area for area in checkpoint.local_storage if area.items]
    if areas := [*areas, *checkpoint.indexed_db]:
        async with opened_for_storage(supervisor, areas) as page_id:
            await supervisor.with_driver(lambda driver: _check_context(driver, page_id, context_id))
            areas = await _write_each(supervisor, page_id, areas, missing, is_local=True)
        await supervisor.close_page(page_id)
    cookies = await supervisor.with_driver(lambda driver: _set_cookies(driver, context_id, checkpoint.cookies))
    missing += _unset(checkpoint.cookies, cookies)
    opened = [await _open(supervisor, saved, missing) for saved in (checkpoint.pages if pages else ())]
    for sentence in missing:
        _log.warning("%s", sentence)
    return Checkpoint(
        cookies=cookies,
        local_storage=tuple(area for area in areas if isinstance(area, StorageArea)),
        indexed_db=tuple(area for area in areas if isinstance(area, IndexedDatabases)),
        pages=tuple(opened),
        missing=tuple(missing),
    )


async def _write_each(
    supervisor: AsyncSupervisor, page_id: str, areas: list[_Area], missing: list[str], *, is_local: bool
) -> list[_Area]:
    """Write areas in a page that was opened for them, and return those that were written."""
    done: list[_Area] = []
    for area in areas:
        refusal = await write(supervisor, page_id, area, is_local=is_local)
        if refusal:
            missing.append(refusal)
        else:
            done.append(area)
    return done


async def _open(supervisor: AsyncSupervisor, saved: SavedPage, missing: list[str]) -> SavedPage:
    areas: list[_Area] = [area for area in saved.session_storage if area.items]
    if areas:
        async with opened_for_storage(supervisor, areas) as page_id:
            areas = await _write_each(supervisor, page_id, areas, missing, is_local=False)
    else:
        page_id = (await supervisor.open_page(select=False)).target_id
    with contextlib.suppress(CallError):  # it shows what it shows: a site that is gone, a dialog, a refused place
        await supervisor.navigate(saved.url, page_id)
    if saved.is_current:
        await supervisor.select_page(page_id)
    return replace(saved, session_storage=tuple(area for area in areas if isinstance(area, StorageArea)))


def _context(driver: Driver) -> BrowserContextID:
    world = driver.state.world
    if world.page_ownership.context_id is not None:
        return world.page_ownership.context_id
    if not world.page_ownership.covers_all:
        raise InvalidConfig("own_context", False, "True, for a checkpoint: other contexts are not the supervisor's")
    page = world.targets.page(world.targets.current or "")
    if page is None:
        raise NoPage
    return BrowserContextID(page.browser_context_id or "")


async def _take(driver: Driver) -> Checkpoint:
    context_id = _context(driver)
    world = driver.state.world
    tabs = [page for page in world.targets.pages() if page.browser_context_id == context_id]
    known = {page.target_id for page in tabs}
    frames = [frame for frame in world.frames.nodes.values() if frame.page_id in known and frame.url.startswith(_SHOWN)]
    reading = asyncio.gather(*(_read(driver, frame) for frame in frames))
    try:
        get_cookies = storage.GetCookies(browser_context_id=await accepted_context(driver, context_id))
        cookies = (await driver.send_unrecorded(get_cookies, None, TIMEOUT_S)).cookies
        reported = await reading
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    kept = tuple(cookie for cookie in cookies if not cookie.partition_key_opaque)
    return Checkpoint(
        cookies=kept,
        local_storage=tuple({one.key: one.local for one in reported if one.key and one.local}.values()),
        indexed_db=tuple(
            {one.key: one.databases for one in reported if one.databases and one.databases.databases != "[]"}.values()
        ),
        pages=tuple(_pages(world, tabs, reported)),
        missing=tuple(dict.fromkeys((*_missing(reported, driver.state.world), *_opaque(len(cookies) - len(kept))))),
    )


async def _read(driver: Driver, frame: Frame) -> _FrameStorage:
    """Ask a frame for its storage. Replies that come too late are ignored."""
    reported = _FrameStorage(frame)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            key = await _storage_key(driver, frame)
            reported = _FrameStorage(frame, key)
            local = await _area(driver, frame, key, is_local=True)
            reported = _FrameStorage(frame, key, local)
            session = await _area(driver, frame, key, is_local=False)
            reported = _FrameStorage(frame, key, local, session)
            if can_be_shown(key):
                databases = await read_databases(driver, frame, key, TIMEOUT_S)
                reported = _FrameStorage(frame, key, local, session, databases)
    except (CDPError, TimeoutError):
        pass
    return reported


async def _storage_key(driver: Driver, frame: Frame) -> str:
    return await storage_key(lambda ask: driver.send_unrecorded(ask, frame.session_id, TIMEOUT_S), frame.frame_id)


async def _area(driver: Driver, frame: Frame, key: str, *, is_local: bool) -> StorageArea:
    storage_id = dom_storage.StorageId(storage_key=dom_storage.SerializedStorageKey(key), is_local_storage=is_local)
    ask = dom_storage.GetDOMStorageItems(storage_id=storage_id)
    entries = (await driver.send_unrecorded(ask, frame.session_id, TIMEOUT_S)).entries
    return StorageArea(key=key, items=tuple((str(name), str(value)) for name, value in entries))


def _pages(world: World, tabs: list[Session], reported: list[_FrameStorage]) -> Iterator[SavedPage]:
    for session in tabs:
        top = world.frames.root(session.target_id)
        if top is None or not top.url.startswith(_SHOWN):
            continue
        areas = {one.key: one.session for one in reported if one.frame.page_id == session.target_id and one.session}
        kept = tuple(area for area in areas.values() if area.items)
        yield SavedPage(url=top.url, is_current=world.targets.current == session.target_id, session_storage=kept)


def _missing(reported: list[_FrameStorage], now: World) -> Iterator[str]:
    """List the storage that existing frames did not report."""
    known = {one.key for one in reported if one.local}
    for one in reported:
        if one.frame.frame_id not in now.frames.nodes or (one.key and not can_be_shown(one.key) and "^1" in one.key):
            continue
        if one.key is None or one.key not in known:
            yield f"localStorage of {one.frame.origin}: its page did not answer"
        elif not can_be_shown(one.key):
            yield f"storage of {one.frame.origin}: it is kept for a place that cannot be made again"
        if one.session is None:
            yield f"sessionStorage of {one.frame.origin}: its page did not answer"
        elif one.databases is None and one.key is not None and can_be_shown(one.key):
            yield f"IndexedDB of {one.frame.origin}: its page did not answer"
        elif one.databases is not None and one.databases.missing:
            yield f"{one.frame.origin}: {one.databases.missing}"


def _opaque(number: int) -> Iterator[str]:
    if number:
        yield f"{number} cookies of places without an address"


async def _own_context(driver: Driver) -> BrowserContextID:
    return _context(driver)


async def _check_context(driver: Driver, page_id: str, context_id: BrowserContextID) -> None:
    page = driver.state.world.targets.page(page_id)
    if page is not None and page.browser_context_id != context_id:
        raise InvalidConfig(
            "own_context", False, "True: the current page belongs to the browser context of another client"
        )


async def _set_cookies(
    driver: Driver, context_id: BrowserContextID, cookies: tuple[network.Cookie, ...]
) -> tuple[network.Cookie, ...]:
    """Set the cookies, and return those that the browser has afterwards: one that has expired is accepted, not kept."""
    if not cookies:
        return ()
    context = await accepted_context(driver, context_id)

    async def put(*some: network.Cookie) -> bool:
        setting = storage.SetCookies(cookies=[_param(each) for each in some], browser_context_id=context)
        with contextlib.suppress(CommandError):
            await driver.send_unrecorded(setting, None, TIMEOUT_S)
            return True
        return False

    if not await put(*cookies):  # it sets none of them for one that it refuses
        for each in cookies:
            await put(each)
    kept = (await driver.send_unrecorded(storage.GetCookies(browser_context_id=context), None, TIMEOUT_S)).cookies
    there = {(_identity(each), each.value) for each in kept}
    return tuple(each for each in cookies if (_identity(each), each.value) in there)


def _unset(wanted: tuple[network.Cookie, ...], kept: tuple[network.Cookie, ...]) -> Iterator[str]:
    """One sentence for each cookie that the browser does not have, or has with another value."""
    there = {_identity(each) for each in kept}
    for cookie in wanted:
        if _identity(cookie) not in there:
            is_over = not cookie.session and cookie.expires <= time.time()
            why = "has expired" if is_over else "is not in the browser as it was saved"
            yield f"the cookie {visible(cookie.name)} of {visible(cookie.domain)} {why}"


def _identity(cookie: network.Cookie) -> tuple[object, ...]:
    """What two cookies cannot share, as the browser writes it."""
    return cookie.name, cookie.domain.lower(), cookie.path or "/", cookie.partition_key


def _param(cookie: network.Cookie) -> network.CookieParam:
    fields: dict[str, Any] = {
        name: getattr(cookie, name)
        for name in network.CookieParam.__struct_fields__
        if name in network.Cookie.__struct_fields__ and not (name == "expires" and cookie.session)
    }
    return network.CookieParam(**fields)
