"""Scripts that read what a page keeps, for servers that have no tool for it."""

from __future__ import annotations

RECORDS = """() => new Promise((done, fail) => {
    const asked = indexedDB.open(%s), store = %s;
    asked.onerror = () => fail(asked.error);
    asked.onsuccess = () => {
        const all = asked.result.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => { asked.result.close(); done(all.result) };
    };
})"""
"""The records of a store of IndexedDB, given as two JSON texts: the database and the store."""

CACHED = """async () => (await (await caches.open(%s)).match(%s)).text()"""
"""A response of CacheStorage, given as two JSON texts: the cache and the address."""
