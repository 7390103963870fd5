"""Documents that come and go in unusual ways on real Chromium: prerendered, restored from the cache, frozen."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from cdp_typed import connect_sync
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import page, target
from supervisor import CDPSupervisor, SupervisorSnapshot
from tests.support.browsers import launched
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.stages import is_loaded, open_page

EMPTY = "<!doctype html><link rel=icon href=data:,>"
SPECULATING = f"""{EMPTY}<title>start</title>{iframe("/plain", "old")}
<script type=speculationrules>{{"prerender": [{{"source": "list", "urls": ["/next"]}}]}}</script>"""
NEXT = f"""{EMPTY}<title>next</title><script>window.early = document.prerendering; fetch("/seen")</script>"""


@pytest.fixture
def browser(no_leaks: None) -> Iterator[LaunchedBrowser]:
    with launched(omnibox=False) as running:
        yield running


@pytest.fixture
def seen() -> Event:
    """Set when the page `/next` runs its script."""
    return Event()


@pytest.fixture
def sites(no_leaks: None, seen: Event) -> Iterator[Sites]:
    def tell(_: object) -> str:
        seen.set()
        return ""

    with Sites({"/plain": f"{EMPTY}<title>plain</title>", "/seen": tell, "/start": SPECULATING}) as serving:
        both = iframe("/plain", "local") + iframe(serving.remote("/plain"), "oopif")
        serving.pages["/next"] = NEXT + both
        serving.pages["/framed"] = f"{EMPTY}<title>framed</title>{both}"
        yield serving


def shows(now: SupervisorSnapshot, title_url: str, frames: int) -> bool:
    """The current page is there as a whole, in the list of pages and in the tree."""
    top = now.frame_tree.top
    is_listed = [info.url for info in now.pages if info.is_current] == [title_url]
    return is_listed and top is not None and top.url == title_url and now.frame_tree.total == frames and is_loaded(now)


def places(now: SupervisorSnapshot) -> set[tuple[str, bool, bool]]:
    """Of each iframe its URL, whether it hangs below the top frame, whether it is an OOPIF."""
    top = now.frame_tree.top
    assert top is not None
    return {(frame.url, frame.parent_id == top.frame_id, frame.is_oopif) for frame in now.frame_tree.children}


def test_a_page_that_was_prerendered_before_we_came_is_seen_whole_when_it_is_shown(
    browser: LaunchedBrowser, sites: Sites, seen: Event
) -> None:
    """It has a top frame of its own, whose id is not that of its tab, and Chromium announces nothing but its script
    contexts. Dialogs and expressions go where they belong; the page before is back afterwards."""
    with connect_sync(browser.ws_url) as unwatched:
        tab = str(unwatched.send(target.CreateTarget(url=sites.local("/start"))).target_id)
    assert seen.wait(30), "Chromium did not prerender"
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        supervisor.select_page(tab)
        before = supervisor.wait_for(lambda now: shows(now, sites.local("/start"), 2), timeout_s=20)
        assert supervisor.evaluate("document.title").value == "start"

        supervisor.evaluate("setTimeout(() => { location.href = '/next' }, 0)")

        both = {(sites.local("/plain"), True, False), (sites.remote("/plain"), True, True)}
        now = supervisor.wait_for(
            lambda now: shows(now, sites.local("/next"), 3) and places(now) == both, timeout_s=20
        )  # the OOPIF loads only when the page is shown
        top = now.frame_tree.top
        assert top is not None
        assert top.frame_id != tab
        assert supervisor.evaluate("[document.title, window.early]").value == ["next", True]
        for frame in (top, *now.frame_tree.children):
            assert supervisor.evaluate("location.href", frame.frame_id).value == frame.url
            supervisor.evaluate("setTimeout(() => alert('here'), 0)", frame.frame_id)
            (dialog,) = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20).pending_dialogs
            assert (dialog.frame_id, dialog.target_id) == (frame.frame_id, tab)
            assert supervisor.respond_to_dialog("accept").accepted

        supervisor.navigate(sites.local("/plain"))
        supervisor.evaluate("setTimeout(() => history.go(-2), 0)")
        back = supervisor.wait_for(lambda now: shows(now, sites.local("/start"), 2), timeout_s=20)
        assert (back.frame_tree.top, before.pages[0].target_id) == (before.frame_tree.top, back.pages[0].target_id)
        assert supervisor.evaluate("document.title").value == "start"


def test_a_page_that_we_watch_is_not_prerendered_and_leads_on_all_the_same(
    browser: LaunchedBrowser, sites: Sites, seen: Event
) -> None:
    """Chromium does not prerender for a page whose session we have (`PrerenderingDisabledByDevTools`)."""
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        open_page(supervisor, sites.local("/start"))

        supervisor.evaluate("setTimeout(() => { location.href = '/next' }, 0)")

        now = supervisor.wait_for(lambda now: shows(now, sites.local("/next"), 3), timeout_s=20)
        assert len(now.pages) == 1
        assert supervisor.evaluate("window.early").value is False
        assert seen.wait(20)


def test_a_page_from_the_back_forward_cache_has_all_its_iframes_at_once(browser: LaunchedBrowser, sites: Sites) -> None:
    """Chromium announces its OOPIFs before the page itself."""
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        before = open_page(supervisor, sites.local("/framed"))
        supervisor.evaluate("window.mark = 'kept'")
        open_page(supervisor, sites.local("/plain"))

        supervisor.evaluate("setTimeout(() => history.back(), 0)")

        now = supervisor.wait_for(lambda now: shows(now, sites.local("/framed"), 3), timeout_s=20)
        assert supervisor.evaluate("window.mark").value == "kept", "it did not come from the cache"
        assert places(now) == places(before)
        assert [supervisor.evaluate("location.href", frame.frame_id).value for frame in now.frame_tree.children] == [
            frame.url for frame in now.frame_tree.children
        ]
        supervisor.evaluate("setTimeout(() => history.forward(), 0)")
        supervisor.wait_for(lambda now: shows(now, sites.local("/plain"), 1), timeout_s=20)
        assert supervisor.evaluate("document.title").value == "plain"


def test_iframes_without_a_document_of_their_own_show_the_empty_one(browser: LaunchedBrowser, sites: Sites) -> None:
    """Nothing is announced of them."""
    sources = ("", "src=javascript:1", "src='javascript:void 0'", "src=about:blank")
    sites.pages["/empty"] = EMPTY + "".join(f"<iframe {source}></iframe>" for source in sources)
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        now = open_page(supervisor, sites.local("/empty"))

        assert [frame.url for frame in now.frame_tree.children] == ["about:blank"] * len(sources)


def test_a_frozen_tab_holds_up_no_start(browser: LaunchedBrowser, sites: Sites) -> None:
    """Its timers stand still; it is attached, it answers, and it goes on when it is thawed."""
    with connect_sync(browser.ws_url) as other:
        tab = other.send(target.CreateTarget(url="about:blank", background=True)).target_id
        session = other.attach(tab)
        session.send(page.Enable())
        with session.expect(page.LoadEventFired, timeout=20):
            session.send(page.Navigate(url=sites.local("/framed")))
        session.send(page.SetWebLifecycleState(state="frozen"))

        with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
            supervisor.select_page(str(tab))
            now = supervisor.wait_for(lambda now: now.frame_tree.total == 3, timeout_s=20)
            assert ([info.status for info in now.pages], now.blockers) == (["ok", "ok"], ())
            assert supervisor.evaluate("document.title").value == "framed"
            supervisor.evaluate("setTimeout(() => console.log('thawed'), 0)")
            session.send(page.SetWebLifecycleState(state="active"))
            supervisor.wait_for(lambda now: any(line.text == "thawed" for line in now.console), timeout_s=20)


def test_a_dialog_of_a_page_that_goes_into_the_cache_is_told_and_another_navigation_ends_it(
    browser: LaunchedBrowser, sites: Sites
) -> None:
    """Chromium shows it, holds the new page up, and takes no answer."""
    sites.pages["/hiding"] = f"{EMPTY}<script>onpagehide = () => confirm('bye?')</script>"
    with CDPSupervisor(browser.ws_url, call_timeout_s=20) as supervisor:
        open_page(supervisor, sites.local("/hiding"))
        supervisor.send(page.Navigate(url=sites.local("/plain")))
        (dialog,) = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20).pending_dialogs
        assert (dialog.message, dialog.type) == ("bye?", "confirm")

        supervisor.navigate(sites.remote("/plain"))

        assert supervisor.evaluate("location.href").value == sites.remote("/plain")
        (record,) = supervisor.wait_for(lambda now: not now.pending_dialogs, timeout_s=20).recent_dialogs
        assert (record.id, record.accepted) == (dialog.id, False)
