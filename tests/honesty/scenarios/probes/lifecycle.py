"""Scenarios of loading: lifecycle events, addresses of every kind, navigations in the way of each other."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import Play, Tab
from tests.honesty.scenarios.registry import Calls, Scenario, register, scenario, scenarios_of_calls

CALLS: Final[dict[str, Calls]] = {
    "navigated_to_addresses_that_are_none": [
        ("Page.navigate", {"url": url}) for url in ("", " ", "x", "//", "http://", "https://[1", ":")
    ],
    "navigated_in_frames_that_are_none": [
        ("Page.navigate", {"url": "about:blank", "frameId": frame}) for frame in ("", "x", "0" * 32)
    ],
    "reloaded_with_wrong_options": [
        ("Page.reload", {"loaderId": "x"}),
        ("Page.reload", {"ignoreCache": "yes"}),
        ("Page.reload", {"scriptToEvaluateOnLoad": 1}),
    ],
    "history_of_one_entry": [
        ("Page.getNavigationHistory", {}),
        ("Page.navigateToHistoryEntry", {"entryId": -1}),
        ("Page.navigateToHistoryEntry", {}),
        ("Page.resetNavigationHistory", {}),
        ("Page.getNavigationHistory", {}),
    ],
    "lifecycle_asked_for_wrongly": [
        ("Page.setLifecycleEventsEnabled", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": "x"}),
    ],
    "new_document_scripts_removed_wrongly": [
        ("Page.removeScriptToEvaluateOnNewDocument", {"identifier": "77"}),
        ("Page.removeScriptToEvaluateOnNewDocument", {"identifier": "x"}),
        ("Page.removeScriptToEvaluateOnNewDocument", {}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": "1", "worldName": 1}),
    ],
    "stopped_where_nothing_loads": [("Page.stopLoading", {}), ("Runtime.evaluate", {"expression": "document.title"})],
}
scenarios_of_calls(__name__, CALLS)


async def with_lifecycle(play: Play, path: str) -> Tab:
    """Open a page whose lifecycle events are told."""
    tab = await play.tab(path)
    await tab.call("Page.setLifecycleEventsEnabled", {"enabled": True})
    await tab.call("Page.setLifecycleEventsEnabled", {"enabled": False})
    return tab


@scenario
async def lifecycle_of_the_past(play: Play) -> None:
    """What the document has been through is told again."""
    tab = await with_lifecycle(play, "/plain")
    await tab.call("Page.setLifecycleEventsEnabled", {"enabled": False})


@scenario
async def lifecycle_that_is_off_again(play: Play) -> None:
    tab = await with_lifecycle(play, "/plain")
    await tab.navigate(f"{play.own}/second")
    await tab.value("document.title")


@scenario
async def loaded_with_the_page_domain_alone(play: Play) -> None:
    client = await play.client()
    created = await client.call("Target.createTarget", {"url": "about:blank"})
    tab = await play.attach(client, created["targetId"])
    await tab.call("Page.enable")
    await tab.call("Page.navigate", {"url": f"{play.own}/plain"})
    await tab.events("Page.loadEventFired", "Page.frameStoppedLoading")


@scenario
async def loaded_with_nothing_enabled(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.disable")
    await tab.call("Page.navigate", {"url": f"{play.own}/second"})
    await tab.event("Runtime.executionContextCreated")
    await tab.value("1 + 1")


@scenario
async def loaded_before_a_second_client(play: Play) -> None:
    tab = await play.tab("/plain")
    late = await play.attach(await play.client(), tab.target)
    await late.call("Page.enable")
    await late.call("Page.getFrameTree")
    await late.call("Page.getNavigationHistory")


@scenario
async def history_that_leads_nowhere(play: Play) -> None:
    tab = await play.tab("/plain")
    history = await tab.call("Page.getNavigationHistory")
    entry = history["entries"][history["currentIndex"]]["id"]
    await tab.call("Page.navigateToHistoryEntry", {"entryId": entry})
    await tab.value("history.go(7); 1")


@scenario
async def the_same_page_again(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.own}/plain")
    await tab.call("Page.getNavigationHistory")


@scenario
async def the_empty_page(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate("about:blank")
    await tab.value("location.href")
    await tab.value("document.title")


@scenario
async def a_page_with_a_fragment(play: Play) -> None:
    tab = await play.tab()
    await tab.navigate(f"{play.own}/plain#there")
    await tab.value("location.href")
    await tab.call("Page.getFrameTree")


@scenario
async def a_page_with_a_query(play: Play) -> None:
    tab = await play.tab()
    await tab.navigate(f"{play.own}/plain")
    await tab.value("location.href = '/plain#more'")
    await tab.event("Page.navigatedWithinDocument")
    await tab.value("location.href")


@scenario
async def back_and_forth(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.own}/second")
    history = await tab.call("Page.getNavigationHistory")
    entries = [entry["id"] for entry in history["entries"]]
    for entry in (entries[-2], entries[-1]):
        tab.client.forget()
        await tab.call("Page.navigateToHistoryEntry", {"entryId": entry})
        await tab.event("Page.frameNavigated")
        await tab.event("Runtime.executionContextCreated")
        await tab.event("Page.frameStoppedLoading")
    await tab.call("Page.getNavigationHistory")


@scenario
async def reloaded_by_a_script(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("window.a = 1; location.reload(); 'reloading'")
    await tab.events("Page.frameNavigated", "Page.frameStoppedLoading")
    await tab.value("window.a")


def left_by_a_script(call: str) -> Scenario:
    async def play_leaving(play: Play) -> None:
        tab = await play.tab("/plain")
        await tab.value(call)
        await tab.events("Page.frameNavigated", "Page.frameStoppedLoading")
        await tab.call("Page.getNavigationHistory")

    return play_leaving


register("assigned_by_a_script", __name__, left_by_a_script("location.assign('/second'); 'assigned'"))
register("replaced_by_a_script", __name__, left_by_a_script("location.replace('/second'); 'replaced'"))


@scenario
async def reloaded_with_an_iframe(play: Play) -> None:
    tab = await play.tab("/with-local")
    await tab.value("window.a = 1")
    await tab.call("Page.reload", {"ignoreCache": True})
    await tab.loaded()
    await tab.value("window.a")


@scenario
async def an_iframe_navigated_by_the_client(play: Play) -> None:
    tab = await play.tab("/with-local")
    tree = await tab.call("Page.getFrameTree")
    frame = tree["frameTree"]["childFrames"][0]["frame"]["id"]
    await tab.call("Page.navigate", {"url": f"{play.own}/second", "frameId": frame})
    await tab.loaded(frame)
    await tab.call("Page.getFrameTree")


@scenario
async def an_iframe_navigated_to_a_fragment(play: Play) -> None:
    tab = await play.tab("/with-local")
    tree = await tab.call("Page.getFrameTree")
    frame = tree["frameTree"]["childFrames"][0]["frame"]["id"]
    await tab.call("Page.navigate", {"url": f"{play.own}/local#there", "frameId": frame})
    await tab.event("Page.navigatedWithinDocument")


@scenario
async def navigated_while_a_page_loads(play: Play) -> None:
    """The first one is held by the client, and the second takes its place."""
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable", {"patterns": [{"urlPattern": "*/second"}]})
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.event("Fetch.requestPaused")
    await tab.call("Page.navigate", {"url": f"{play.own}/local"})
    await tab.events("Page.loadEventFired", "Page.frameStoppedLoading")
    await tab.value("document.title")


@scenario
async def the_address_of_a_frame_that_moved(play: Play) -> None:
    tab = await play.tab("/moved")
    await tab.value("location.href")
    await tab.call("Page.getNavigationHistory")
    await tab.call("Page.getFrameTree")


@scenario
async def scripts_for_documents_that_come(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "window.first = 1"})
    await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "window.second = window.first"})
    await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "console.log('new')"})
    await tab.value("window.first")
    await tab.navigate(f"{play.own}/second")
    await tab.value("window.second")
    await tab.event("Runtime.consoleAPICalled")


@scenario
async def a_script_for_documents_that_throws(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "throw new Error('early')"})
    await tab.navigate(f"{play.own}/second")
    await tab.event("Runtime.exceptionThrown")
    await tab.value("document.title")


@scenario
async def scripts_of_a_client_that_left(play: Play) -> None:
    """They go with its session."""
    tab = await play.tab("/plain")
    other = await play.attach(await play.client(), tab.target)
    await other.call("Page.enable")
    await other.call("Page.addScriptToEvaluateOnNewDocument", {"source": "window.theirs = 1"})
    await other.client.leave()
    await tab.navigate(f"{play.own}/second")
    await tab.value("window.theirs")
