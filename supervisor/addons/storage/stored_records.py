"""Reads IndexedDB and CacheStorage of a frame, by scripts in a world that the page cannot see."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from cdp_typed.conversions import convert
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.tool_errors import InvalidArgument, ToolError
from supervisor.tools.page.page_frames import run

MOST_RECORDS = 50
LONGEST = 100_000

_RECORDS = """async function(wanted, most, longest) {
    const settled = request => new Promise((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = request.onblocked = () => failed(request.error);
        request.onupgradeneeded = () => request.transaction.abort();  // deleted meanwhile: do not make it anew
    });
    const plain = (value, depth = 0) => {
        if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
        if (typeof value !== 'object') return String(value);
        if (value instanceof Date) return isNaN(value) ? 'Invalid Date' : value.toISOString();
        if (value instanceof Blob) return `[${value.constructor.name}, ${value.size} bytes]`;
        if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
            return `[${value.constructor.name}, ${value.byteLength} bytes]`;
        if (depth === 20) return '[...]';
        if (value instanceof Map) value = [...value];
        if (value instanceof Set) value = [...value];
        if (Array.isArray(value)) return value.map(item => plain(item, depth + 1));
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, depth + 1)]));
    };
    const entries = [];
    let more = 0, problem = wanted !== null;
    for (const {name} of await indexedDB.databases()) {
        const database = await settled(indexedDB.open(name));
        database.onversionchange = () => database.close();
        try {
            for (const store of database.objectStoreNames) {
                const key = `${name}/${store}`;
                if (wanted !== null && wanted !== key) continue;
                problem = false;
                const records = database.transaction(store).objectStore(store);
                const size = await settled(records.count());
                if (wanted === null) { entries.push({key, size}); continue; }
                const keys = await settled(records.getAllKeys(null, most));
                const values = await settled(records.getAll(null, most));
                more = size - keys.length;
                keys.forEach((each, at) => entries.push({
                    key: JSON.stringify(plain(each)), value: JSON.stringify(plain(values[at])).slice(0, longest)}));
            }
        } finally {
            database.close();
        }
    }
    return {entries, more, problem};
}"""

_CACHED = """async function(wanted, most, longest) {
    if (!('caches' in window)) return {entries: [], more: 0, problem: true};
    const entries = [];
    for (const cache of await caches.keys()) {
        const held = await caches.open(cache);
        for (const request of await held.keys()) {
            if (wanted !== null && wanted !== request.url) continue;
            const entry = {key: request.url, cache};
            if (wanted !== null) entry.value = (await (await held.match(request)).text()).slice(0, longest);
            entries.push(entry);
        }
    }
    return {entries: entries.slice(0, most), more: Math.max(0, entries.length - most)};
}"""


class NoCaches(ToolError):
    """The frame has no CacheStorage."""

    def __init__(self) -> None:
        super().__init__("this frame has no CacheStorage: only https and localhost have one")


class StoredRecord(Struct, frozen=True, kw_only=True):
    """A store, a record or a cached response."""

    key: str
    value: str = ""
    size: int | None = None
    cache: str = ""


class Found(Struct, frozen=True, kw_only=True):
    """The records that a script found."""

    entries: list[StoredRecord]
    more: int = 0
    problem: bool = False


async def records(supervisor: AsyncSupervisor, frame_id: str, store: str | None) -> Found:
    """Return the stores of a frame's databases, or the first records of one store, which `database/store` names.

    Raises `InvalidArgument` for a store that does not exist.
    """
    found = await _found(supervisor, frame_id, _RECORDS, store, MOST_RECORDS)
    if found.problem:
        raise InvalidArgument("key", "the frame has no store of this name; list shows them")
    return found


async def cached(supervisor: AsyncSupervisor, frame_id: str, url: str | None) -> Found:
    """Return the addresses in a frame's caches, or the text of the response for one. Raises `NoCaches`."""
    found = await _found(supervisor, frame_id, _CACHED, url, 200)
    if found.problem:
        raise NoCaches
    return found


async def _found(supervisor: AsyncSupervisor, frame_id: str, function: str, wanted: str | None, most: int) -> Found:
    answer: Any = await run(supervisor, frame_id, f"({function})(...{json.dumps([wanted, most, LONGEST])})")
    return convert(answer, Found)
