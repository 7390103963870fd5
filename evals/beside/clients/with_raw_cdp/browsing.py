"""Scenarios of navigations, frames, workers, contexts, the console and the network."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

from cdp_typed import Event, Session
from cdp_typed.protocol import browser, emulation, fetch, inspector, log, network, page, runtime, storage, target
from evals.beside.clients.programs import World
from evals.beside.clients.with_raw_cdp.tab import SCENARIOS, Tab, noting, until

EMPTY = "about:blank"


def described(events: Iterable[Event]) -> list[str]:
    """Events by what stays the same from one browser to the next."""
    told: list[str] = []
    for event in events:
        match event:
            case page.FrameNavigated(frame=frame, type=kind):
                told.append(f"navigated {kind} {frame.url} {frame.name or ''}".rstrip())
            case page.NavigatedWithinDocument(url=url):
                told.append(f"within {url}")
            case page.FrameDetached(reason=reason):
                told.append(f"detached {reason}")
            case runtime.ExecutionContextCreated(context=context):
                told.append(f"context {context.origin} {context.name}".rstrip())
            case _:
                told.append(type(event).__name__)
    return told


@SCENARIOS.add
async def navigation_events(tab: Tab, world: World) -> None:
    kinds = (page.FrameNavigated, page.NavigatedWithinDocument, page.LoadEventFired, page.DomContentEventFired)
    with noting(tab.session, *kinds, runtime.ExecutionContextCreated, page.FrameDetached) as events:
        for path in ("/plain", "/next", "/form"):
            await tab.go(world.own + path)
        await tab.session.send(page.Navigate(url=f"{world.own}/form#part"))
        await tab.evaluate("history.pushState({}, '', '/pushed'); 0")
        await tab.evaluate("document.body.append(document.createElement('iframe')); 0")
        await tab.evaluate("document.querySelector('iframe').remove()")
        await until(lambda: any(isinstance(event, page.FrameDetached) for event in events))
        world.see("told", described(events))


@SCENARIOS.add
async def failed_navigation(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    world.see("refused", (await tab.go("http://127.0.0.1:1/")).error_text)
    await tab.go(f"{world.own}/plain")
    world.see("afterwards", await tab.evaluate("document.title"))


@SCENARIOS.add
async def history_cache(tab: Tab, world: World) -> None:
    """Go back to a page in the back/forward cache and read the state in which it was left."""
    await tab.go(f"{world.own}/plain")
    await tab.evaluate("window.mark = 1; onpageshow = event => { window.shown = event.persisted }; 0")
    await tab.go(f"{world.own}/next")
    entries = (await tab.session.send(page.GetNavigationHistory())).entries
    async with tab.session.expect(page.FrameNavigated, timeout=10) as back:
        await tab.session.send(page.NavigateToHistoryEntry(entry_id=entries[-2].id))
    world.see("back", back.value.type)
    shown = "new Promise(done => setInterval(() => 'shown' in window && done([location.pathname, mark, shown]), 20))"
    world.see("shown", await tab.evaluate(shown))


@SCENARIOS.add
async def oopifs(tab: Tab, world: World) -> None:
    async with tab.session.auto_attach(enable=[page.Enable(), runtime.Enable()]) as attached:
        await tab.go(f"{world.own}/nested")
        frames = sorted(attached.sessions, key=lambda session: session.target_info.url)
        world.see("frames", [[session.target_info.type, session.target_info.url] for session in frames])
        world.see("inside", [await tab.evaluate("location.href", session=session) for session in frames])
        tree = (await tab.session.send(page.GetFrameTree())).frame_tree
        world.see("tree", [tree.frame.url, len(tree.child_frames or ())])


@SCENARIOS.add
async def workers(tab: Tab, world: World) -> None:
    async with tab.session.auto_attach(enable=[runtime.Enable()]) as attached:
        await tab.go(f"{world.own}/workers")
        world.see("answers", [await tab.evaluate("dedicated()"), await tab.evaluate("fromBlob()")])
        world.see("sessions", sorted(session.target_info.type for session in attached.sessions))
    world.see("alone", [await tab.evaluate("dedicated()"), await tab.evaluate("fromBlob()")])
    world.see("shared", await tab.evaluate("shared()"))
    world.see("service", await tab.evaluate("service()"))
    await tab.evaluate("navigator.serviceWorker.getRegistration().then(worker => worker.unregister())")


@asynccontextmanager
async def held_popup(tab: Tab, opens: str) -> AsyncGenerator[Session]:
    """A popup that waits for us, and is closed at the end of the block."""
    kinds = [target.FilterEntry(type="page")]
    hold = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=kinds)
    await tab.browser.root.send(hold)
    try:
        async with tab.browser.root.expect(target.AttachedToTarget, timeout=10) as opening:
            _ = tab.session.send_nowait(runtime.Evaluate(expression=opens, user_gesture=True))
        await asyncio.sleep(0.3)  # whoever else lets it go has done so by now
        popup = tab.browser.session(opening.value.session_id)
        try:
            yield popup
        finally:
            await tab.browser.send(target.CloseTarget(target_id=popup.target_id))
    finally:
        be = target.SetAutoAttach(auto_attach=False, wait_for_debugger_on_start=False, flatten=True)
        await tab.browser.root.send(be)


@SCENARIOS.add
async def a_popup_that_is_held(tab: Tab, world: World) -> None:
    """Settings that are made while the target waits for the debugger hold from its first request on."""
    await tab.go(f"{world.own}/plain")
    async with held_popup(tab, "open('/next'); 0") as popup:

        async def fulfil(_: str | None, event: fetch.RequestPaused) -> None:
            body = base64.b64encode(b"<title>Made up</title>").decode()
            await popup.send(fetch.FulfillRequest(request_id=event.request_id, response_code=200, body=body))

        popup.listen(fulfil, fetch.RequestPaused)
        await popup.send_many([page.Enable(), fetch.Enable()])
        await popup.send(page.AddScriptToEvaluateOnNewDocument(source="window.early = location.pathname"))
        async with popup.expect(page.LoadEventFired, timeout=10):
            await popup.send(runtime.RunIfWaitingForDebugger())
        world.see("popup", await tab.evaluate("[document.title, window.early]", session=popup))


@SCENARIOS.add
async def a_dialog_of_a_popup_that_is_held(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with held_popup(tab, "open('/early'); 0") as popup:
        await popup.send(page.Enable())
        async with popup.expect(page.JavascriptDialogOpening, timeout=10) as dialog:
            _ = popup.send_nowait(runtime.RunIfWaitingForDebugger())
        world.see("dialog", dialog.value.message)
        await popup.send(page.HandleJavaScriptDialog(accept=True))
        world.see("answer", await tab.evaluate("window.answer", session=popup))


@SCENARIOS.add
async def a_worker_that_is_held(tab: Tab, world: World) -> None:
    hold = target.SetAutoAttach(auto_attach=True, wait_for_debugger_on_start=True, flatten=True)
    await tab.go(f"{world.own}/workers")
    await tab.session.send(hold)
    async with tab.session.expect(target.AttachedToTarget, timeout=10) as starting:
        _ = tab.session.send_nowait(runtime.Evaluate(expression="window.reply = dedicated(); 0"))
    await asyncio.sleep(0.3)
    worker = tab.browser.session(starting.value.session_id)
    waited = tab.evaluate("Promise.race([reply, new Promise(done => setTimeout(() => done('held'), 100))])")
    world.see("before", await waited)
    await worker.send(runtime.RunIfWaitingForDebugger())
    world.see("after", await tab.evaluate("reply"))
    await tab.session.send(target.SetAutoAttach(auto_attach=False, wait_for_debugger_on_start=False, flatten=True))


@SCENARIOS.add
async def visibility(tab: Tab, world: World) -> None:
    state = "[document.visibilityState, document.hasFocus()]"
    await tab.go(f"{world.own}/plain")
    await tab.session.send(page.BringToFront())
    world.see("in front", await tab.evaluate(state))
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done('came'))))"
    world.see("frames", await tab.evaluate(frames))
    behind = await tab.browser.send(target.CreateTarget(url=f"{world.own}/plain", background=True))
    hidden = await tab.browser.attach(behind.target_id)
    world.see("in the background", await tab.evaluate(state, session=hidden))
    world.see("still in front", await tab.evaluate(state))
    await hidden.send(emulation.SetFocusEmulationEnabled(enabled=True))
    world.see("emulated", await tab.evaluate(state, session=hidden))
    await hidden.send(emulation.SetFocusEmulationEnabled(enabled=False))
    world.see("no more", await tab.evaluate(state, session=hidden))
    await tab.browser.send(target.CloseTarget(target_id=behind.target_id))


@SCENARIOS.add
async def contexts(tab: Tab, world: World) -> None:
    context_ids = [(await tab.browser.send(target.CreateBrowserContext())).browser_context_id for _ in range(2)]
    for number, context in enumerate(context_ids):
        created = await tab.browser.send(target.CreateTarget(url=EMPTY, browser_context_id=context))
        session = await tab.browser.attach(created.target_id, enable=[page.Enable(), runtime.Enable()])
        inside = Tab(tab.browser, session)
        await inside.go(f"{world.own}/set-cookie?from-server={number}")
        await inside.go(f"{world.own}/cookies")
        world.see("sent", await inside.evaluate("document.body.textContent"))
        cookies = (await tab.browser.send(storage.GetCookies(browser_context_id=context))).cookies
        world.see("kept", [cookie.value for cookie in cookies])
    for context in context_ids:
        await tab.browser.send(target.DisposeBrowserContext(browser_context_id=context))


@SCENARIOS.add
async def pictures(tab: Tab, world: World) -> None:
    await tab.session.send(
        emulation.SetDeviceMetricsOverride(width=300, height=200, device_scale_factor=1, mobile=False)
    )
    await tab.go(f"{world.own}/frames")
    image = base64.b64decode((await tab.session.send(page.CaptureScreenshot())).data)
    world.see("size", [int.from_bytes(image[16:20]), int.from_bytes(image[20:24])])
    await tab.session.send(emulation.ClearDeviceMetricsOverride())
    world.see("printed", base64.b64decode((await tab.session.send(page.PrintToPDF())).data)[:5].decode())


@SCENARIOS.add
async def emulations(tab: Tab, world: World) -> None:
    await tab.session.send_many(
        [
            emulation.SetUserAgentOverride(user_agent="Emulated/1.0"),
            emulation.SetTimezoneOverride(timezone_id="Pacific/Auckland"),
            emulation.SetEmulatedMedia(media="print"),
            page.AddScriptToEvaluateOnNewDocument(source="window.early = location.pathname"),
            runtime.AddBinding(name="tell"),
        ]
    )
    with noting(tab.session, runtime.BindingCalled) as calls:
        await tab.go(f"{world.own}/plain")
        await tab.evaluate("tell('hello')")
        world.see("told", [call.payload for call in calls if isinstance(call, runtime.BindingCalled)])
    zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
    world.see("page", await tab.evaluate(f"[navigator.userAgent, {zone}, matchMedia('print').matches, early]"))
    await tab.session.send(emulation.SetTimezoneOverride(timezone_id=""))


@SCENARIOS.add
async def console_and_log(tab: Tab, world: World) -> None:
    await tab.session.send(log.Enable())
    kinds = (runtime.ConsoleAPICalled, runtime.ExceptionThrown, log.EntryAdded)
    with noting(tab.session, *kinds) as events:
        await tab.go(f"{world.own}/logging")
        await tab.evaluate("fetch('/missing').then(() => 0)")
        await until(lambda: len(events) >= 5)
        world.see("told", sorted(described(events)))
    await tab.session.send(log.Disable())


@SCENARIOS.add
async def network_events(tab: Tab, world: World) -> None:
    await tab.session.send(network.Enable())
    kinds = (network.RequestWillBeSent, network.ResponseReceived, network.LoadingFinished, network.LoadingFailed)
    with noting(tab.session, *kinds, network.RequestWillBeSentExtraInfo) as events:
        await tab.go(f"{world.own}/plain")
        await tab.evaluate("fetch('/data.json').then(answer => answer.text())")
        await tab.evaluate("fetch('http://127.0.0.1:1/').catch(() => 0)")
        await until(lambda: sum(isinstance(event, network.LoadingFailed) for event in events) == 1)
        told = events
    world.see("told", sorted(described(told)))
    request = next(event for event in told if isinstance(event, network.ResponseReceived) and event.type == "Fetch")
    world.see("body", (await tab.session.send(network.GetResponseBody(request_id=request.request_id))).body)
    await tab.session.send(network.Disable())


@SCENARIOS.add
async def cached_resources(tab: Tab, world: World) -> None:
    """Count the requests for a resource that the browser may cache."""
    for _ in range(3):
        await tab.go(f"{world.own}/cached")
    world.see("fetched", await tab.evaluate("fetch('/count').then(answer => answer.text())"))


@SCENARIOS.add
async def targets(tab: Tab, world: World) -> None:
    kinds = (target.TargetCreated, target.TargetInfoChanged, target.TargetDestroyed)
    await tab.browser.send(target.SetDiscoverTargets(discover=True))
    with noting(tab.browser.root, *kinds) as events:
        created = await tab.browser.send(target.CreateTarget(url=f"{world.own}/next"))
        await tab.browser.send(target.CloseTarget(target_id=created.target_id))
        await until(lambda: any(isinstance(event, target.TargetDestroyed) for event in events))
        told = [type(event).__name__ for event in events if not isinstance(event, target.TargetInfoChanged)]
    world.see("told", told)
    await tab.browser.send(target.SetDiscoverTargets(discover=False))


@SCENARIOS.add_for_new_pages
async def crash(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.session.expect(inspector.TargetCrashed, timeout=10):
        _ = tab.session.send_nowait(page.Crash())
    async with tab.session.expect(page.LoadEventFired, timeout=10):
        _ = tab.session.send_nowait(page.Reload())
    world.see("afterwards", await tab.evaluate("document.title"))


@SCENARIOS.add
async def windows(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    window = await tab.browser.send(browser.GetWindowForTarget(target_id=tab.session.target_id))
    world.see("state", window.bounds.window_state)
