"""`goto` waits for the new document, and each of the other things that may come has its own answer."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from pathlib import Path

import pytest

from cdp_typed import Connection, Session
from cdp_typed.errors import CommandError, EventTimeout, NavigationFailed, NavigationTimeout, TargetCrashed
from cdp_typed.helpers import click, go_back, go_forward, goto, js
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, runtime
from tests.cdp_typed.helpers.conftest import Helpers
from tests.support.servers.sites import Request, Response, Sites, iframe

pytestmark = pytest.mark.thorough

DOWNLOAD = Response("text", headers={"Content-Disposition": "attachment; filename=file.txt"})


@pytest.fixture(autouse=True)
def pages(no_leaks: None, sites: Sites) -> None:
    sites.pages.update(
        {
            "/": "<title>first</title><p id=there>here",
            "/second": "<title>second</title>",
            "/missing": Response("<title>not here</title>", 404),
            "/empty-error": Response(status=500),
            "/download": DOWNLOAD,
            "/no-content": Response(status=204),
            "/reset-content": Response(status=205),
            "/redirect": Response(status=302, headers={"Location": "/second"}),
            "/moves-on": "<script>location.replace('/second')</script>",
            "/moves-to-nothing": "<script>location.replace('http://nobody.invalid/')</script>",
            "/slow": _slowly,
            "/slow-image": "<title>slow image</title><img src=/slow>",
            "/asks": "<script>alert('Who is there?')</script>",
        }
    )


def _refused_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


_ANSWERED = threading.Event()


def _slowly(_: Request) -> str:
    time.sleep(1.5)  # a server that takes its time: longer than the deadlines of the tests
    _ANSWERED.set()
    return "late"


# -- the pattern of old, and what it makes of these -------------------------------------------------------------


async def _by_load_event(tab: Session, url: str, within_s: float = 0.7) -> None:
    """What everybody writes first."""
    async with tab.expect(page.LoadEventFired, timeout=within_s):
        await tab.send(page.Enable())
        await tab.send(page.Navigate(url=url))


@pytest.mark.parametrize(
    ("address", "kind"), [("/#there", "same-document"), ("/download", "download"), ("/no-content", "no-content")]
)
async def test_where_no_document_comes_goto_says_so_and_the_load_event_is_waited_for_in_vain(
    page_helpers: Helpers, sites: Sites, address: str, kind: str
) -> None:
    await page_helpers.call("goto", sites.local("/"))
    with pytest.raises(EventTimeout):
        await _by_load_event(page_helpers.tab, sites.local(address))

    begun = time.monotonic()
    answer = await page_helpers.call("goto", sites.local(address))

    assert (answer.kind, answer.url) == (kind, sites.local(address))
    assert time.monotonic() - begun < 5


async def test_a_failed_navigation_is_an_error_at_once_and_a_page_for_the_load_event(page_helpers: Helpers) -> None:
    failures = {
        f"http://127.0.0.1:{_refused_port()}/": "net::ERR_CONNECTION_REFUSED",
        "http://nobody.invalid/": "net::ERR_NAME_NOT_RESOLVED",
    }
    for address, error in failures.items():
        await _by_load_event(page_helpers.tab, address, 10)  # the error page is loaded, and nothing is said
        with pytest.raises(NavigationFailed, match=f"^{address}: {error}$") as failed:
            await page_helpers.call("goto", address)
        assert (failed.value.url, failed.value.error_text) == (address, error)


# -- documents ---------------------------------------------------------------------------------------------------


async def test_a_document_comes_with_its_address_and_status(page_helpers: Helpers, sites: Sites) -> None:
    for address, arrived, status in [
        ("/", "/", 200),
        ("/#there", "/#there", None),
        ("/missing", "/missing", 404),
        ("/redirect", "/second", 200),
        ("/?query#there", "/?query#there", 200),
    ]:
        answer = await page_helpers.call("goto", sites.local(address))
        assert (answer.url, answer.status) == (sites.local(arrived), status)
        assert await page_helpers.call("js", "document.readyState") == "complete"
        assert await page_helpers.call("js", "location.href") == answer.url


async def test_nothing_need_be_enabled_for_any_document(browser: Connection, tab: Session, sites: Sites) -> None:
    first = await goto(tab, sites.local("/"))
    other_site = await goto(tab, sites.remote("/"))
    blank = await goto(tab, "about:blank")

    assert [first.kind, other_site.kind, blank.kind] == ["document"] * 3
    assert (blank.url, blank.status) == ("about:blank", None)
    assert len({first.loader_id, other_site.loader_id, blank.loader_id}) == 3
    await asyncio.sleep(0)  # a call that is cancelled is dropped in the loop's next round
    assert (browser.pending, browser.listeners) == (0, 0)


async def test_it_waits_as_long_as_it_is_told_to(page_helpers: Helpers, sites: Sites) -> None:
    for until, state in [("commit", None), ("domcontentloaded", "interactive"), ("load", "complete")]:
        await page_helpers.call("goto", "about:blank")
        answer = await page_helpers.call("goto", sites.local("/slow-image"), until=until)
        assert (answer.kind, answer.status) == ("document", 200)
        assert await page_helpers.call("js", "location.pathname") == "/slow-image"
        if state is not None:
            assert await page_helpers.call("js", "document.readyState") == state


async def test_another_frames_load_and_an_earlier_documents_are_not_taken_for_it(tab: Session, sites: Sites) -> None:
    sites.pages["/frames"] = f"<title>frames</title>{iframe('/')}<img src=/slow>"
    await goto(tab, sites.local("/slow-image"), until="commit")  # its load event is still to come

    await goto(tab, sites.local("/frames"))

    assert await js(tab, "[document.title, document.readyState]") == ["frames", "complete"]


async def test_a_page_that_moves_on_by_itself_is_followed(tab: Session, sites: Sites) -> None:
    answer = await goto(tab, sites.local("/moves-on"))

    assert (answer.kind, answer.url, answer.status) == ("document", sites.local("/second"), 200)
    with pytest.raises(NavigationFailed, match=r"^http://nobody\.invalid/: net::ERR_NAME_NOT_RESOLVED$"):
        await goto(tab, sites.local("/moves-to-nothing"))


# -- what is no document -----------------------------------------------------------------------------------------


async def test_each_address_that_loads_nothing_has_its_answer(tab: Session, sites: Sites) -> None:
    await goto(tab, sites.local("/"))

    answers = {
        address: (await goto(tab, address)).kind
        for address in [
            "javascript:void(document.title = 'set by a script')",
            "mailto:nobody@example.com",
            "tel:123",
            "unknown:thing",
            sites.local("/reset-content"),
        ]
    }

    assert [*answers.values()] == ["script", "external", "external", "external", "no-content"]
    assert await js(tab, "[location.href, document.title]") == [sites.local("/"), "set by a script"]


async def test_a_download_may_be_let_through(browser: Connection, tab: Session, sites: Sites, tmp_path: Path) -> None:
    async with browser.expect(browser_domain.DownloadProgress, lambda event: event.state == "completed", timeout=20):
        allow = browser_domain.SetDownloadBehavior(behavior="allow", download_path=str(tmp_path), events_enabled=True)
        await browser.send(allow)
        answer = await goto(tab, sites.local("/download"))

    assert (answer.kind, answer.status) == ("download", 200)
    assert (tmp_path / "file.txt").read_text() == "text"
    await browser.send(browser_domain.SetDownloadBehavior(behavior="default"))


async def test_a_download_may_be_the_first_that_a_new_page_does(browser: Connection, sites: Sites) -> None:
    # Chromium closes a tab whose very first navigation is a download, so a new page must be at about:blank before.
    async def download_and_go_on() -> object:
        async with browser.new_page() as new:
            assert (await goto(new, sites.local("/download"))).kind == "download"
            await asyncio.sleep(0.3)
            return (await goto(new, sites.local("/"))).status

    for _ in range(4):
        assert await asyncio.gather(*(download_and_go_on() for _ in range(5))) == [200] * 5


async def test_what_is_no_address_is_refused(tab: Session) -> None:
    with pytest.raises(CommandError, match="Cannot navigate to invalid URL"):
        await goto(tab, "http://[")
    with pytest.raises(ValueError, match=r"^example\.com has no scheme; write https://example\.com$"):
        await goto(tab, "example.com")
    with pytest.raises(ValueError, match=r"^www\.example\.com/a has no scheme; write https://www\.example\.com/a$"):
        await goto(tab, "www.example.com/a?token=secret")
    with pytest.raises(ValueError, match=r"^/shop has no scheme; such as https://$"):
        await goto(tab, "/shop")
    with pytest.raises(ValueError, match=r"^localhost:8000/a has no scheme; write http://localhost:8000/a$"):
        await goto(tab, "localhost:8000/a?token=secret")
    with pytest.raises(ValueError, match=r"^until must be one of load, domcontentloaded, commit, not 'networkidle'$"):
        await goto(tab, "about:blank", until="networkidle")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the mistake that is tested


# -- the deadline ------------------------------------------------------------------------------------------------


async def test_what_does_not_come_in_time_is_told(tab: Session, sites: Sites) -> None:
    with pytest.raises(NavigationTimeout, match=r"/slow\?page=2&token=<redacted>: no response within 0\.2 s$"):
        await goto(tab, sites.local("/slow?page=2&token=secret"), timeout=0.2)
    _ANSWERED.clear()
    await goto(tab, sites.local("/second"))
    assert not _ANSWERED.is_set()  # a response that is still to come holds nothing up
    with pytest.raises(NavigationTimeout, match=r"/slow-image: committed, but no load within 1 s$"):
        await goto(tab, sites.local("/slow-image"), timeout=1)


@pytest.mark.parametrize("is_busy", [False, True])
async def test_a_dialog_in_the_way_is_named(tab: Session, sites: Sites, is_busy: bool) -> None:
    if is_busy:  # the page before answers too late to enable events
        busy = "setTimeout(() => { const begun = Date.now(); while (Date.now() - begun < 400); })"
        _ = await tab.send(runtime.Evaluate(expression=busy))
    came = "a response" if is_busy else "(committed|a response)"
    dialog = rf'/asks: {came}, but no load within 3 s; the page shows a dialog \(alert\): "Who is there\?"'
    with pytest.raises(NavigationTimeout, match=dialog):
        await goto(tab, sites.local("/asks"), timeout=3)
    await tab.send(page.HandleJavaScriptDialog(accept=True))


async def test_an_address_without_a_host_is_told_without_its_content(tab: Session) -> None:
    with pytest.raises(NavigationTimeout, match=r"^data:\.\.\.: "):
        await goto(tab, "data:text/html,secret<script>alert(1)</script>", timeout=1)
    await tab.send(page.HandleJavaScriptDialog(accept=True))
    await tab.send(runtime.Evaluate(expression="addEventListener('beforeunload', event => event.preventDefault())"))
    await click(tab, "html")
    with pytest.raises(NavigationTimeout, match=r"^about:blank: no response within 2 s; the page shows a dialog"):
        await goto(tab, "about:blank", timeout=2)
    await tab.send(page.HandleJavaScriptDialog(accept=True))


async def test_a_second_navigation_ends_the_first_one(tab: Session, sites: Sites) -> None:
    first = asyncio.create_task(goto(tab, sites.local("/slow")))
    while not sites.requests:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.02)
    await goto(tab, sites.local("/second"))

    with pytest.raises(NavigationFailed, match=r"/slow: net::ERR_ABORTED$"):
        await first


async def test_a_crash_is_told_at_once(tab: Session) -> None:
    with pytest.raises((TargetCrashed, NavigationFailed)):
        await goto(tab, "chrome://crash", timeout=20)


# -- history -----------------------------------------------------------------------------------------------------


async def test_back_and_forward_through_documents_and_fragments(page_helpers: Helpers, sites: Sites) -> None:
    # Whether a new page's about:blank is an entry depends on how far the page was when it went on.
    for address in ("/second", "/", "/#there", "/second"):
        await page_helpers.call("goto", sites.local(address))

    back = [await page_helpers.call("go_back") for _ in range(3)]
    forward = [await page_helpers.call("go_forward") for _ in range(4)]

    assert [answer.url for answer in back] == [sites.local("/#there"), sites.local("/"), sites.local("/second")]
    assert back[0].kind in {"document", "restored"}
    assert back[1].kind == "same-document"
    assert [answer.url for answer in forward[1:]] == [sites.local(path) for path in ("/#there", "/second", "/second")]
    assert [forward[1].kind, forward[3].kind] == ["same-document", "no-entry"]


async def test_a_page_of_the_history_that_does_not_come_in_time_is_told(tab: Session, sites: Sites) -> None:
    sites.pages["/then-slow"] = Response("<script>addEventListener('unload', () => {})</script>")
    await goto(tab, sites.local("/then-slow"))
    await goto(tab, sites.local("/second"))
    sites.pages["/then-slow"] = _slowly

    with pytest.raises(NavigationTimeout, match=r"/then-slow: no response within 0\.3 s$"):
        await go_back(tab, timeout=0.3)


@pytest.mark.parametrize(("now", "kind"), [("/download", "download"), ("/no-content", "no-content")])
async def test_a_page_of_the_history_that_is_no_page_any_more_is_told_at_once(
    page_helpers: Helpers, sites: Sites, now: str, kind: str
) -> None:
    sites.pages["/changes"] = Response("<script>addEventListener('unload', () => {})</script>")
    await page_helpers.call("goto", sites.local("/changes"))
    await page_helpers.call("goto", sites.local("/second"))
    sites.pages["/changes"] = sites.pages[now]

    went = await page_helpers.call("go_back")

    assert (went.kind, went.url) == (kind, sites.local("/changes"))
    assert await page_helpers.call("js", "document.title") == "second"


async def test_a_page_of_the_history_that_is_gone_is_an_error(tab: Session, sites: Sites) -> None:
    keeps_it_out_of_the_cache = "<script>addEventListener('unload', () => {})</script>"
    with Sites({"/": Response(keeps_it_out_of_the_cache)}) as short_lived:
        await goto(tab, short_lived.local("/"))
        await goto(tab, sites.local("/second"))

    with pytest.raises(NavigationFailed, match=r"/: net::ERR_CONNECTION_REFUSED$"):
        await go_back(tab)
    assert (await go_forward(tab)).url == sites.local("/second")
