"""Writes storage in a page whose requests are all answered here, so that none reaches a server."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from html import escape
from typing import Any

from cdp_typed import Subscription
from cdp_typed._base import Command
from cdp_typed.errors import CDPError, CommandError, MethodNotFound
from cdp_typed.printable import visible
from cdp_typed.protocol import dom_storage, fetch, storage, target
from cdp_typed.protocol.ids import FrameId
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.frames import Frame
from supervisor.core.state.world import State
from supervisor.core.vocabulary.errors import CallError, EvaluationFailed
from supervisor.core.vocabulary.urls.addresses import read_address
from supervisor.core.vocabulary.urls.hosts import UnreadableAddress
from supervisor.driver.driver import Driver

from .checkpoint_values import IndexedDatabases, StorageArea
from .indexed_databases import write_databases

TIMEOUT_S = 10.0

_HEAD = '<!doctype html><link rel="icon" href="data:,">'
_PARTITION = "^0"
"""Separates an iframe's origin from the site of its page in a storage key."""


def place_of(key: str) -> str:
    """The origin of a storage key; of an iframe on another site than its page with that site."""
    origin, _, site = key.partition(_PARTITION)
    origin = origin.removesuffix("/")
    return f"{origin} in pages of {site.removesuffix('/')}" if site else origin


def can_be_shown(key: str) -> bool:
    """True for the storage key of a page, or of an iframe on another site than its page."""
    origin, partition, site = key.partition(_PARTITION)
    return _is_origin(origin) and (not partition or _is_origin(site))


def _is_origin(text: str) -> bool:
    """Whether a browser writes the origin of a website like this, with or without a slash at its end."""
    try:
        read = read_address(text)
    except UnreadableAddress:
        return False
    return read.scheme in ("http", "https") and read.origin == text.removesuffix("/")


def _documents(keys: Iterable[str]) -> dict[str, str]:
    """The addresses, each with its HTML: of every page, and of the iframe in it."""
    documents: dict[str, str] = {}
    for key in keys:
        top, frame = _addresses(key)
        if frame is None:
            documents.setdefault(top, _HEAD)
        else:
            documents[frame] = documents.get(frame, _HEAD)
            documents[top] = f'{_HEAD}<iframe src="{escape(frame)}"></iframe>'
    return documents


def _addresses(key: str) -> tuple[str, str | None]:
    """The address of the page to open for a storage key, and of the iframe in it, if it is one's."""
    origin, partition, site = key.partition(_PARTITION)
    origin = origin.removesuffix("/")
    if not partition:
        return f"{origin}/", None
    return f"{site.removesuffix('/')}/?of={origin}", f"{origin}/"


@asynccontextmanager
async def opened_for_storage(
    supervisor: AsyncSupervisor, areas: Iterable[StorageArea | IndexedDatabases]
) -> AsyncGenerator[str]:
    """Open a page for the block, with a document made here at the URL of each area. Yields its target id. The page is
    left open, with its sessionStorage; it is closed if the block fails.
    """
    page_id = (await supervisor.open_page(select=False)).target_id
    try:
        documents = _documents(area.key for area in areas if can_be_shown(area.key))
        held = await supervisor.with_driver(lambda driver: _hold_requests(driver, page_id, documents))
        yield page_id
        await supervisor.navigate("about:blank", page_id)
        await supervisor.with_driver(lambda driver: _let_go(driver, *held))
    except BaseException:
        with suppress(CDPError):
            await supervisor.close_page(page_id)
        raise


async def write(
    supervisor: AsyncSupervisor, page_id: str, area: StorageArea | IndexedDatabases, *, is_local: bool
) -> str:
    """Write an area in a page that was opened for it. Returns why it cannot be written, or the URL rules or the browser
    refuse it; else an empty text."""
    if not can_be_shown(area.key):
        return _refused(area, "it is kept for a place that cannot be made again")
    top, frame = _addresses(area.key)
    if await supervisor.with_driver(lambda driver: _is_refused(driver, top, frame or top)):
        return _refused(area, "pages may not go there")
    try:
        await supervisor.navigate(top, page_id)
        await supervisor.with_driver(lambda driver: _write(driver, page_id, frame or top, area, is_local=is_local))
    except (CallError, CommandError, EvaluationFailed, TimeoutError) as error:
        return _refused(area, type(error).__name__)
    return ""


def _refused(area: StorageArea | IndexedDatabases, why: str) -> str:
    what = "storage" if isinstance(area, StorageArea) else "IndexedDB"
    return f"the {what} of {visible(area.key)} was not restored: {why}"


async def _is_refused(driver: Driver, *urls: str) -> bool:
    """Check the URL rules here, because this page's requests are answered before the supervisor checks them."""
    url_rules = driver.state.world.interception.url_rules
    return any(rules.why_not(url) is not None for rules in url_rules for url in urls)


async def _write(
    driver: Driver, page_id: str, url: str, area: StorageArea | IndexedDatabases, *, is_local: bool
) -> None:
    def shown(state: State) -> Frame | None:
        nodes = state.world.frames.nodes.values()
        found = (frame for frame in nodes if frame.page_id == page_id and frame.url == url)
        return next((frame for frame in found if not frame.is_loading and not frame.is_moving), None)

    async with asyncio.timeout(TIMEOUT_S):
        frame = shown(await driver.wait_for(lambda state: shown(state) is not None))
        assert frame is not None
        if isinstance(area, IndexedDatabases):
            await write_databases(driver, frame, area, TIMEOUT_S)
            return
        key = dom_storage.SerializedStorageKey(area.key)
        storage_id = dom_storage.StorageId(storage_key=key, is_local_storage=is_local)
        for name, value in area.items:
            setting = dom_storage.SetDOMStorageItem(storage_id=storage_id, key=name, value=value)
            await driver.send_unrecorded(setting, frame.session_id, TIMEOUT_S)


async def _hold_requests(driver: Driver, page_id: str, documents: dict[str, str]) -> tuple[str, Subscription]:
    """Answer every request of the page from `documents`, and fail the others, on its own session."""
    attach = target.AttachToTarget(target_id=target.TargetID(page_id), flatten=True)
    session_id = str((await driver.send_unrecorded(attach, None, TIMEOUT_S)).session_id)

    def answer(event: fetch.RequestPaused) -> Command[Any]:
        html = documents.get(event.request.url)
        if html is None or event.resource_type != "Document":
            return fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
        body = base64.b64encode(html.encode()).decode()
        headers = [fetch.HeaderEntry(name="Content-Type", value="text/html; charset=utf-8")]
        return fetch.FulfillRequest(request_id=event.request_id, response_code=200, response_headers=headers, body=body)

    answering = driver.answer_requests(session_id, answer)
    await driver.send_unrecorded(fetch.Enable(), session_id, TIMEOUT_S)
    return session_id, answering


async def _let_go(driver: Driver, session_id: str, answering: Subscription) -> None:
    detach = target.DetachFromTarget(session_id=target.SessionID(session_id))
    await driver.send_unrecorded(detach, None, TIMEOUT_S)
    answering.close()


async def storage_key(send: Callable[[Command[Any]], Awaitable[Any]], frame_id: str) -> str:
    """Ask for the key (`Storage.getStorageKey`; browsers before it have `Storage.getStorageKeyForFrame`).

    Raises what `send` raises.
    """
    try:
        return str((await send(storage.GetStorageKey(frame_id=FrameId(frame_id)))).storage_key)
    except MethodNotFound:
        ask = storage.GetStorageKeyForFrame(frame_id=FrameId(frame_id))  # pyright: ignore[reportDeprecated]  # for those
        return str((await send(ask)).storage_key)
