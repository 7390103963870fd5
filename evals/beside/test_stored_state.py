"""IndexedDB passes between `browser_state` and Playwright in `storageState` files, both ways (`make beside`)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cdp_typed.launch import find_browser
from evals.beside.programs import CLIENTS, own_programs, programs
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import calls
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.thorough,
    pytest.mark.timeout(200),
    pytest.mark.skipif(len(programs()) == len(own_programs()), reason="`make beside` installs Playwright"),
]
MAKE = """new Promise((keep, fail) => {
    const opening = indexedDB.open('shop', 2);
    opening.onupgradeneeded = () => {
        opening.result.createObjectStore('out').createIndex('by', ['tea', 'x'], {unique: true});
        opening.result.createObjectStore('in', {keyPath: 'id', autoIncrement: true});
    };
    opening.onsuccess = () => {
        const change = opening.result.transaction(['out', 'in'], 'readwrite');
        const values = [0, 'text', {tea: {green: [1, null]}}, [undefined, NaN, -0, 7n], new Date(5), /a/g,
            new Uint8Array([1, 255])];
        values.forEach((value, index) => change.objectStore('out').add(value, index % 2 ? index : new Date(index)));
        change.objectStore('in').add({who: 'me'});
        change.oncomplete = () => { opening.result.close(); keep('made') };
        change.onabort = fail;
    };
})"""
SHOW = """(async () => {
    const ask = request => new Promise(keep => { request.onsuccess = () => keep(request.result) });
    const text = value => value instanceof Date ? `date ${+value}` : value instanceof RegExp ? `${value}`
        : value instanceof Uint8Array ? `bytes ${value}` : Array.isArray(value) ? `[${value.map(text)}]`
        : Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? `${value}n`
        : value && typeof value === 'object' ? `{${Object.entries(value).map(([k, v]) => k + text(v))}}`
        : String(value);
    const database = await ask(indexedDB.open('shop')), shown = [database.version];
    for (const name of database.objectStoreNames) {
        const store = database.transaction(name).objectStore(name);
        shown.push(name, store.keyPath, store.autoIncrement, [...store.indexNames].map(index =>
            [index, store.index(index).keyPath, store.index(index).unique]));
        shown.push((await ask(store.getAllKeys())).map(text), (await ask(store.getAll())).map(text));
    }
    database.close();
    return shown.flat(3).join(' ');
})()"""


def playwright(*arguments: str | Path) -> str:
    python = Path(os.environ["CDP_TYPED_FOREIGN"]) / "bin" / "python"
    command = [python, CLIENTS / "with_playwright" / "stored.py", find_browser(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_indexed_db_passes_both_ways(sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CDP_STATE_FOLDER", str(tmp_path))
    sites.pages["/"] = "<title>shop</title>"
    url, registry = sites.local("/"), SupervisorRegistry()
    playwright("save", url, MAKE, tmp_path / "theirs.json")
    with launched() as browser:
        call = calls(Toolbox(Config(cdp_url=browser.ws_url, call_timeout_s=20), registry=registry, toolsets="all"))
        call("browser_navigate", url=url)
        loaded = call("browser_state", action="load", name="theirs.json")
        shown = call("browser_evaluate", expression=SHOW)["value"]
        saved = call("browser_state", action="save", name="ours.json")
        registry.stop_all()

    assert loaded["databases"] == saved["databases"] == [url.rstrip("/")]
    assert shown.startswith("2 in id true")
    assert "-0,7n" in shown
    assert playwright("load", url, SHOW, tmp_path / "ours.json") == shown
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()
