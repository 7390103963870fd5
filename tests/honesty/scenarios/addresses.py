"""Scenarios of addresses that are no pages of a server, and of navigations that fail."""

from __future__ import annotations

from tests.honesty.player import Play, Tab
from tests.honesty.scenarios.registry import scenario

ELSEWHERE = ("mailto:a@b.c", "tel:1", "foo:bar")


async def _look(tab: Tab) -> None:
    """Ask for the address in each place that has it."""
    await tab.value("location.href")
    await tab.call("Page.getFrameTree")
    await tab.call("Page.getNavigationHistory")
    await tab.client.call("Target.getTargetInfo", {"targetId": tab.target})


async def _navigate(play: Play, url: str) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(url)
    await tab.value("document.title")
    await _look(tab)


@scenario
async def a_navigation_that_nobody_answers(play: Play) -> None:
    await _navigate(play, f"{play.nowhere}/x")


@scenario
async def a_failed_navigation_left_by_another(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.nowhere}/x")
    await tab.navigate(f"{play.own}/second")
    await _look(tab)


@scenario
async def a_failed_navigation_of_a_script(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value(f"location.href = '{play.nowhere}/x'; 1")
    await tab.loaded()
    await _look(tab)


@scenario
async def addresses_of_other_programs(play: Play) -> None:
    for url in ELSEWHERE:
        tab = await play.tab("/plain")
        await tab.call("Page.navigate", {"url": url})
        await tab.loaded()
        await _look(tab)


@scenario
async def a_blob_that_is_not_there(play: Play) -> None:
    await _navigate(play, "blob:http://localhost/nowhere")


@scenario
async def a_file_that_is_not_there(play: Play) -> None:
    await _navigate(play, "file:///nowhere/at/all")


@scenario
async def a_srcdoc_without_an_element(play: Play) -> None:
    await _navigate(play, "about:srcdoc")


@scenario
async def about_pages_that_chromium_blocks(play: Play) -> None:
    await _navigate(play, "about:nothing")
    await _navigate(play, "about:blank#fragment")


@scenario
async def a_document_in_the_address(play: Play) -> None:
    await _navigate(play, "data:text/html,<title>Data</title><script>window.a = 1</script>")


@scenario
async def tabs_without_a_page(play: Play) -> None:
    client = await play.client()
    for url in ("", "nonsense", "mailto:a@b.c", "about:blank"):
        created = await client.call("Target.createTarget", {"url": url})
        tab = await play.attach(client, created["targetId"])
        await tab.value("location.href")
