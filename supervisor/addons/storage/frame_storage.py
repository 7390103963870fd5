"""The tool `browser_storage`."""

from __future__ import annotations

import asyncio
from typing import Literal

from msgspec import Struct

from cdp_typed.protocol import dom_storage
from supervisor.core.vocabulary.errors import UnknownFrame
from supervisor.core.vocabulary.values import FrameInfo
from supervisor.saved_state.storage_documents import storage_key
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText
from supervisor.tools.page.locators import frame_meant
from supervisor.tools.page.page_frames import top_frame, top_of_session
from supervisor.tools.page.refs import frame_named
from supervisor.tools.raw_commands.checks import check_command

from .stored_records import StoredRecord, cached, records

MOST_ENTRIES = 200
LOOKS = 50
"""The number of times that a new value is read until it is there."""
LOOK_S = 0.02
"""The time between two of them."""
_READ_ONLY = ("indexeddb", "cache")


class StorageArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_storage`."""

    area: Literal["local", "session", "indexeddb", "cache"]
    """indexeddb and cache: list and get only."""
    action: Literal["list", "get", "set", "delete", "clear"] = "list"
    key: str | None = None
    """For get, set and delete, as list shows it."""
    value: TypedText = ""
    """For set."""
    frame_id: str | None = None
    """An iframe's ref, or an id."""


class StoredEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored entry."""

    key: PageText
    """Of IndexedDB: database/store, or the key of a record. Of a cache: an address."""
    value: LongPageText = ""
    """Only for `get` and `set`; of a record, as JSON."""
    size: int | None = None
    """In a list: the characters of the value, or the records of a store."""
    cache: PageText = ""
    """The name of its cache."""


class Stored(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The entries of a frame's storage."""

    entries: list[StoredEntry] = []
    more: int = 0
    """Entries that are not shown."""
    deleted: int = 0
    """The number of entries that no longer exist."""


@tool(toolset="browser-storage", destructive=True)
async def browser_storage(context: ToolContext, arguments: StorageArguments) -> Stored:
    """Read or change what a frame's site stores."""
    key = arguments.key
    if key is None and arguments.action in ("get", "set", "delete"):
        raise InvalidArgument("key", f"{arguments.action} needs a key")
    frame = await _frame(context, arguments.frame_id)
    if arguments.area in _READ_ONLY:
        if arguments.action not in ("list", "get"):
            raise InvalidArgument("action", f"{arguments.area} can be listed and read only")
        read = records if arguments.area == "indexeddb" else cached
        found = await read(context.supervisor, frame.frame_id, None if arguments.action == "list" else key)
        return _shown([_entry(record) for record in found.entries], found.more)
    area = await _Area.of(context, frame, is_local=arguments.area == "local")
    match arguments.action, key:
        case "set", str():
            context.supervisor.redaction.hide(arguments.value)
            await area.send(dom_storage.SetDOMStorageItem(storage_id=area.id, key=key, value=arguments.value))
            items = await area.items()
            for _ in range(LOOKS):  # the frame of another process reads it a moment later
                if items.get(key) == arguments.value:
                    break
                await asyncio.sleep(LOOK_S)
                items = await area.items()
            return _shown([StoredEntry(key=key, value=items[key])] if key in items else [])
        case "get", str():
            items = await area.items()
            return _shown([StoredEntry(key=key, value=items[key])] if key in items else [])
        case ("delete", str()) | ("clear", _):
            before = await area.items()
            is_one = arguments.action == "delete" and key is not None
            await area.send(
                dom_storage.RemoveDOMStorageItem(storage_id=area.id, key=key or "")
                if is_one
                else dom_storage.Clear(storage_id=area.id)
            )
            return Stored(deleted=len(before.keys() - (await area.items()).keys()))
        case _:
            return _shown([StoredEntry(key=name, size=len(value)) for name, value in (await area.items()).items()])


class _Area(Struct, frozen=True):
    """The localStorage or the sessionStorage of a frame (`DOMStorage`): no script runs in the page."""

    context: ToolContext
    session_frame: str
    id: dom_storage.StorageId

    @classmethod
    async def of(cls, context: ToolContext, frame: FrameInfo, *, is_local: bool) -> _Area:
        supervisor = context.supervisor
        found = await storage_key(lambda ask: supervisor.send(ask, frame.frame_id), frame.frame_id)
        key = dom_storage.SerializedStorageKey(found)
        top = top_of_session(frame, supervisor.snapshot().frame_tree)
        return cls(context, top.frame_id, dom_storage.StorageId(storage_key=key, is_local_storage=is_local))

    async def send(
        self, command: dom_storage.SetDOMStorageItem | dom_storage.RemoveDOMStorageItem | dom_storage.Clear
    ) -> None:
        await check_command(self.context.supervisor, self.context.policy, command, self.session_frame)
        await self.context.supervisor.send(command, self.session_frame)

    async def items(self) -> dict[str, str]:
        command = dom_storage.GetDOMStorageItems(storage_id=self.id)
        await check_command(self.context.supervisor, self.context.policy, command, self.session_frame)
        entries = (await self.context.supervisor.send(command, self.session_frame)).entries
        return {str(name): str(value) for name, value in entries}


async def _frame(context: ToolContext, frame_id: str | None) -> FrameInfo:
    """The frame that is meant. Raises `UnknownFrame`."""
    named = await frame_meant(context.supervisor, frame_id)
    if named is None:
        return top_frame(context.supervisor)
    found = frame_named(context.supervisor.snapshot().frame_tree, named)
    if found is None:
        raise UnknownFrame(named)
    return found


def _entry(record: StoredRecord) -> StoredEntry:
    return StoredEntry(key=record.key, value=record.value, size=record.size, cache=record.cache)


def _shown(entries: list[StoredEntry], more: int = 0) -> Stored:
    return Stored(entries=entries[:MOST_ENTRIES], more=more + max(0, len(entries) - MOST_ENTRIES))
