"""IndexedDB of an origin as the JSON of Playwright's `storageState` files: read from a document, and written into one.

The scripts run in an isolated world. A record that the format cannot hold, such as one with a `Blob`, is counted.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.protocol import indexed_db, page, runtime
from supervisor.core.state.frames import Frame
from supervisor.core.vocabulary.errors import EvaluationFailed
from supervisor.driver.driver import Driver

from .checkpoint_values import IndexedDatabases

MOST = 16 * 2**20
"""Characters of JSON that the databases of one origin may take."""

_TOOLS = """
const KINDS = {i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array,
    i32: Int32Array, ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array,
    bui64: BigUint64Array};
const done = request => new Promise((keep, fail) => {
    request.onsuccess = () => keep(request.result);
    request.onerror = () => fail(request.error);
    request.onblocked = () => fail(new Error('blocked'));
});
"""
_READ = (
    "(async most => {"
    + _TOOLS
    + """
const isPlain = value => value === null || ['string', 'boolean'].includes(typeof value)
    || (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
    || (Array.isArray(value) && Object.keys(value).length === value.length && value.every(isPlain))
    || (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
        && Object.values(value).every(isPlain));
const base64 = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
const encoded = value => {
    const seen = new Map();
    const walk = value => {
        if (value === undefined) return {v: 'undefined'};
        if (value === null) return {v: 'null'};
        if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
            return {v: Object.is(value, -0) ? '-0' : String(value)};
        if (typeof value === 'bigint') return {bi: String(value)};
        if (typeof value !== 'object') return value;
        if (value instanceof Date) return {d: value.toJSON()};
        if (value instanceof RegExp) return {r: {p: value.source, f: value.flags}};
        if (value instanceof Error) return {e: {n: value.name, m: value.message, s: value.stack ?? ''}};
        if (value instanceof ArrayBuffer) return {ab: {b: base64(new Uint8Array(value))}};
        for (const [k, kind] of Object.entries(KINDS))
            if (value instanceof kind)
                return {ta: {b: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k}};
        if (seen.has(value)) return {ref: seen.get(value)};
        const id = seen.size + 1;
        seen.set(value, id);
        if (Array.isArray(value)) return {a: Array.from(value, walk), id};
        if (value instanceof Map) return {m: [...value].map(([k, v]) => ({k: walk(k), v: walk(v)})), id};
        if (value instanceof Set) return {s: [...value].map(walk), id};
        if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('not in the format');
        return {o: Object.keys(value).map(k => ({k, v: walk(value[k])})), id};
    };
    return walk(value);
};
const put = (record, name, value) => {
    let plain = false;
    try { plain = isPlain(value) } catch {}
    if (plain && value !== null) record[name] = value; else record[`${name}Encoded`] = encoded(value);
};
const path = ({keyPath}) => Array.isArray(keyPath) ? {keyPathArray: keyPath} : keyPath === null ? {} : {keyPath};
let left = 0;
const databases = [];
for (const {name} of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => opening.transaction.abort();
    const database = await done(opening).catch(() => null);
    if (database === null) continue;  // it was deleted meanwhile
    database.onversionchange = () => database.close();  // the page's own change does not wait for this one
    try {
        const stores = [];
        const names = [...database.objectStoreNames];
        const reading = names.length ? database.transaction(names, 'readonly') : null;
        for (const storeName of names) {
            const store = reading.objectStore(storeName);
            const keys = done(store.getAllKeys()), values = done(store.getAll());
            const records = [];
            const found = await values;
            for (const [place, key] of (await keys).entries()) {
                const record = {};
                try {
                    if (store.keyPath === null) put(record, 'key', key);
                    put(record, 'value', found[place]);
                    records.push(record);
                } catch { left++ }
            }
            const indexes = [...store.indexNames].map(indexName => {
                const index = store.index(indexName);
                return {name: indexName, ...path(index), multiEntry: index.multiEntry, unique: index.unique};
            });
            stores.push({name: storeName, autoIncrement: store.autoIncrement, ...path(store), records, indexes});
        }
        databases.push({name, version: database.version, stores});
    } finally { database.close() }
}
const text = JSON.stringify(databases);
return text.length > most ? {text: '[]', left, isLarge: true} : {text, left, isLarge: false};
})(%d)"""
)
_WRITE = (
    "(async text => {"
    + _TOOLS
    + """
const bytes = text => Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer;
const decoded = value => {
    const seen = new Map();
    const walk = value => {
        if (typeof value !== 'object' || value === null) return value;
        if ('ref' in value) return seen.get(value.ref);
        if ('v' in value) return new Map([['null', null], ['NaN', NaN], ['Infinity', Infinity],
            ['-Infinity', -Infinity], ['-0', -0]]).get(value.v);
        if ('d' in value) return new Date(value.d);
        if ('bi' in value) return BigInt(value.bi);
        if ('r' in value) return new RegExp(value.r.p, value.r.f);
        if ('e' in value) return Object.assign(new Error(value.e.m), {name: value.e.n, stack: value.e.s});
        if ('ab' in value) return bytes(value.ab.b);
        if ('ta' in value) return new KINDS[value.ta.k](bytes(value.ta.b));
        const made = 'a' in value ? [] : 'm' in value ? new Map() : 's' in value ? new Set() : {};
        seen.set(value.id, made);
        for (const item of value.a ?? []) made.push(walk(item));
        for (const {k, v} of value.m ?? []) made.set(walk(k), walk(v));
        for (const item of value.s ?? []) made.add(walk(item));
        for (const {k, v} of value.o ?? [])
            Object.defineProperty(made, k, {value: walk(v), writable: true, enumerable: true, configurable: true});
        return made;
    };
    return walk(value);
};
const taken = (record, name) => record[name] ?? decoded(record[`${name}Encoded`]);
for (const {name, version, stores} of JSON.parse(text)) {  // a literal would set the prototype by __proto__
    await done(indexedDB.deleteDatabase(name));
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
        for (const {name, autoIncrement, keyPath, keyPathArray, indexes} of stores) {
            const store = opening.result.createObjectStore(name, {autoIncrement, keyPath: keyPathArray ?? keyPath});
            for (const {name, keyPath, keyPathArray, unique, multiEntry} of indexes)
                store.createIndex(name, keyPathArray ?? keyPath, {unique, multiEntry});
        }
    };
    const database = await done(opening);
    try {
        if (!stores.length) continue;
        const writing = database.transaction(stores.map(({name}) => name), 'readwrite');
        const written = new Promise((keep, fail) => {
            writing.oncomplete = keep;
            writing.onabort = writing.onerror = () => fail(writing.error ?? new Error('aborted'));
        });
        for (const {name, records} of stores) {
            const store = writing.objectStore(name);
            for (const record of records) {
                const value = taken(record, 'value');
                if (store.keyPath === null) store.add(value, taken(record, 'key')); else store.add(value);
            }
        }
        await written;
    } finally { database.close() }
}
return true;
})(%s)"""
)


class _ReadDatabases(Struct, frozen=True, rename="camel"):
    """The result of `_READ`."""

    text: str
    left: int
    is_large: bool


async def read_databases(driver: Driver, frame: Frame, key: str, timeout_s: float) -> IndexedDatabases:
    """The databases of a frame's origin; no script runs where there are none (`IndexedDB.requestDatabaseNames`).

    Raises what `Connection.send` raises, and `EvaluationFailed`.
    """
    ask = indexed_db.RequestDatabaseNames(storage_key=key)
    if not (await driver.send_unrecorded(ask, frame.session_id, timeout_s)).database_names:
        return IndexedDatabases(key=key, databases="[]")
    read = convert(await _run(driver, frame, _READ % MOST, timeout_s), _ReadDatabases)
    missing = f"{read.left} records of IndexedDB of a kind that the format cannot hold" if read.left else ""
    missing = f"IndexedDB: it has more than {MOST:,} characters" if read.is_large else missing
    return IndexedDatabases(key=key, databases=read.text, missing=missing)


async def write_databases(driver: Driver, frame: Frame, databases: IndexedDatabases, timeout_s: float) -> None:
    """Replace the databases of these names in a document of their origin. Raises as `read_databases` does."""
    await _run(driver, frame, _WRITE % json.dumps(databases.databases), timeout_s)


async def _run(driver: Driver, frame: Frame, expression: str, timeout_s: float) -> Any:
    world = page.CreateIsolatedWorld(frame_id=page.FrameId(frame.frame_id), world_name="cdp-typed")
    context = (await driver.send_unrecorded(world, frame.session_id, timeout_s)).execution_context_id
    command = runtime.Evaluate(expression=expression, context_id=context, await_promise=True, return_by_value=True)
    result = await driver.send_unrecorded(command, frame.session_id, timeout_s)
    if result.exception_details is not None:
        raise EvaluationFailed("IndexedDB did not answer")
    return result.result.value
