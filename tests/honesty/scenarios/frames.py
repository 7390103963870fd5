"""Scenarios of targets, frames and documents: attachment, navigation, removal."""

from __future__ import annotations

from tests.honesty.player import AUTO_ATTACH, Play, Tab
from tests.honesty.scenarios.registry import scenario


@scenario
async def a_page(play: Play) -> None:
    await play.tab("/plain")


@scenario
async def a_local_iframe(play: Play) -> None:
    await play.tab("/with-local")


@scenario
async def an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.value("document.title", on=tab.frames[0])


@scenario
async def a_nested_oopif(play: Play) -> None:
    await play.tab("/nested", oopifs=2)


@scenario
async def a_nested_oopif_without_recursion(play: Play) -> None:
    """With auto-attach on the root only, there are no events of frames below an OOPIF."""
    client = await play.client()
    client.setup = [("Page.enable", {}), ("Runtime.runIfWaitingForDebugger", {})]
    tab = await play.tab("/nested", oopifs=1, client=client)
    await tab.call("Page.getFrameTree")


@scenario
async def frame_trees_omit_oopifs(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.call("Page.getFrameTree")
    await tab.client.call("Page.getFrameTree", on=tab.frames[0])


@scenario
async def owners_of_frames(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    inside = tab.frames[0]
    inner = (await tab.client.call("Target.getTargetInfo", on=inside))["targetInfo"]["targetId"]
    for frame, session in ((tab.target, tab.session), ("x", tab.session), (inner, inside), (tab.target, inside)):
        await tab.client.call("DOM.getFrameOwner", {"frameId": frame}, on=session)
    await tab.call("DOM.describeNode", await tab.call("DOM.getFrameOwner", {"frameId": inner}))


@scenario
async def page_to_page_of_the_same_site(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.own}/second")


@scenario
async def page_to_another_site(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.other}/second")


@scenario
async def page_with_an_oopif_navigated(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.navigate(f"{play.own}/second")


@scenario
async def page_with_an_oopif_reloaded(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.call("Page.reload")
    await tab.loaded(oopifs=1)


@scenario
async def page_with_nested_oopifs_navigated(play: Play) -> None:
    tab = await play.tab("/nested", oopifs=2)
    await tab.navigate(f"{play.own}/second")


@scenario
async def a_page_reloaded(play: Play) -> None:
    tab = await play.tab("/with-local")
    await tab.call("Page.reload")
    await tab.loaded()


async def move(tab: Tab, name: str, url: str) -> None:
    """Navigate an iframe by a script of the page."""
    await tab.value(f"document.getElementById('{name}').src = '{url}'; 'moved'")


@scenario
async def local_to_oopif(play: Play) -> None:
    tab = await play.tab("/with-local")
    await move(tab, "local", f"{play.other}/inner")
    await tab.attached()
    await tab.events("Page.frameDetached", "Runtime.executionContextDestroyed")


@scenario
async def oopif_to_local(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await move(tab, "inner", f"{play.own}/local")
    await tab.events("Page.frameNavigated", "Page.frameStoppedLoading", "Target.detachedFromTarget")


@scenario
async def local_to_oopif_to_local(play: Play) -> None:
    tab = await play.tab("/with-local")
    await move(tab, "local", f"{play.other}/inner")
    await tab.attached()
    await tab.events("Page.frameDetached", "Runtime.executionContextDestroyed")
    await move(tab, "local", f"{play.own}/local")
    await tab.events("Page.frameNavigated", "Page.frameStoppedLoading", "Target.detachedFromTarget")


@scenario
async def oopif_to_another_page_of_its_site(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await move(tab, "inner", f"{play.other}/second")
    await tab.client.event("Page.frameNavigated", on=tab.frames[0])
    await tab.client.event("Page.frameStoppedLoading", on=tab.frames[0])


@scenario
async def a_local_iframe_removed(play: Play) -> None:
    tab = await play.tab("/with-local")
    await tab.value("document.getElementById('local').remove(); 'removed'")
    await tab.event("Page.frameDetached")


@scenario
async def an_oopif_removed(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.value("document.getElementById('inner').remove(); 'removed'")
    await tab.event("Target.detachedFromTarget")


@scenario
async def a_nested_oopif_removed_with_its_parent(play: Play) -> None:
    tab = await play.tab("/nested", oopifs=2)
    await tab.value("document.getElementById('middle').remove(); 'removed'")
    await tab.event("Target.detachedFromTarget")


@scenario
async def a_call_in_flight_when_its_oopif_goes(play: Play) -> None:
    """It is never answered."""
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.client.start(
        "Runtime.evaluate", {"expression": "new Promise(() => {})", "awaitPromise": True}, on=tab.frames[0]
    )
    await tab.value("1", on=tab.frames[0])
    await tab.value("document.getElementById('inner').remove(); 'removed'")
    await tab.event("Target.detachedFromTarget")
    await tab.client.call("Runtime.evaluate", {"expression": "1"}, on=tab.frames[0])


@scenario
async def a_call_in_flight_when_its_page_navigates(play: Play) -> None:
    tab = await play.tab("/plain")
    asked = tab.start("Runtime.evaluate", {"expression": "new Promise(() => {})", "awaitPromise": True})
    await tab.value("1")
    await tab.navigate(f"{play.own}/second")
    await tab.client.answer(asked)


@scenario
async def a_call_in_flight_when_its_page_closes(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.start("Runtime.evaluate", {"expression": "new Promise(() => {})", "awaitPromise": True})
    await tab.value("1")
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def detached_with_a_call_in_flight(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.start("Runtime.evaluate", {"expression": "new Promise(() => {})", "awaitPromise": True})
    await tab.value("1")
    await tab.client.call("Target.detachFromTarget", {"sessionId": tab.session})
    await tab.call("Runtime.evaluate", {"expression": "1"})


@scenario
async def navigated_to_a_fragment(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.navigate", {"url": f"{play.own}/plain#there"})
    await tab.events("Page.navigatedWithinDocument", "Page.frameStoppedLoading")


@scenario
async def history_pushed_and_replaced(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("history.pushState(null, '', '/pushed'); 'pushed'")
    await tab.events("Page.navigatedWithinDocument", "Page.frameStoppedLoading")
    await tab.value("history.replaceState(null, '', '/replaced'); 'replaced'")
    await tab.events("Page.navigatedWithinDocument", "Page.frameStoppedLoading")
    await tab.value("location.href")


@scenario
async def back_within_the_document(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("history.pushState(null, '', '#there'); 'pushed'")
    await tab.events("Page.navigatedWithinDocument", "Page.frameStoppedLoading")
    await tab.value("history.back(); 'back'")
    await tab.events("Page.navigatedWithinDocument", "Page.frameStoppedLoading")


@scenario
async def back_from_the_cache(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("window.kept = 'kept'")
    await tab.navigate(f"{play.own}/second")
    tab.client.forget()
    history = await tab.call("Page.getNavigationHistory")
    before = history["entries"][history["currentIndex"] - 1]["id"]
    await tab.call("Page.navigateToHistoryEntry", {"entryId": before})
    await tab.event("Page.frameNavigated")
    await tab.value("window.kept")


@scenario
async def a_script_for_new_documents(play: Play) -> None:
    tab = await play.tab()
    await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "console.log('first')"})
    await tab.navigate(f"{play.own}/with-local")


@scenario
async def a_script_for_new_documents_in_a_world_and_removed(play: Play) -> None:
    tab = await play.tab()
    source = {"source": "window.here = 'here'", "worldName": "tools"}
    added = await tab.call("Page.addScriptToEvaluateOnNewDocument", source)
    await tab.navigate(f"{play.own}/plain")
    await tab.call("Page.removeScriptToEvaluateOnNewDocument", added)
    await tab.navigate(f"{play.own}/second")


@scenario
async def a_script_for_new_documents_in_an_oopif(play: Play) -> None:
    client = await play.client()
    script = ("Page.addScriptToEvaluateOnNewDocument", {"source": "console.log('early')"})
    client.setup = [*client.setup[:2], script, *client.setup[2:]]
    await play.tab("/with-oopif", oopifs=1, client=client)


@scenario
async def lifecycle_of_a_page(play: Play) -> None:
    tab = await play.tab()
    await tab.call("Page.setLifecycleEventsEnabled", {"enabled": True})
    tab.client.forget()
    await tab.navigate(f"{play.own}/plain")
    await tab.event("Page.lifecycleEvent", where=lambda params: params["name"] == "networkIdle")


@scenario
async def attached_to_by_another_client(play: Play) -> None:
    """Late: the frames are there already, and contexts are told to who enables Runtime."""
    tab = await play.tab("/with-oopif", oopifs=1)
    late = await play.attach(await play.client(), tab.target)
    for method in ("Page.enable", "Runtime.enable"):
        await late.call(method)
    await late.call("Target.setAutoAttach", {**AUTO_ATTACH, "waitForDebuggerOnStart": False})
    await late.event("Target.attachedToTarget")


@scenario
async def tab_and_page_filter(play: Play) -> None:
    client = await play.client()
    await client.call("Target.setAutoAttach", {**AUTO_ATTACH, "filter": [{}]})


@scenario
async def auto_attach_off(play: Play) -> None:
    """The sessions that it made go."""
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.call("Target.setAutoAttach", {**AUTO_ATTACH, "autoAttach": False})
    await tab.event("Target.detachedFromTarget")


@scenario
async def closed_by_the_page_domain(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Page.close")
    await tab.client.event("Target.detachedFromTarget")


@scenario
async def closed_with_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    await tab.client.call("Target.closeTarget", {"targetId": tab.target})
    await tab.client.event("Target.detachedFromTarget", where=lambda params: params["targetId"] == tab.target)


@scenario
async def a_page_that_does_not_exist(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.navigate(f"{play.nowhere}/")


@scenario
async def a_page_that_crashes(play: Play) -> None:
    tab = await play.tab("/plain")
    asked = tab.start("Page.crash")
    await tab.event("Inspector.targetCrashed")
    stuck = tab.evaluate("1")
    await tab.call("Page.reload")
    await tab.client.answer(stuck)
    await tab.client.answer(asked)
    await tab.loaded()


@scenario
async def a_page_that_crashes_with_an_oopif(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.start("Page.crash")
    await tab.events("Inspector.targetCrashed", "Target.detachedFromTarget")


@scenario
async def an_oopif_that_crashes(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    tab.client.start("Page.crash", on=tab.frames[0])
    await tab.client.event("Inspector.targetCrashed", on=tab.frames[0])
    await tab.value("document.title")
    await tab.call("Page.reload")
    await tab.loaded(oopifs=1)


@scenario
async def crashes_are_told_to_discoverers(play: Play) -> None:
    tab = await play.tab("/plain")
    watcher = await play.client()
    await watcher.call("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]})
    tab.start("Page.crash")
    await watcher.event("Target.targetCrashed")
    await tab.event("Inspector.targetCrashed")


@scenario
async def a_document_in_an_attribute(play: Play) -> None:
    tab = await play.tab("/with-srcdoc")
    inside = (await tab.call("Page.getFrameTree"))["frameTree"]["childFrames"][0]["frame"]["id"]
    world = await tab.call("Page.createIsolatedWorld", {"frameId": inside, "worldName": "tools"})
    for expression in ("location.href", "document.title", "document.URL", "window.a"):
        place = {"expression": expression, "contextId": world["executionContextId"]}
        await tab.call("Runtime.evaluate", place)
    await tab.call("Page.reload")
    await tab.loaded()
    await tab.value("document.getElementById('f').remove()")


@scenario
async def frames_in_a_document_in_an_attribute(play: Play) -> None:
    tab = await play.tab()
    await tab.navigate(f"{play.own}/srcdoc-around", oopifs=1)
    await tab.call("Page.getFrameTree")
    await tab.navigate(f"{play.own}/with-srcdoc-oopif", oopifs=1)
    await tab.client.call("Page.getFrameTree", on=tab.frames[-1])


@scenario
async def a_dialog_of_a_document_in_an_attribute(play: Play) -> None:
    tab = await play.tab("/plain")
    tab.start("Page.navigate", {"url": f"{play.own}/srcdoc-asking"})
    await tab.opening()
    await tab.answer_dialog()
    await tab.loaded()


@scenario
async def an_iframe_given_a_document_in_an_attribute(play: Play) -> None:
    tab = await play.tab("/with-oopif", oopifs=1)
    frame = (await tab.client.call("Page.getFrameTree", on=tab.frames[0]))["frameTree"]["frame"]["id"]
    await tab.value("document.getElementById('inner').srcdoc = '<title>New</title>'")
    await tab.event("Page.frameStoppedLoading", where=lambda params: bool(params["frameId"] == frame))
    await tab.value("document.getElementById('inner').srcdoc = '<script>window.b = 2</script>'")
    await tab.loaded(frame)
