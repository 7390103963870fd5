"""The result of a click names its effects, on real Chromium: a navigation, a tab, a dialog that comes later."""

from __future__ import annotations

import asyncio
import threading

import pytest

from supervisor.tools.actions.input_effects import ActionResult, Watch
from supervisor.tools.actions.mouse import ClickArguments, click
from tests.support.servers.sites import Request
from tests.support.stages.playground import Playground

FOR_EVER_S = 30.0
"""A deadline that is never reached: the effect comes before."""


async def effects(ground: Playground, label: str) -> ActionResult:
    """A click, and what came of it."""
    ref = await ground.ref(label)
    watch = Watch(ground.supervisor, limit_s=FOR_EVER_S)
    return await watch.end((await click(ground.supervisor, ClickArguments(ref=ref))).frame_id)


@pytest.mark.parametrize(
    "html",
    [
        "<a href=/next>Go</a>",
        "<button onclick=\"location = '/next'\">Go</button>",
        "<button onclick=\"setTimeout(() => { location = '/next' })\">Go</button>",
    ],
    ids=["link", "script", "later"],
)
async def test_a_document_that_begins_to_load_is_told_before_it_is_there(ground: Playground, html: str) -> None:
    may_answer = threading.Event()

    def answer(request: Request) -> str:
        may_answer.wait(FOR_EVER_S)
        return "<!doctype html><title>Next</title>"

    ground.sites.pages["/next"] = answer
    await ground.open(html)

    told = await effects(ground, ' "Go"')

    may_answer.set()
    await ground.settled(1)
    assert told == ActionResult(loading=True)
    assert await ground.value("document.title") == "Next"


async def test_a_frame_that_loads_another_document_is_told_too(ground: Playground) -> None:
    ground.sites.pages.update({"/link": "<a href=/there>Go</a>", "/there": "<title>There</title>"})
    await ground.open(f"<iframe name=inner src='{ground.sites.remote('/link')}'></iframe>", frames=2)

    assert await effects(ground, 'link "Go"') == ActionResult(loading=True)


async def test_a_tab_that_a_click_opens_is_named(ground: Playground) -> None:
    await ground.open("<button onclick='window.open()'>Open</button>")

    told = await effects(ground, 'button "Open"')

    (opened,) = told.opened
    await ground.supervisor.close_page(opened)
    assert told == ActionResult(opened=[opened])


async def test_a_link_opens_in_a_new_tab_with_control(ground: Playground) -> None:
    ground.sites.pages["/next"] = "<!doctype html><title>Next</title>"
    await ground.open("<a href=/next>Go</a>")
    arguments = ClickArguments(ref=await ground.ref('link "Go"'), modifiers="Control")
    watch = Watch(ground.supervisor)
    await watch.begin(arguments.ref)
    clicked = await click(ground.supervisor, arguments)

    (opened,) = (await watch.end(clicked.frame_id)).opened
    url = ground.sites.local("/next")
    now = await ground.supervisor.wait_for(lambda now: url in [page.url for page in now.pages], timeout_s=5)
    await ground.supervisor.close_page(opened)
    assert [page.is_current for page in now.pages if page.url == url] == [False]


async def test_a_dialog_that_opens_after_the_click_is_told(ground: Playground) -> None:
    await ground.open("<button onclick='setTimeout(alert, 1)'>Later</button>")

    told = await effects(ground, 'button "Later"')

    (dialog,) = ground.supervisor.snapshot().pending_dialogs
    assert told == ActionResult(opened_dialog=dialog.id)


async def test_nothing_is_told_of_a_click_that_only_changes_the_page(ground: Playground) -> None:
    await ground.open("<button onclick='window.hit = 1'>Hit</button>")

    assert await effects(ground, 'button "Hit"') == ActionResult()
    assert await ground.value("window.hit") == 1


async def test_a_page_that_is_busy_is_not_waited_for_without_end(ground: Playground) -> None:
    is_busy, may_go_on = threading.Event(), threading.Event()

    def gate(request: Request) -> str:
        is_busy.set()
        may_go_on.wait(FOR_EVER_S)
        return ""

    ground.sites.pages["/gate"] = gate
    await ground.open("<title>Busy</title>")
    waits = "const ask = new XMLHttpRequest(); ask.open('GET', '/gate', false); ask.send()"
    await ground.value(f"void setTimeout(() => {{ {waits} }})")
    await asyncio.to_thread(is_busy.wait, FOR_EVER_S)

    told = await Watch(ground.supervisor, limit_s=0.1).end()

    assert not may_go_on.is_set()
    may_go_on.set()
    assert told == ActionResult(still_changing=True)
