"""Checkpoints on real Chromium: taken in one browser, restored in another, read through a connection of their own."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed import Connection, connect
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.printable import visible
from cdp_typed.protocol import network, runtime, storage, target
from supervisor import AsyncSupervisor, InvalidConfig, SupervisorSnapshot, UrlRules
from supervisor.saved_state.checkpoint import restore, take
from supervisor.saved_state.checkpoint_values import Checkpoint, InvalidCheckpoint, SavedPage, StorageArea
from supervisor.saved_state.storage_state import written
from tests.support.browsers import LaunchBrowser
from tests.support.servers.sites import Response, Sites, iframe

STORE = "<script>localStorage.setItem('who', '{0} of ' + origin); sessionStorage.setItem('tab', '{0}')</script>"
READ = "JSON.stringify([{...localStorage}, {...sessionStorage}])"


@pytest.fixture
def shop(sites: Sites) -> Sites:
    cookies = "{0}; HttpOnly; SameSite=Strict"
    sites.pages.update(
        {
            "/shop": Response(
                STORE.format("shop") + iframe(sites.remote("/frame")),
                headers={"Set-Cookie": cookies.format("basket=full") + "; Max-Age=9000"},
            ),
            "/frame": Response(
                STORE.format("frame"), headers={"Set-Cookie": "chip=1; Secure; SameSite=None; Partitioned; Path=/"}
            ),
            "/other": Response(STORE.format("other"), headers={"Set-Cookie": cookies.format("login=yes")}),
            "/quiet": "quiet",
            "/around": iframe(sites.remote("/quiet")),
        }
    )
    return sites


def supervised(browser: LaunchedBrowser, **settings: Any) -> AsyncSupervisor:
    return AsyncSupervisor(browser.ws_url, scope="own", own_context=True, call_timeout_s=20, **settings)


async def show(supervisor: AsyncSupervisor, *urls: str) -> None:
    for url in urls:
        await supervisor.open_page(url)
        await supervisor.wait_for(_is_loaded, timeout_s=20)


def _is_loaded(now: SupervisorSnapshot) -> bool:
    top = now.frame_tree.top
    return top is not None and not any(frame.is_loading for frame in (top, *now.frame_tree.children))


async def _page_at(connection: Connection, url: str) -> target.TargetInfo:
    async with asyncio.timeout(20):
        while True:  # now and then a page that has just been navigated is listed without an address (156)
            infos = (await connection.send(target.GetTargets())).target_infos
            for info in infos:
                if info.type == "page" and info.url == url:
                    return info


async def cookies_of(browser: LaunchedBrowser, url: str) -> list[network.Cookie]:
    """The cookies of the browser context of the page at `url`, on another connection."""
    async with connect(browser.ws_url) as connection:
        page = await _page_at(connection, url)
        cookies = (await connection.send(storage.GetCookies(browser_context_id=page.browser_context_id))).cookies
    return sorted(cookies, key=lambda cookie: cookie.name)


async def storage_of(browser: LaunchedBrowser, url: str) -> Any:
    """The localStorage and the sessionStorage of the page at `url`, on another connection."""
    async with connect(browser.ws_url) as connection:
        session = await connection.attach((await _page_at(connection, url)).target_id)
        read = await session.send(runtime.Evaluate(expression=READ))
    return json.loads(str(read.result.value))


async def test_what_is_taken_in_one_browser_is_there_in_another(
    no_leaks: None, chromium: LaunchedBrowser, chromium_factory: LaunchBrowser, shop: Sites
) -> None:
    async with supervised(chromium) as first:
        await show(first, shop.local("/shop"), shop.remote("/other"))
        checkpoint = await take(first)
        given = await cookies_of(chromium, shop.local("/shop"))
    assert checkpoint.missing == ()
    assert {cookie.name for cookie in given} == {"basket", "chip", "login"}
    assert [page.url for page in checkpoint.pages if page.is_current] == [shop.remote("/other")]

    second_browser = chromium_factory()
    async with supervised(second_browser) as second:
        before = len(shop.requests)
        await restore(second, Checkpoint.from_bytes(checkpoint.to_bytes()))

        assert shop.requests[before:] == []
        assert [page.url for page in second.snapshot().pages] == ["about:blank"]
        await show(second, shop.local("/around"), shop.remote("/quiet"))
        assert await cookies_of(second_browser, shop.local("/around")) == given
        own, other = shop.local(""), shop.remote("")
        assert await storage_of(second_browser, shop.local("/around")) == [{"who": f"shop of {own}"}, {}]
        assert (await storage_of(second_browser, shop.remote("/quiet")))[0] == {"who": f"other of {other}"}
        framed = next(frame for frame in second.frames() if frame.url == shop.remote("/quiet") and frame.parent_id)
        partitioned = await second.evaluate("localStorage.getItem('who')", framed.frame_id)
        assert partitioned.value == f"frame of {other}"


KEEP = """<script>
    const opening = indexedDB.open('notes', 3);
    opening.onupgradeneeded = () => opening.result.createObjectStore('all').put('%s', 'first');
    opening.onsuccess = () => opening.result.close();
</script>"""
NOTE = """new Promise(done => {
    const opening = indexedDB.open('notes');
    opening.onupgradeneeded = () => { opening.transaction.abort(); done(null) };
    opening.onsuccess = () => {
        const reading = opening.result.transaction('all').objectStore('all').get('first');
        reading.onsuccess = () => done(reading.result);
    };
})"""


async def test_databases_of_an_iframe_from_another_site_are_those_of_its_place(
    no_leaks: None, chromium: LaunchedBrowser, chromium_factory: LaunchBrowser, sites: Sites
) -> None:
    sites.pages |= {"/around": iframe(sites.remote("/inside")), "/inside": KEEP % "in the frame", "/own": KEEP % "own"}
    async with supervised(chromium) as first:
        await show(first, sites.local("/around"), sites.remote("/own"))
        assert (await first.evaluate(NOTE)).value == "own"  # a page may write it after it has loaded
        checkpoint = await take(first)
    assert checkpoint.missing == ()

    sites.pages |= {"/inside": "inside", "/own": "own"}
    async with supervised(chromium_factory()) as second:
        restored = await restore(second, Checkpoint.from_bytes(checkpoint.to_bytes()))
        assert restored == replace(checkpoint, pages=(), local_storage=())
        await show(second, sites.local("/around"))
        framed = next(frame for frame in second.frames() if frame.url == sites.remote("/inside"))
        assert (await second.evaluate(NOTE, framed.frame_id)).value == "in the frame"
        await show(second, sites.remote("/own"))
        assert (await second.evaluate(NOTE)).value == "own"

    _, left_out = written(checkpoint)
    place = f"{sites.remote('')} in pages of http://localhost"
    assert left_out == (f"IndexedDB of {place}: the format has no partitioned storage",)


async def test_pages_are_opened_with_their_session_storage_when_asked_for(
    no_leaks: None, chromium: LaunchedBrowser, shop: Sites
) -> None:
    async with supervised(chromium) as first:
        await show(first, shop.local("/shop"))
        checkpoint = await take(first)
    shop.pages["/shop"] = "now without a script"

    async with supervised(chromium) as second:
        await restore(second, checkpoint, pages=True)

        current = next(page for page in second.snapshot().pages if page.is_current)
        assert current.url == shop.local("/shop")
        assert await storage_of(chromium, shop.local("/shop")) == [
            {"who": f"shop of {shop.local('')}"},
            {"tab": "shop"},
        ]


@pytest.mark.parametrize("hang", ["alert('wait')", "for (;;);"])
async def test_a_page_that_does_not_answer_is_named_and_waited_for_no_longer(
    no_leaks: None, chromium: LaunchedBrowser, shop: Sites, hang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.saved_state.checkpoint.TIMEOUT_S", 1.0)
    async with supervised(chromium) as supervisor:
        await show(supervisor, shop.local("/shop"), shop.remote("/other"))
        busy = asyncio.create_task(supervisor.evaluate(hang))
        await supervisor.wait_for(lambda now: bool(now.pending_dialogs) or supervisor.status().pending_calls == 1)
        async with asyncio.timeout(30):
            checkpoint = await take(supervisor)
        busy.cancel()
        await asyncio.wait([busy])
        if "for" in hang:
            await supervisor.terminate()

    stuck = shop.remote("").rstrip("/")
    assert f"localStorage of {stuck}: its page did not answer" in checkpoint.missing
    assert f"sessionStorage of {stuck}: its page did not answer" in checkpoint.missing
    assert f"{shop.local('')}/" in {area.key for area in checkpoint.local_storage}
    assert {cookie.name for cookie in checkpoint.cookies} == {"basket", "chip", "login"}


async def test_nothing_is_written_where_pages_may_not_go(
    no_leaks: None, chromium: LaunchedBrowser, shop: Sites, caplog: pytest.LogCaptureFixture
) -> None:
    async with supervised(chromium) as first:
        await show(first, shop.local("/shop"), shop.remote("/other"))
        checkpoint = await take(first)

    async with supervised(chromium) as second:
        await second.restrict(UrlRules(allow_origins=(shop.local(""),)))
        before = len(shop.requests)
        await restore(second, checkpoint)
        assert shop.requests[before:] == []
        assert f"the storage of {shop.remote('/')} was not restored: pages may not go there" in caplog.messages

        again = await second.open_page(shop.local("/quiet"))
        assert (await second.evaluate("localStorage.who")).value == f"shop of {shop.local('')}"
        assert {page.target_id for page in second.snapshot().pages} > {again.target_id}


NOT_KEPT: list[tuple[dict[str, Any], str]] = [
    ({"name": "a;b"}, "is not in the browser as it was saved"),
    ({"name": "__Host-x"}, "is not in the browser as it was saved"),
    ({"value": "x\ny"}, "is not in the browser as it was saved"),
    ({"name": "__Secure-x", "secure": False}, "is not in the browser as it was saved"),
    ({"value": "\ud800"}, "is not in the browser as it was saved"),
    ({"domain": "no host"}, "is not in the browser as it was saved"),
    ({"expires": 1.0}, "has expired"),
]


async def test_a_cookie_that_the_browser_does_not_keep_is_told_and_loses_no_other(
    no_leaks: None, chromium: LaunchedBrowser, shop: Sites
) -> None:
    async with supervised(chromium) as first:
        await show(first, shop.local("/shop"))
        (basket,) = [each for each in (await take(first)).cookies if each.name == "basket"]
    refused = [replace(basket, **{"name": f"other{at}", **bad}) for at, (bad, _) in enumerate(NOT_KEPT)]
    more = replace(basket, name="more")
    async with supervised(chromium) as second:
        await show(second, shop.local("/quiet"))
        restored = await restore(second, Checkpoint(cookies=(*refused, basket, more)))

        assert {each.name for each in (await take(second)).cookies} >= {"basket", "more"}
    assert restored.cookies == (basket, more)
    assert restored.missing == tuple(
        f"the cookie {visible(cookie.name)} of {cookie.domain} {why}"
        for cookie, (_, why) in zip(refused, NOT_KEPT, strict=True)
    )


NO_PLACES = ["null/", "nonsense/", "https://a.test//", "https://A.test/", "http://a b/", "file:///"]


async def test_storage_of_a_place_that_no_page_has_is_told_and_loses_no_other(
    no_leaks: None, chromium: LaunchedBrowser, shop: Sites
) -> None:
    own = StorageArea(key=shop.local("/"), items=(("who", "\ud800 me"),))
    wrong = [StorageArea(key=key, items=(("who", "me"),)) for key in NO_PLACES]
    async with supervised(chromium) as supervisor:
        restored = await restore(supervisor, Checkpoint(local_storage=(*wrong, own)))

        await show(supervisor, shop.local("/quiet"))
        assert (await supervisor.evaluate("escape(localStorage.who)")).value == "%uD800%20me"
    assert restored.local_storage == (own,)
    assert restored.missing == tuple(
        f"the storage of {key} was not restored: it is kept for a place that cannot be made again" for key in NO_PLACES
    )


async def test_a_context_that_others_use_is_left_alone(no_leaks: None, chromium: LaunchedBrowser) -> None:
    async with AsyncSupervisor(chromium.ws_url, scope="own") as supervisor:
        with pytest.raises(InvalidConfig, match="own_context"):
            await take(supervisor)
        with pytest.raises(InvalidConfig, match="own_context"):
            await restore(supervisor, Checkpoint())


AREA = StorageArea(key="http://a.test/", items=(("token", "secret-1"),))
SAVED = Checkpoint(
    cookies=(
        network.Cookie(
            name="id", value="secret-2", domain="a.test", path="/", expires=-1, size=1, http_only=True, secure=False,
            session=True, priority="Medium", source_scheme="NonSecure", source_port=80,
        ),
    ),
    local_storage=(AREA,),
    pages=(SavedPage(url="http://a.test/?secret-3", session_storage=(AREA,)),),
)  # fmt: skip


def test_bytes_bring_everything_back_and_nothing_is_shown() -> None:
    assert Checkpoint.from_bytes(SAVED.to_bytes()) == SAVED
    shown = f"{SAVED!r} {SAVED.local_storage!r} {SAVED.pages!r}"
    assert "secret" not in shown
    assert repr(SAVED) == "<Checkpoint 1 cookies, 1 areas, 1 pages, 0 missing>"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "do not begin as those of a checkpoint"),
        (b'{"cookies": []}\n', "do not begin as those of a checkpoint"),
        (SAVED.to_bytes()[:-9], "damaged or cut off"),
        (SAVED.to_bytes().replace(b"checkpoint 1\n", b"checkpoint 2\n"), "its format is another one"),
    ],
)
def test_bad_bytes_are_one_clear_error(data: bytes, why: str) -> None:
    with pytest.raises(InvalidCheckpoint, match=why) as refused:
        Checkpoint.from_bytes(data)
    assert "secret" not in str(refused.value)
    assert refused.value.__cause__ is None
