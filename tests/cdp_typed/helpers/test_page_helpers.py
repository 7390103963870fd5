"""Requests that end, cookies that are put back, images and documents, contexts of their own."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cdp_typed import CommandError, Connection, NavigationFailed, NetworkBusy, Session, connect, connect_sync
from cdp_typed.helpers import (
    PausedRequest,
    RequestAnswer,
    blocking,
    click,
    cookies,
    goto,
    intercept,
    js,
    network_idle,
    network_idle_after,
    new_context,
    pdf,
    screenshot,
    set_cookies,
    wait_for,
)
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer
from cdp_typed.protocol import network, page, target
from tests.cdp_typed.helpers.conftest import Helpers, answer_after
from tests.support.secrets import CANARY
from tests.support.servers.sites import Request, Response, Sites

pytestmark = pytest.mark.thorough


# -- pdf on paper -----------------------------------------------------------------------------------------------


async def test_a_document_has_the_paper_that_was_asked_for(page_helpers: Helpers) -> None:
    box = re.compile(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]")

    async def points(*args: object, **options: object) -> tuple[int, int]:
        found = box.search(await page_helpers.call("pdf", *args, **options))
        assert found is not None
        return round(float(found[1])), round(float(found[2]))

    assert await points(format="A4") == (596, 842)
    assert await points(page.PrintToPDF(landscape=True), format="A5") == (596, 420)
    assert await points() == (612, 792)
    assert await points(format="A5", landscape=True) == (596, 420)
    assert await points(page.PrintToPDF(landscape=True), landscape=False) == (612, 792)
    with pytest.raises(ValueError, match=r"^format must be one of Letter, .*, A6, not 'a4'$"):
        await page_helpers.call("pdf", format="a4")
    with pytest.raises(ValueError, match="the options have a paper size; leave out either that or the format"):
        await page_helpers.call("pdf", page.PrintToPDF(paper_width=5), format="A4")


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({"margin": "1in"}, {"marginTop": 1, "marginRight": 1, "marginBottom": 1, "marginLeft": 1}),
        ({"margin": {"top": "2.54 cm", "left": "48px"}}, {"marginTop": 1, "marginLeft": 0.5}),
        ({"margin": {"top": "0"}, "scale": 0.5}, {"marginTop": 0, "scale": 0.5}),
        ({"print_background": False, "landscape": True}, {"printBackground": False, "landscape": True}),
    ],
)
async def test_what_a_person_types_for_a_document_becomes_the_command(
    options: dict[str, Any], sent: dict[str, Any], no_leaks: None
) -> None:
    async with MockServer() as mock, connect(mock.url) as browser, browser.new_page() as tab:
        mock.browser.on("Page.printToPDF", {"data": ""})
        assert await pdf(tab, **options) == b""

        assert [call.params for call in mock.browser.calls if call.method == "Page.printToPDF"] == [
            {"printBackground": True, **sent}
        ]


@pytest.mark.parametrize(
    ("margin", "says"),
    [
        ("1", r"a margin is a text such as '1cm', .*, not '1'$"),
        (2.5, r", not 2\.5$"),
        ({"above": "1cm"}, r"a margin is for top, right, bottom, left, not 'above'$"),
    ],
)
async def test_a_margin_without_a_unit_is_refused(tab: Session, margin: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        await pdf(tab, margin=margin)


# -- network_idle ------------------------------------------------------------------------------------------------


async def test_it_waits_for_requests_that_follow_each_other(page_helpers: Helpers, sites: Sites) -> None:
    sites.pages["/late"] = answer_after(0.4)
    sites.pages["/"] = (
        "<script>const text = url => fetch(url).then(reply => reply.text());"
        "text('/late').then(() => text('/late')).then(() => { document.title = 'all' })</script>"
    )
    await page_helpers.call("goto", sites.local("/"))

    await page_helpers.call("network_idle", quiet_s=0.3)

    assert await page_helpers.call("js", "document.title") == "all"


async def test_a_request_without_an_end_is_named(tab: Session, sites: Sites) -> None:
    sites.pages["/"] = "<title>one</title>"
    sites.pages["/endless"] = answer_after(2.5)
    await goto(tab, sites.local("/"))

    with pytest.raises(
        NetworkBusy, match=r"^requests do not end within 1 s: 1 under way, to http://.*/endless\?secret=<redacted>$"
    ) as busy:
        async with network_idle_after(tab, timeout=1):
            await js(tab, "void fetch('/endless?secret=1')")
    assert busy.value.urls == (sites.local("/endless?secret=<redacted>"),)

    await goto(tab, sites.local("/"))  # ends what the last document asked for
    await network_idle(tab, quiet_s=0.1)
    with pytest.raises(NetworkBusy, match="older ones, or new ones over and over"):
        await network_idle(tab, quiet_s=0.5, timeout=0.3)


async def test_what_a_block_asks_for_is_waited_for(tab: Session, sites: Sites) -> None:
    sites.pages["/"] = "<button onclick=\"fetch('/late').then(() => { document.title = 'all' })\">more</button>"
    sites.pages["/late"] = answer_after(0.4)
    async with network_idle_after(tab, 0.2):
        await goto(tab, sites.local("/"))

    async with network_idle_after(tab, 0.2):
        await click(tab, "button")  # nobody reads the body of what comes

    assert await js(tab, "document.title") == "all"


# -- cookies -----------------------------------------------------------------------------------------------------


async def test_cookies_are_put_back_as_they_were(page_helpers: Helpers, sites: Sites) -> None:
    headers = ["host=only", "strict=1; Path=/sub; SameSite=Strict; HttpOnly", "lasting=2; Max-Age=1000"]
    for number, cookie in enumerate(headers):
        sites.pages[f"/{number}"] = Response("set", headers={"Set-Cookie": cookie})
        await page_helpers.call("goto", sites.local(f"/{number}"))
    of_domain = network.CookieParam(name="domain", value="3", domain=".example.com", secure=True)
    await page_helpers.call("set_cookies", [of_domain])
    before = await page_helpers.call("cookies")

    await page_helpers.tab.send(network.ClearBrowserCookies())
    assert await page_helpers.call("cookies") == ()
    await page_helpers.call("set_cookies", before)
    after = await page_helpers.call("cookies")
    await page_helpers.tab.send(network.ClearBrowserCookies())

    assert {cookie.name: cookie.domain for cookie in before} == {
        "host": "localhost", "strict": "localhost", "lasting": "localhost", "domain": ".example.com",
    }  # fmt: skip
    assert sorted(after, key=lambda cookie: cookie.name) == sorted(before, key=lambda cookie: cookie.name)


async def test_the_cookies_of_a_context_are_its_own(browser: Connection, sites: Sites) -> None:
    sites.pages["/"] = Response("set", headers={"Set-Cookie": "one=1"})
    async with new_context(browser) as context, context.new_page() as tab:
        await goto(tab, sites.local("/"))
        own = await cookies(browser, browser_context_id=context.browser_context_id)

        assert [cookie.name for cookie in own] == ["one"]
        assert await cookies(tab) == own
        assert await cookies(browser) == ()
        await set_cookies(browser, own)
        assert await cookies(browser) == own
        await browser.send_raw("Storage.clearCookies")
        await set_cookies(tab, [network.CookieParam(name="two", value="2", url=sites.local("/"))])
        assert [cookie.name for cookie in await cookies(tab)] == ["one", "two"]
        assert await cookies(browser) == ()
        with pytest.raises(CommandError):
            await set_cookies(tab, [network.CookieParam(name="a", value="b")])


async def test_a_context_begins_with_cookies_that_were_kept(browser: Connection, sites: Sites, tmp_path: Path) -> None:
    sites.pages["/"] = Response("set", headers={"Set-Cookie": "user=Ada"})
    file = tmp_path / "cookies.json"
    async with new_context(browser) as context, context.new_page() as tab:
        await goto(tab, sites.local("/"))
        kept = await cookies(tab)
    file.write_bytes(msgspec.json.encode(kept))

    async with new_context(browser, cookies=str(file)) as context:
        from_file = await cookies(browser, browser_context_id=context.browser_context_id)
    async with new_context(browser, cookies=kept) as context, context.new_page() as tab:
        from_values = await cookies(tab)
        await tab.send(network.ClearBrowserCookies())
        await set_cookies(tab, file)
        put_back = await cookies(tab)

    assert [cookie.name for cookie in kept] == ["user"]
    assert from_file == from_values == put_back == kept


async def test_a_file_without_cookies_is_refused_and_leaves_no_context(browser: Connection, tmp_path: Path) -> None:
    file = tmp_path / "cookies.json"
    file.write_text('{"cookies": []}')
    before = await browser.send(target.GetBrowserContexts())

    with pytest.raises(ValueError, match=r"^cookies\.json: expected a JSON array of cookies: "):
        async with new_context(browser, cookies=file):
            pass

    assert (await browser.send(target.GetBrowserContexts())).browser_context_ids == before.browser_context_ids


@pytest.mark.parametrize("given", [[{"name": "a", "value": "b"}], {"a": "b"}])
async def test_what_is_no_cookie_is_refused_with_what_is_one(page_helpers: Helpers, given: Any) -> None:
    with pytest.raises(TypeError, match=r"^a cookie is network\.CookieParam.*, not an object of type (dict|str)$"):
        await page_helpers.call("set_cookies", given)


# -- images and documents ----------------------------------------------------------------------------------------


async def test_a_page_as_an_image_and_as_a_document(page_helpers: Helpers, sites: Sites) -> None:
    sites.pages["/"] = "<body style='margin: 0'><div style='width: 100px; height: 3000px; background: red'></div>"
    await page_helpers.call("goto", sites.local("/"))

    window = await page_helpers.call("screenshot")
    whole = await page_helpers.call("screenshot", full_page=True)
    jpeg = await page_helpers.call("screenshot", format="jpeg", quality=10)
    document = await page_helpers.call("pdf", page.PrintToPDF(landscape=True))

    shown = await page_helpers.call("js", "[innerHeight, innerWidth]")
    assert window.startswith(b"\x89PNG")
    assert struct.unpack(">II", window[16:24]) == (shown[1], shown[0])
    assert struct.unpack(">II", whole[16:24])[1] == 3000
    assert jpeg.startswith(b"\xff\xd8")
    assert document.startswith(b"%PDF-")
    assert (await pdf(page_helpers.tab)).startswith(b"%PDF-")
    assert (await screenshot(page_helpers.tab, format="webp")).startswith(b"RIFF")


# -- contexts ----------------------------------------------------------------------------------------------------


async def test_a_context_has_its_proxy_and_ends_with_its_pages(browser: Connection, sites: Sites) -> None:
    sites.pages["/"] = lambda request: f"<title>asked {request.host}</title>"
    proxy = sites.remote("/").rstrip("/")

    async with new_context(browser, proxy=proxy, proxy_bypass="*.local") as context:
        async with context.new_page() as tab:
            await goto(tab, "http://anything.example/")
            assert await js(tab, "document.title") == "asked anything.example"
            with pytest.raises(NavigationFailed):
                await goto(tab, "http://printer.local/")
        async with context.new_page("about:blank") as left_open:
            pass
        assert left_open.target_id != tab.target_id

    assert context.browser_context_id not in (await browser.send_raw("Target.getBrowserContexts"))["browserContextIds"]


def _proxy_with_password(request: Request) -> Response:
    right = "Basic " + b64encode(b"ada:love@lace").decode()
    if request.headers.get("proxy-authorization") != right:
        return Response("who are you?", 407, {"Proxy-Authenticate": 'Basic realm="proxy"'})
    if request.path.endswith("/members") and not request.authorization:
        return Response("who are you?", 401, {"WWW-Authenticate": 'Basic realm="members"'})
    return Response(f"<title>{request.host}</title><p>a page</p>")


@pytest.mark.parametrize("opens", [True, False])
async def test_a_context_gives_its_proxy_the_password(browser: Connection, sites: Sites, opens: bool) -> None:
    sites.pages.update({"/": _proxy_with_password, "/members": _proxy_with_password})
    proxy = sites.remote("/").rstrip("/").replace("://", "://ada:love%40lace@")

    def log_in(request: PausedRequest) -> RequestAnswer:
        return request.authenticate("bob", "bob") if request.challenge else None

    url = "http://anything.example/" if opens else "about:blank"
    async with new_context(browser, proxy=proxy) as context, context.new_page(url) as tab:
        if not opens:
            await goto(tab, "http://anything.example/")
        await wait_for(tab, "p")
        assert await js(tab, "document.title") == "anything.example"
        assert await js(tab, "fetch('/members').then(response => response.status)") == 401
        async with intercept(tab, "*/members", log_in, auth=True):
            assert await js(tab, "fetch('/members').then(response => response.status)") == 200


async def test_a_wrong_password_of_a_proxy_is_asked_for_once(browser: Connection, sites: Sites) -> None:
    sites.pages["/"] = _proxy_with_password
    proxy = sites.remote("/").rstrip("/").replace("://", "://ada:wrong@")
    async with new_context(browser, proxy=proxy) as context, context.new_page() as tab:
        assert (await goto(tab, "http://anything.example/")).status == 407


async def test_a_socks_proxy_with_a_password_is_refused(browser: Connection) -> None:
    with pytest.raises(ValueError, match="no name and password to a SOCKS proxy") as refused:
        async with new_context(browser, proxy=f"socks5://ada:{CANARY}@127.0.0.1:1"):
            raise AssertionError
    assert CANARY not in str(refused.value)


def test_a_context_of_the_blocking_client(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = "<title>here</title>"
    with (
        connect_sync(chromium.http_url) as browser,
        blocking.new_context(browser) as context,
        context.new_page() as tab,
    ):
        assert blocking.goto(tab, sites.local("/")).status == 200
        assert blocking.js(tab, "document.title") == "here"
