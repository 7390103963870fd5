"""IndexedDB, storage areas, cookies, the file system of an origin; locks."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page
from tests.support.servers.sites import Response

DATABASE = """
const done = request => wait('IndexedDB', new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
}));
const database = (version = 1) => {
  const opening = indexedDB.open('database', version);
  opening.onupgradeneeded = () => {
    if (opening.result.objectStoreNames.contains('store')) return;
    opening.result.createObjectStore('store', {keyPath: 'id'}).createIndex('by_name', 'name');
  };
  return done(opening);
};
"""


def cookie(text: str) -> Response:
    return Response("", headers={"Set-Cookie": text, "Access-Control-Allow-Origin": "*"})


FEATURES = (
    Feature(
        "indexeddb",
        DATABASE
        + """
        const opened = await database(), store = opened.transaction('store', 'readwrite').objectStore('store');
        for (const [id, name] of ['c', 'a', 'b'].entries()) store.put({id, name});
        const rows = await done(store.index('by_name').getAll());
        same(rows.map(({name}) => name), ['a', 'b', 'c']);
        """,
    ),
    Feature(
        "indexeddb_after_a_navigation",
        DATABASE
        + """
        const store = (await database()).transaction('store', 'readwrite').objectStore('store');
        if (step) same((await done(store.get(1))).name, 'kept');
        else await done(store.put({id: 1, name: 'kept'})), await go(1);
        """,
    ),
    Feature(
        "indexeddb_version_change",
        DATABASE
        + """
        const first = await database();
        first.onversionchange = () => first.close();
        same((await database(2)).version, 2);
        """,
    ),
    Feature(
        "indexeddb_cursor_and_abort",
        DATABASE
        + """
        const opened = await database(), change = opened.transaction('store', 'readwrite');
        change.objectStore('store').put({id: 1, name: 'never'});
        await once(change, 'abort', () => change.abort());
        const seen = [];
        await wait('the cursor', new Promise(resolve => {
          opened.transaction('store').objectStore('store').openCursor().onsuccess = ({target: {result: cursor}}) => {
            if (!cursor) return resolve();
            seen.push(cursor.value);
            cursor.continue();
          };
        }));
        same(seen, []);
        """,
    ),
    Feature(
        "local_storage",
        """
        if (step) same([localStorage.getItem('key'), localStorage.length], ['value', 1]);
        else localStorage.setItem('key', 'value'), await go(1);
        """,
    ),
    Feature(
        "session_storage",
        """
        if (step) {
          same(sessionStorage.kept, 'value');
          same(await wordOfFrame({src: 'frame.html'}), 'value');
          same(await wordOfPopup('popup.html'), 'value');
        } else {
          sessionStorage.kept = 'value';
          await go(1);
        }
        """,
        files={
            "frame.html": page("parent.postMessage(sessionStorage.kept)"),
            "popup.html": page("opener.postMessage(sessionStorage.kept)"),
        },
    ),
    Feature(
        "storage_event",
        """
        const event = once(window, 'storage');
        attach({src: 'frame.html'});
        same([(await event).key, (await event).newValue], ['key', 'of a frame']);
        """,
        files={"frame.html": page("localStorage.setItem('key', 'of a frame')")},
    ),
    Feature(
        "storage_event_of_a_popup",
        """
        const event = once(window, 'storage');
        popUp('popup.html');
        same((await event).newValue, 'of a popup');
        """,
        files={"popup.html": page("localStorage.setItem('key', 'of a popup')")},
    ),
    Feature(
        "storage_of_a_cross_site_frame_is_its_own",
        """
        localStorage.setItem('key', 'value');
        same(await wordOfFrame({src: elsewhere('frame.html')}), null);
        """,
        files={"frame.html": page("parent.postMessage(localStorage.getItem('key'), '*')")},
    ),
    Feature(
        "storage_manager",
        """
        const {quota, usage} = await navigator.storage.estimate();
        tell([quota > 0, usage >= 0, await navigator.storage.persisted(), await navigator.storage.persist()]);
        """,
    ),
    Feature(
        "storage_buckets",
        """
        need(navigator.storageBuckets, 'storage buckets');
        await navigator.storageBuckets.open('bucket');
        same(await navigator.storageBuckets.keys(), ['bucket']);
        """,
    ),
    Feature(
        "origin_private_files",
        """
        const folder = await navigator.storage.getDirectory();
        const writable = await (await folder.getFileHandle('file', {create: true})).createWritable();
        await writable.write('content');
        await writable.close();
        same(await (await (await folder.getFileHandle('file')).getFile()).text(), 'content');
        """,
    ),
    Feature(
        "origin_private_files_in_a_worker",
        "same(await message(new Worker('worker.js')), 7)",
        files={
            "worker.js": """
            (async () => {
              const file = await (await navigator.storage.getDirectory()).getFileHandle('file', {create: true});
              const access = await file.createSyncAccessHandle();
              access.write(new TextEncoder().encode('content'));
              postMessage(access.getSize());
              access.close();
            })();
            """,
        },
    ),
    Feature(
        "cookies_of_a_script",
        """
        document.cookie = 'first=1';
        document.cookie = 'second=2; max-age=600';
        document.cookie = 'second=; max-age=0';
        same([document.cookie, (await json('echo')).headers.cookie], ['first=1', 'first=1']);
        """,
    ),
    Feature(
        "cookies_of_a_server",
        """
        await fetch('open');
        await fetch('hidden');
        await fetch('of-a-path');
        same(document.cookie, 'open=1');
        same((await json('echo')).headers.cookie.split('; ').sort(), ['hidden=1', 'open=1']);
        """,
        files={
            "open": cookie("open=1"),
            "hidden": cookie("hidden=1; HttpOnly"),
            "of-a-path": cookie("path=1; Path=/other"),
        },
    ),
    Feature(
        "cookies_of_a_domain",
        """
        document.cookie = `wide=1; domain=${location.hostname}`;
        document.cookie = 'narrow=1';
        same(await wordOfFrame({src: sibling('frame.html')}), 'wide=1');
        """,
        files={"frame.html": page("parent.postMessage(document.cookie, '*')")},
    ),
    Feature(
        "cookies_to_another_site",
        """
        for (const file of ['strict', 'lax', 'none', 'partitioned', 'plain'])
          await fetch(elsewhere(file), {credentials: 'include', mode: 'no-cors'});
        tell((await json(elsewhere('echo?cors'), {credentials: 'include'})).headers.cookie ?? null);
        """,
        files={
            "strict": cookie("strict=1; SameSite=Strict"),
            "lax": cookie("lax=1; SameSite=Lax"),
            "none": cookie("none=1; SameSite=None; Secure"),
            "partitioned": cookie("partitioned=1; SameSite=None; Secure; Partitioned"),
            "plain": cookie("plain=1"),
        },
    ),
    Feature(
        "cookies_in_a_cross_site_frame",
        "tell(await wordOfFrame({src: elsewhere('frame.html')}))",
        files={
            "frame.html": page("""
            for (const rest of ['SameSite=Strict', 'SameSite=Lax', 'SameSite=None; Secure',
                                'SameSite=None; Secure; Partitioned'])
              document.cookie = rest.replaceAll(/[^A-Za-z]/g, '') + '=1; ' + rest;
            parent.postMessage([document.cookie, (await json('echo')).headers.cookie ?? null], '*');
            """),
        },
    ),
    Feature(
        "cookie_store",
        """
        need(window.cookieStore, 'cookieStore');
        const change = once(cookieStore, 'change');
        await cookieStore.set('name', 'value');
        same([(await change).changed[0].name, (await cookieStore.get('name')).value], ['name', 'value']);
        """,
    ),
    Feature(
        "storage_access",
        "tell(await wordOfFrame({src: elsewhere('frame.html')}))",
        files={
            "frame.html": page("""
            const refused = refusal(document.requestStorageAccess());
            parent.postMessage([await document.hasStorageAccess(), await refused], '*');
            """),
        },
    ),
    Feature(
        "web_locks",
        """
        const order = [];
        await navigator.locks.request('lock', async lock => {
          order.push(lock.mode);
          await navigator.locks.request('lock', {ifAvailable: true}, other => order.push(other));
        });
        await navigator.locks.request('lock', {mode: 'shared'}, lock => order.push(lock.mode));
        same(order, ['exclusive', null, 'shared']);
        """,
    ),
    Feature(
        "web_locks_between_frames",
        """
        const held = attach({src: 'frame.html'});
        same(await from(held.contentWindow), 'held');
        same((await navigator.locks.query()).held.length, 1);
        held.remove();
        same(await wait('the lock', navigator.locks.request('lock', lock => lock.name)), 'lock');
        """,
        files={
            "frame.html": page("navigator.locks.request('lock', () => { parent.postMessage('held'); return never })"),
        },
    ),
)
