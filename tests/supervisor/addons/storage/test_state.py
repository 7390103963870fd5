"""`browser_state` and `browser_storage` on Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, Tools, calls
from tests.support.servers.sites import Response, Sites, iframe

DATABASE = """new Promise(done => {
    const opening = indexedDB.open('shop', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('basket', {autoIncrement: true});
    opening.onsuccess = () => {
        const change = opening.result.transaction('basket', 'readwrite');
        const store = change.objectStore('basket');
        store.add({tea: 2, at: new Date(0), tags: new Set(['a']), data: new Uint8Array(3)});
        change.oncomplete = () => { opening.result.close(); done(true) };
    };
})"""


@pytest.fixture
def call(tools: Tools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    monkeypatch.setenv("CDP_STATE_FOLDER", str(tmp_path))
    return tools()


@pytest.fixture
def shop(sites: Sites) -> Sites:
    sites.pages.update(
        {
            "/shop": Response(
                f"<title>shop</title>{iframe(sites.remote('/frame'))}",
                headers={"Set-Cookie": "sid=1; HttpOnly; Max-Age=9000"},
            ),
            "/frame": "<p>framed<script>localStorage.inner = 1</script>",
        }
    )
    return sites


def value(call: Call, expression: str) -> Any:
    result = call("browser_evaluate", expression=expression)
    assert result["success"], result.get("page_error")
    return result["value"]


def test_a_saved_state_is_loaded_again(call: Call, shop: Sites) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    value(call, "localStorage.who = 'me'")
    saved = call("browser_state", action="save", name="login.json")
    call("browser_cookies", action="clear")
    value(call, "localStorage.clear()")

    loaded = call("browser_state", action="load", name="login.json")

    assert (saved["cookies"], loaded["cookies"]) == (1, 1)
    assert shop.local("").rstrip("/") in loaded["origins"]
    assert value(call, "localStorage.who") == "me"
    assert call("browser_cookies", action="get", name="sid")["cookies"][0]["value"] == "1"
    assert call("browser_state")["names"] == ["login.json"]
    assert call("browser_state", action="load", name="other")["error_type"] == "InvalidCheckpoint"


VALUES = r"""(() => {
    const cycle = {name: 'c'};
    cycle.self = cycle;
    return [1, 0, '', false, null, 'a\u2028', {tea: [2]}, [undefined, NaN, -0, Infinity], 7n, new Date(86400000),
        /a\/b/gi, new Map([['k', new Set([1])]]), new Uint8Array([1, 255]), new Uint16Array([1, 65535]),
        new Uint8Array([9]).buffer, cycle, JSON.parse('{"__proto__": {"x": 1}}')];
})()"""
MAKE = f"""new Promise((keep, fail) => {{
    const opening = indexedDB.open('all', 3);
    opening.onerror = fail;
    opening.onupgradeneeded = () => {{
        opening.result.createObjectStore('out').createIndex('by', 'tea', {{multiEntry: true}});
        opening.result.createObjectStore('in', {{keyPath: ['a', 'b.c']}});
        opening.result.createObjectStore('auto', {{autoIncrement: true, keyPath: 'id'}});
    }};
    opening.onsuccess = () => {{
        const change = opening.result.transaction(['out', 'in', 'auto'], 'readwrite');
        {VALUES}.forEach((value, index) => change.objectStore('out').add(value, index % 2 ? index : [index, 'k']));
        change.objectStore('in').add({{a: 1, b: {{c: new Date(5)}}}});
        change.objectStore('auto').add({{who: 'me'}});
        change.oncomplete = () => {{ opening.result.close(); keep(true) }};
        change.onabort = fail;
    }};
}})"""
SHOWN = """(async () => {
    const ask = request => new Promise(keep => { request.onsuccess = () => keep(request.result) });
    const database = await ask(indexedDB.open('all'));
    const text = value => {
        const seen = new Set();
        const walk = value => {
            if (Object.is(value, -0)) return '-0';
            if (typeof value !== 'object' || value === null) return `${typeof value} ${value}`;
            if (seen.has(value)) return 'again';
            seen.add(value);
            const kind = Object.prototype.toString.call(value);
            if (value instanceof Date || value instanceof RegExp) return `${kind} ${value.valueOf()}`;
            if (value instanceof ArrayBuffer) return `${kind} ${new Uint8Array(value)}`;
            const parts = Array.isArray(value) || value instanceof Map || value instanceof Set ? [...value]
                : Object.entries(value);
            return `${kind}(${parts.map(walk)})`;
        };
        return walk(value);
    };
    const shown = [database.version];
    for (const name of database.objectStoreNames) {
        const store = database.transaction(name).objectStore(name);
        shown.push(name, JSON.stringify(store.keyPath), store.autoIncrement);
        for (const index of store.indexNames) shown.push(index, store.index(index).multiEntry);
        shown.push(...(await ask(store.getAllKeys())).map(text), ...(await ask(store.getAll())).map(text));
    }
    database.close();
    return shown.join('\\n');
})()"""


@pytest.mark.parametrize("action", ["save", "load"])
def test_a_name_that_leads_out_of_the_folder_is_refused(call: Call, shop: Sites, action: str) -> None:
    call("browser_navigate", url=shop.local("/shop"))

    refused = call("browser_state", action=action, name="../login.json")

    assert (refused["error_type"], refused["argument"]) == ("InvalidArgument", "name")


def test_indexed_db_is_saved_and_loaded_again(call: Call, shop: Sites) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    value(call, MAKE)
    before = value(call, SHOWN)
    saved = call("browser_state", action="save", name="login.json")
    value(call, "new Promise(done => { indexedDB.deleteDatabase('all').onsuccess = () => done(1) })")

    loaded = call("browser_state", action="load", name="login.json")

    assert loaded["databases"] == saved["databases"] == [shop.local("").rstrip("/")]
    assert value(call, SHOWN) == before


def test_a_record_that_the_format_cannot_hold_is_named(call: Call, shop: Sites) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    value(call, DATABASE.replace("{tea: 2, ", "{blob: new Blob(['a']), "))

    saved = call("browser_state", action="save", name="login.json")

    origin = shop.local("").rstrip("/")
    assert f"{origin}: 1 records of IndexedDB of a kind that the format cannot hold" in saved["left_out"]


def test_a_page_with_a_dialog_is_named_as_left_out(call: Call, shop: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.saved_state.checkpoint.TIMEOUT_S", 1.0)
    call("browser_navigate", url=shop.local("/shop"))
    call("browser_evaluate", expression="alert(1)")

    saved = call("browser_state", action="save", name="login.json")

    assert (saved["success"], saved["cookies"]) == (True, 1)
    assert any("localStorage of" in why and "did not answer" in why for why in saved["left_out"])
    call("browser_dialog", action="dismiss")


def test_a_state_has_only_what_the_url_rules_allow(call: Call, endpoint: str, shop: Sites, tmp_path: Path) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    value(call, "localStorage.who = 'me'")
    call("browser_cookies", action="set", cookie="bank=1", domain="bank.test")
    registry = SupervisorRegistry()
    policy = Policy(deny_origins=("bank.test",))
    held = calls(Toolbox(Config(cdp_url=endpoint, call_timeout_s=20), registry=registry, toolsets="all", policy=policy))

    assert held("browser_state", action="save", name="some.json")["success"]
    registry.stop_all()

    state = json.loads((tmp_path / "some.json").read_bytes())
    assert [cookie["name"] for cookie in state["cookies"]] == ["sid"]


def test_storage_of_a_page_and_of_an_iframe_from_another_site_is_changed_and_read_again(
    call: Call, shop: Sites
) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    call("browser_wait", until="loaded")

    given = call("browser_storage", area="session", action="set", key="k", value="v1")
    assert given["entries"] == [{"key": "k", "value": "v1"}]
    assert value(call, "sessionStorage.k") == "v1"
    assert call("browser_storage", area="session")["entries"] == [{"key": "k", "size": 2}]
    assert "entries" not in call("browser_storage", area="local", action="get", key="none")
    assert call("browser_storage", area="session", action="delete", key="k")["deleted"] == 1
    value(call, "sessionStorage.a = sessionStorage.b = 1")
    assert call("browser_storage", area="session", action="clear")["deleted"] == 2
    assert value(call, "sessionStorage.length") == 0
    assert call("browser_storage", area="session", action="get")["argument"] == "key"

    call("browser_wait", until="text:framed", frame_id=frame(call))
    assert call("browser_storage", area="local", frame_id=frame(call))["entries"] == [{"key": "inner", "size": 1}]
    assert "entries" not in call("browser_storage", area="local")


def frame(call: Call) -> str:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    return str(child["frame_id"])


def test_records_and_cached_responses_are_listed_and_read(call: Call, shop: Sites) -> None:
    call("browser_navigate", url=shop.local("/shop"))
    value(call, DATABASE)
    value(call, "caches.open('v1').then(cache => cache.put('/tea', new Response('green')))")

    assert call("browser_storage", area="indexeddb")["entries"] == [{"key": "shop/basket", "size": 1}]
    (record,) = call("browser_storage", area="indexeddb", action="get", key="shop/basket")["entries"]
    assert json.loads(record["value"]) == {
        "tea": 2, "at": "1970-01-01T00:00:00.000Z", "tags": ["a"], "data": "[Uint8Array, 3 bytes]"
    }  # fmt: skip
    assert call("browser_storage", area="indexeddb", action="get", key="shop/none")["argument"] == "key"
    tea = shop.local("/tea")
    assert call("browser_storage", area="cache")["entries"] == [{"key": tea, "cache": "v1"}]
    assert call("browser_storage", area="cache", action="get", key=tea)["entries"][0]["value"] == "green"
    assert call("browser_storage", area="cache", action="clear")["argument"] == "action"
    assert value(call, "indexedDB.databases().then(all => all.length)") == 1
