"""Scenarios of a page that asks before it is left, and of what is begun before it has an answer."""

from __future__ import annotations

from tests.honesty.player import Call, Play, Tab
from tests.honesty.scenarios.leaving import asking
from tests.honesty.scenarios.registry import scenario


async def _asking(play: Play) -> tuple[Tab, Call]:
    """Return a tab that asks whether to leave for `/second`, and the call that navigates."""
    tab = await asking(play)
    leaving = tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    return tab, leaving


async def _again(play: Play, tab: Tab, leaving: Call) -> Call:
    """Navigate to `/plain` as well: the first navigation ends."""
    again = tab.start("Page.navigate", {"url": f"{play.own}/plain"})
    await tab.client.answer(leaving)
    return again


@scenario
async def leaving_twice_and_left(play: Play) -> None:
    tab, leaving = await _asking(play)
    again = await _again(play, tab, leaving)
    await tab.answer_dialog(accept=True)
    await tab.client.answer(again)
    await tab.event("Page.frameNavigated", where=lambda params: params["frame"]["url"].endswith("/plain"))
    await tab.event("Page.frameStoppedLoading")


@scenario
async def leaving_twice_and_stayed(play: Play) -> None:
    tab, leaving = await _asking(play)
    again = await _again(play, tab, leaving)
    await tab.answer_dialog(accept=False)
    await tab.client.answer(again)
    await tab.value("document.title")


@scenario
async def leaving_three_times(play: Play) -> None:
    tab, leaving = await _asking(play)
    again = await _again(play, tab, leaving)
    third = tab.start("Page.navigate", {"url": f"{play.own}/local"})
    await tab.client.answer(again)
    await tab.answer_dialog(accept=True)
    await tab.client.answer(third)
    await tab.event("Page.frameNavigated", where=lambda params: params["frame"]["url"].endswith("/local"))
    await tab.event("Page.frameStoppedLoading")


@scenario
async def leaving_and_reloading(play: Play) -> None:
    tab, leaving = await _asking(play)
    await tab.call("Page.reload")
    await tab.client.answer(leaving)
    await tab.answer_dialog(accept=True)
    await tab.event("Page.frameNavigated", where=lambda params: params["frame"]["url"].endswith("/staying"))
    await tab.event("Page.frameStoppedLoading")


@scenario
async def leaving_and_stopping(play: Play) -> None:
    tab, leaving = await _asking(play)
    await tab.call("Page.stopLoading")
    await tab.client.answer(leaving)
    await tab.answer_dialog(accept=True)
    await tab.value("document.title")


@scenario
async def leaving_and_closing(play: Play) -> None:
    tab, leaving = await _asking(play)
    await tab.call("Page.close")
    await tab.client.answer(leaving)
    await tab.answer_dialog(accept=True)
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def leaving_and_going_to_a_fragment(play: Play) -> None:
    tab, leaving = await _asking(play)
    await tab.call("Page.navigate", {"url": f"{play.own}/staying#f"})
    await tab.client.answer(leaving)
    await tab.answer_dialog(accept=True)
    await tab.event("Page.navigatedWithinDocument")


@scenario
async def closing_and_leaving(play: Play) -> None:
    tab = await asking(play)
    await tab.call("Page.close")
    await tab.opening()
    leaving = tab.start("Page.navigate", {"url": f"{play.own}/plain"})
    await tab.event("Page.frameStartedLoading")
    await tab.answer_dialog(accept=True)
    await tab.client.answer(leaving)
    await tab.client.event("Target.detachedFromTarget")
