"""Scenarios of pages that ask before they are left: by whom, and what happens meanwhile."""

from __future__ import annotations

from tests.honesty.player import Params, Play, Tab
from tests.honesty.scenarios.leaving import asking, gone_to, touch
from tests.honesty.scenarios.registry import scenario


async def asking_to_leave(play: Play) -> Tab:
    """Open a page that asks, and begin to leave it for `/second`."""
    tab = await asking(play)
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    return tab


async def let_go_to(tab: Tab, path: str) -> None:
    """Accept the dialog of a page that asks, and wait for the page at this path."""
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await gone_to(tab, path)


@scenario
async def reloading_a_page_that_asks(play: Play) -> None:
    tab = await asking(play)
    tab.start("Page.reload")
    await let_go_to(tab, "/staying")


@scenario
async def reloading_a_page_that_asks_and_stays(play: Play) -> None:
    tab = await asking(play)
    tab.start("Page.reload")
    await tab.opening()
    await tab.answer_dialog(accept=False)
    await tab.closed()
    await tab.value("document.title")


@scenario
async def reloading_by_a_script_a_page_that_asks(play: Play) -> None:
    tab = await asking(play)
    tab.evaluate("location.reload(); 'reloading'")
    await let_go_to(tab, "/staying")


@scenario
async def leaving_by_a_script_a_page_that_asks(play: Play) -> None:
    tab = await asking(play)
    tab.evaluate("location.href = '/second'")
    await let_go_to(tab, "/second")


@scenario
async def leaving_by_a_script_a_page_that_stays(play: Play) -> None:
    tab = await asking(play)
    tab.evaluate("location.href = '/second'")
    await tab.opening()
    await tab.answer_dialog(accept=False)
    await tab.closed()
    await tab.value("location.href")


@scenario
async def going_back_from_a_page_that_asks(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.own}/staying")
    await touch(tab)
    history = await tab.call("Page.getNavigationHistory")
    entry = history["entries"][-2]["id"]
    tab.start("Page.navigateToHistoryEntry", {"entryId": entry})
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.event("Page.frameNavigated", where=lambda params: params["frame"]["url"].endswith("/plain"))
    await tab.value("document.title")


@scenario
async def a_fragment_of_a_page_that_asks(play: Play) -> None:
    """Nothing is left, so that nobody is asked."""
    tab = await asking(play)
    await tab.call("Page.navigate", {"url": f"{play.own}/staying#there"})
    await tab.event("Page.navigatedWithinDocument")


@scenario
async def a_page_that_asks_twice(play: Play) -> None:
    """Staying once, then leaving."""
    tab = await asking(play)
    first = tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    await tab.answer_dialog(accept=False)
    await tab.client.answer(first)
    await tab.closed()
    await touch(tab)
    tab.start("Page.navigate", {"url": f"{play.own}/local"})
    await let_go_to(tab, "/local")


@scenario
async def a_page_that_asks_and_is_closed_as_a_target(play: Play) -> None:
    """Nobody is asked."""
    tab = await asking(play)
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def an_untouched_page_that_is_closed(play: Play) -> None:
    tab = await play.tab("/staying")
    await tab.call("Page.close")
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def an_untouched_page_that_is_reloaded(play: Play) -> None:
    tab = await play.tab("/staying")
    await tab.call("Page.reload")
    await tab.loaded()


@scenario
async def another_client_lets_a_page_go(play: Play) -> None:
    tab = await asking(play)
    other = await play.attach(await play.client(), tab.target)
    await other.call("Page.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    await other.opening()
    await other.answer_dialog(accept=True)
    await gone_to(tab, "/second")
    await other.closed()
    await other.event("Page.frameStoppedLoading")
    await tab.answer_dialog()


@scenario
async def a_text_for_a_page_that_asks(play: Play) -> None:
    tab = await asking_to_leave(play)
    await tab.answer_dialog(accept=True, text="ignored?")
    await gone_to(tab, "/second")


@scenario
async def calls_for_a_page_that_asks(play: Play) -> None:
    """The browser answers for itself; what needs the page waits."""
    tab = await asking_to_leave(play)
    await tab.client.call("Target.getTargetInfo", {"targetId": tab.target})
    await tab.call("Page.getNavigationHistory")
    await tab.answer_dialog(accept=True)
    await gone_to(tab, "/second")


@scenario
async def no_answer_that_is_one(play: Play) -> None:
    tab = await asking_to_leave(play)
    wrong: tuple[Params, ...] = ({}, {"accept": "yes"}, {"accept": 1}, {"accept": True, "promptText": 1})
    for params in wrong:
        await tab.call("Page.handleJavaScriptDialog", params)
    await tab.answer_dialog(accept=True)
    await gone_to(tab, "/second")


@scenario
async def two_pages_that_ask(play: Play) -> None:
    first, second = await asking(play), await asking(play)
    for tab in (first, second):
        tab.start("Page.navigate", {"url": f"{play.own}/second"})
        await tab.opening()
    for tab in (second, first):
        await tab.answer_dialog(accept=True)
        await gone_to(tab, "/second")


@scenario
async def leaving_for_another_site_a_page_that_asks(play: Play) -> None:
    tab = await asking(play)
    tab.start("Page.navigate", {"url": f"{play.other}/second"})
    await let_go_to(tab, "/second")


@scenario
async def leaving_for_nowhere_a_page_that_asks(play: Play) -> None:
    tab = await asking(play)
    tab.start("Page.navigate", {"url": "about:blank"})
    await let_go_to(tab, "about:blank")


@scenario
async def a_dialog_before_a_page_asks(play: Play) -> None:
    """One that is answered, and then the page asks."""
    tab = await asking(play)
    asked = tab.evaluate("confirm('first')")
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.client.answer(asked)
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.closed()
    await gone_to(tab, "/second")


@scenario
async def a_page_whose_client_leaves_as_it_asks(play: Play) -> None:
    tab = await asking_to_leave(play)
    await tab.client.leave()
    later = await play.attach(await play.client(), tab.target)
    await later.answer_dialog()
    await later.client.call("Target.getTargetInfo", {"targetId": later.target})
