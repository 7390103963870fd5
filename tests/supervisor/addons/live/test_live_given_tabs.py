"""A person gives a tab to the agent in the live view, and takes it back. A second client plays the person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

from cdp_typed import Session, connect
from cdp_typed.helpers import goto, js
from cdp_typed.launch import LaunchedBrowser, launch
from cdp_typed.protocol import page, target
from supervisor import AsyncSupervisor
from supervisor.addons.live import Address, LiveView, live_url, serve_live
from tests.supervisor.addons.live.conftest import LiveOn, soon, until
from tests.support.secrets import CANARY
from tests.support.servers.displays import needs_display, virtual_display

BANK = "data:text/html,<title>Bank</title><h1>Account</h1>"
BUTTON = (
    "[...document.querySelectorAll('#others li')].find(row => row.textContent.startsWith({title!r}))?.lastElementChild"
)


@pytest.fixture
def persons_browser() -> Iterator[LaunchedBrowser]:
    """A browser with windows."""
    with virtual_display() as display, launch(headless=False, env={"DISPLAY": display}) as running:
        yield running


async def press_button(viewer: Session, title: str, label: str) -> None:
    """Press the button of a row of the list of other tabs, as soon as it has this label."""
    row = BUTTON.format(title=title)
    await until(viewer, f"{row}?.textContent === {label!r}")
    await js(viewer, f"{row}.click()")


@needs_display
@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
@pytest.mark.parametrize("scope", ["own", "shared"])
async def test_a_tab_is_given_and_taken_back_by_a_button(
    persons_browser: LaunchedBrowser, chromium: LaunchedBrowser, scope: Literal["own", "shared"]
) -> None:
    address = Address(token=CANARY)
    async with (
        connect(persons_browser.ws_url) as person,
        person.new_page(BANK) as bank,
        AsyncSupervisor(persons_browser.ws_url, scope=scope) as supervisor,
        serve_live(LiveView(supervisor), address) as url,
        connect(chromium.ws_url) as viewers,
        viewers.new_page() as viewer,
    ):
        await bank.send(page.Enable())
        if scope == "shared":
            await supervisor.open_page()
        await goto(viewer, live_url(url, address))
        await press_button(viewer, "Bank", "Give this tab to the agent")
        await soon(lambda: any(tab.is_given for tab in supervisor.snapshot().pages))
        (given,) = (tab for tab in supervisor.snapshot().pages if tab.is_given)
        assert (given.target_id, given.is_managed, given.is_current) == (bank.target_id, True, False)
        await supervisor.select_page(bank.target_id)
        assert (await supervisor.evaluate("document.querySelector('h1').textContent")).value == "Account"

        await press_button(viewer, "Bank", "Take back")
        await soon(
            lambda: not any(tab.target_id == bank.target_id and tab.is_managed for tab in supervisor.snapshot().pages)
        )
        await until(viewer, f"{BUTTON.format(title='Bank')}?.textContent === 'Give this tab to the agent'")
        # The person's own client noticed none of it, and the tab is as it was.
        assert (await js(bank, "document.title")) == "Bank"
        assert bank.target_id in {info.target_id for info in (await person.send(target.GetTargets())).target_infos}


async def test_a_tab_that_shows_the_live_view_is_not_offered(live: LiveOn, supervised: LaunchedBrowser) -> None:
    async with (
        live("<title>Work</title>") as shown,
        connect(supervised.ws_url) as person,
        person.new_page() as own_view,
        person.new_page(BANK),
        shown.viewer() as viewer,
    ):
        await goto(own_view, shown.address)
        await until(viewer, f"{BUTTON.format(title='Bank')}?.textContent === 'Give this tab to the agent'")
        titles = await js(viewer, "[...document.querySelectorAll('#others .title')].map(title => title.textContent)")

        assert "Live view" not in titles
        await say(viewer, "give_tab", own_view)
        await until(viewer, "notices.textContent.includes('no page has the id')")
        assert not any(tab.is_given for tab in shown.supervisor.snapshot().pages)


async def test_tabs_of_a_browser_that_tasks_share_by_contexts_are_not_offered(
    live: LiveOn, supervised: LaunchedBrowser
) -> None:
    async with (
        live("<title>Work</title>", own_context=True) as shown,
        connect(supervised.ws_url) as person,
        person.new_page(BANK) as bank,
        shown.viewer() as viewer,
    ):
        await say(viewer, "give_tab", bank)
        await until(viewer, "notices.textContent.includes('no page has the id')")

        assert await js(viewer, "document.getElementById('others').parentElement.hidden")
        assert [tab.is_ours for tab in shown.supervisor.snapshot().pages] == [True]


async def say(viewer: Session, way: str, tab: Session) -> None:
    """Send a message to the server over the feed of a viewer, as its page does."""
    await js(
        viewer,
        """async (do_, targetId) => {
            const { openFeed, readToken } = await import('/token.js');
            const feed = openFeed(location.href, readToken());
            feed.onmessage = event => { if (typeof event.data === 'string' && event.data.includes('"notices"'))
                notices.textContent = event.data };
            await new Promise(done => { feed.onopen = done });
            feed.send(JSON.stringify({ do: do_, targetId })) }""",
        way,
        tab.target_id,
    )
