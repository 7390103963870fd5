"""Recursive auto-attach on real Chromium and on the mock: the same sessions on both."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

import pytest

from cdp_typed import Connection, Session, connect
from cdp_typed.protocol import page, runtime, target
from tests.support.stages.stages import Stage, raise_stage

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module", params=["mock", "chromium"])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    kind: Literal["mock", "chromium"] = request.param
    with raise_stage(kind, omnibox=True) as raised:
        yield raised


async def _titles(tab: Session) -> list[str]:
    """The titles of a page and of the sessions below it, outermost first."""
    told = await tab.send(runtime.Evaluate(expression="document.title"), timeout=10)
    below = [title for child in tab.children for title in await _titles(child)]
    return [str(told.result.value), *below]


async def test_frames_within_frames_are_attached_enabled_and_running(stage: Stage) -> None:
    async with connect(stage.cdp_url) as browser, browser.new_page() as tab:
        await tab.send(page.Enable())
        loaded: dict[str | None, asyncio.Future[None]] = defaultdict(asyncio.get_running_loop().create_future)
        browser.listen(lambda session_id, _: loaded[session_id].set_result(None), page.LoadEventFired)
        async with tab.auto_attach(enable=[page.Enable(), runtime.Enable()]) as attaching:
            async with tab.expect(page.LoadEventFired, timeout=30):
                await tab.send(page.Navigate(url=f"{stage.own}/nested"))
            middle, inner = attaching.sessions
            # Only a frame whose session has Page enabled, and that was let run, tells of its load.
            await asyncio.wait_for(asyncio.gather(loaded[middle.session_id], loaded[inner.session_id]), 30)

            assert (inner.parent, middle.parent) == (middle, tab)
            assert await _titles(tab) == ["Nested", "Middle", "Inner"]
            assert attaching.failures == ()

        assert browser.drift == ()


async def test_stopping_detaches_what_was_attached(stage: Stage) -> None:
    async with connect(stage.cdp_url) as browser, browser.new_page() as tab:
        await tab.send(page.Enable())
        attaching = await tab.auto_attach()
        async with browser.expect(target.AttachedToTarget, lambda event: event.target_info.type == "iframe"):
            await tab.send(page.Navigate(url=f"{stage.own}/frames"))
        (frame,) = attaching.sessions
        async with browser.expect(target.DetachedFromTarget, lambda event: event.session_id == frame.session_id):
            await attaching.stop()

        assert frame.is_over
        assert tab.children == ()
        assert browser.listeners == 0


async def test_every_page_of_the_browser_is_attached_and_new_ones_run(stage: Stage) -> None:
    async with connect(stage.cdp_url) as browser:
        created = await browser.send(target.CreateTarget(url="about:blank"))
        only_pages = [target.FilterEntry(type="page")]
        async with browser.auto_attach(filter=only_pages, enable=[page.Enable()]) as attaching:
            assert created.target_id in {session.target_id for session in attaching.sessions}
            later = await browser.send(target.CreateTarget(url="about:blank"))
            async with asyncio.timeout(30):
                while later.target_id not in {session.target_id for session in attaching.sessions}:  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.02)
            (runs,) = (session for session in attaching.sessions if session.target_id == later.target_id)
            # Not what createTarget loads: on a busy machine that has been loaded before the page is enabled.
            await runs.send(page.GetFrameTree())
            async with runs.expect(page.LoadEventFired, timeout=30):
                await runs.send(page.Navigate(url=f"{stage.own}/plain"))

        for new_page in (created, later):
            await browser.send(target.CloseTarget(target_id=new_page.target_id))
        assert browser.drift == ()


def _last_part(event: page.FrameNavigated) -> str:
    return event.frame.url.rsplit("/", 1)[-1]


async def _navigated(browser: Connection, tab: Session, stage: Stage) -> list[tuple[str | None, str]]:
    """Navigate to a page with two iframes; return the session and the document of each `frameNavigated`."""
    await tab.send(page.GetFrameTree())  # Chromium may lose the first event while `Page.enable` is not answered
    seen: list[tuple[str | None, str]] = []
    listener = browser.listen(lambda session, event: seen.append((session, _last_part(event))), page.FrameNavigated)
    async with (
        browser.expect(page.FrameNavigated, lambda event: _last_part(event) == "inner", timeout=30),
        browser.expect(page.FrameNavigated, lambda event: _last_part(event) == "local", timeout=30),
    ):
        await tab.send(page.Navigate(url=f"{stage.own}/frames"))
    for session in browser.sessions:  # a second session of a target sends its event before it replies
        await session.send(page.GetFrameTree())
    listener.close()
    return seen


async def test_a_new_page_takes_the_session_of_the_auto_attach(stage: Stage) -> None:
    async with (
        connect(stage.cdp_url) as browser,
        browser.auto_attach(enable=[page.Enable()]) as attaching,
        browser.new_page() as tab,
    ):
        seen = await _navigated(browser, tab, stage)

        assert sorted(document for _, document in seen) == ["frames", "inner", "local"]
        assert [session for session in attaching.sessions if session.target_id == tab.target_id] == [tab]


async def test_a_later_auto_attach_takes_the_session_that_a_page_has_and_leaves_it_at_its_end(stage: Stage) -> None:
    async with connect(stage.cdp_url) as browser, browser.new_page() as tab:
        async with browser.auto_attach(enable=[page.Enable()]) as attaching:
            seen = await _navigated(browser, tab, stage)

            assert (tab.session_id, "frames") in seen
            assert sorted(document for _, document in seen) == ["frames", "inner", "local"]
            assert [session for session in attaching.sessions if session.target_id == tab.target_id] == [tab]
        await tab.send(page.GetFrameTree())
        assert tab.children == ()
        assert browser.sessions == (tab,)


async def test_two_auto_attaches_share_the_sessions_below_a_page(stage: Stage) -> None:
    async with connect(stage.cdp_url) as browser, browser.new_page() as tab:
        await tab.send(page.Enable())
        async with tab.auto_attach(enable=[page.Enable()]) as below:
            await _navigated(browser, tab, stage)
            async with browser.auto_attach(enable=[runtime.Enable()]) as all_of_it:
                await browser.send(target.GetTargets())  # answered after the second sessions were detached
                assert {tab, *below.sessions} <= set(all_of_it.sessions)
                assert len({session.target_id for session in browser.sessions}) == len(browser.sessions)
            # The auto-attach of the page was there before, and goes on.
            assert [session.is_over for session in below.sessions] == [False]


async def test_another_client_keeps_its_session_and_receives_its_events(stage: Stage) -> None:
    async with connect(stage.cdp_url) as person, connect(stage.cdp_url) as browser, browser.new_page() as tab:
        beside = await person.attach(tab.target_id, enable=[page.Enable()])
        seen: list[str] = []
        person.listen(lambda _session, event: seen.append(event.METHOD), target.DetachedFromTarget, page.FrameNavigated)
        async with browser.auto_attach(enable=[page.Enable()]):
            await _navigated(browser, tab, stage)
        await beside.send(page.GetFrameTree())

        assert set(seen) == {"Page.frameNavigated"}
        assert not beside.is_over
