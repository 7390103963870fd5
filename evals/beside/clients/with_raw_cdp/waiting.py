"""Scenarios in which the page waits for its client: dialogs, file choosers, downloads, logins, held requests,
breakpoints."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from pathlib import Path

from cdp_typed import CommandError
from cdp_typed.protocol import browser, debugger, dom, fetch, page, runtime, target
from evals.beside.clients.programs import World
from evals.beside.clients.with_raw_cdp.tab import SCENARIOS, Tab, noting


def accept(dialog: page.JavascriptDialogOpening) -> page.HandleJavaScriptDialog:
    return page.HandleJavaScriptDialog(accept="no" not in dialog.message, prompt_text="Ada")


@SCENARIOS.add
async def dialogs(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.answering(accept) as said:
        world.see("answers", await tab.evaluate("[alert('hello'), confirm('yes'), confirm('no'), prompt('name?')]"))
        world.see("dialogs", said)


@SCENARIOS.add
async def quick_dialogs_in_a_row(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.answering(accept) as said:
        asked = "[...'abcdefgh'].map(letter => confirm(letter > 'd' ? 'no' : 'yes'))"
        world.see("first", await tab.evaluate(asked))
        await tab.go(f"{world.own}/next")
        world.see("second", await tab.evaluate("[1, 2, 3].map(number => prompt(number))"))
        world.see("dialogs", said)


@SCENARIOS.add
async def slow_answers(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.answering(accept, pause_s=0.6) as said:
        world.see("answers", await tab.evaluate("[confirm('a'), prompt('b')]"))
        world.see("dialogs", said)


@SCENARIOS.add
async def dialogs_of_frames(tab: Tab, world: World) -> None:
    async with tab.session.auto_attach(enable=[runtime.Enable()]) as attached, tab.answering(accept) as said:
        await tab.go(f"{world.own}/frames")
        (frame,) = (session for session in attached.sessions if session.target_info.type == "iframe")
        world.see("oopif", await tab.evaluate("[confirm('yes'), prompt('name?')]", session=frame))
        world.see("local", await tab.evaluate("frames.local.eval('[confirm(`yes`), prompt(`name?`)]')"))
        world.see("dialogs", said)


@SCENARIOS.add
async def beforeunload(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/staying")
    await tab.click("#touch")
    for accepts in (False, True):
        async with tab.session.expect(page.JavascriptDialogOpening, timeout=10) as opening:
            leaving = tab.session.send_nowait(page.Navigate(url=f"{world.own}/next"))
        world.see("dialog", opening.value.type)
        await tab.session.send(page.HandleJavaScriptDialog(accept=accepts))
        world.see("answered", (await leaving).error_text)
        await asyncio.sleep(1)  # a navigation at once is now and then not asked about
    world.see("title", await tab.evaluate("document.title"))


@SCENARIOS.add
async def a_dialog_that_is_left(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.session.expect(page.JavascriptDialogOpening, timeout=10):
        asking = tab.session.send_nowait(runtime.Evaluate(expression="confirm('left open')"))
    async with tab.session.expect(page.JavascriptDialogClosed, timeout=10) as closing:
        await tab.go(f"{world.own}/next")
    world.see("closed", closing.value.result)
    with contextlib.suppress(CommandError):  # now and then the navigation is quicker than the script
        assert (await asking).result.value is False


@SCENARIOS.add_for_new_pages
async def closing_under_a_dialog(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    async with tab.session.expect(page.JavascriptDialogOpening, timeout=10):
        _ = tab.session.send_nowait(runtime.Evaluate(expression="confirm('left open')"))
    async with tab.browser.expect(target.DetachedFromTarget, timeout=10):
        world.see("closes", (await tab.browser.send(target.CloseTarget(target_id=tab.session.target_id))).success)
    world.see("afterwards", (await tab.browser.send(browser.GetVersion())).protocol_version)


@SCENARIOS.add
async def held_requests(tab: Tab, world: World) -> None:
    async def decide(_: str | None, event: fetch.RequestPaused) -> None:
        path = event.request.url.removeprefix(world.own)
        if path == "/made-up":
            body = base64.b64encode(b"fulfilled").decode()
            await tab.session.send(fetch.FulfillRequest(request_id=event.request_id, response_code=201, body=body))
        elif path == "/data.json":
            await tab.session.send(fetch.FailRequest(request_id=event.request_id, error_reason="Failed"))
        elif path == "/headers":
            headers = [fetch.HeaderEntry(name="X-Probe", value="changed")]
            await tab.session.send(fetch.ContinueRequest(request_id=event.request_id, headers=headers))
        else:
            await tab.session.send(fetch.ContinueRequest(request_id=event.request_id))

    listening = tab.session.listen(decide, fetch.RequestPaused)
    await tab.session.send(fetch.Enable())
    await tab.go(f"{world.own}/plain")
    for path in ("/made-up", "/data.json", "/headers", "/next"):
        fetched = f"fetch('{path}').then(async answer => [answer.status, (await answer.text()).slice(0, 30)], String)"
        world.see(path, await tab.evaluate(fetched))
    await tab.session.send(fetch.Disable())
    listening.close()
    world.see("without", await tab.evaluate("fetch('/made-up').then(answer => answer.status)"))


@SCENARIOS.add
async def responses(tab: Tab, world: World) -> None:
    """Held when they have arrived."""
    await tab.go(f"{world.own}/plain")
    pattern = fetch.RequestPattern(url_pattern="*/data.json", request_stage="Response")
    await tab.session.send(fetch.Enable(patterns=[pattern]))
    async with tab.session.expect(fetch.RequestPaused, timeout=10) as pausing:
        asking = tab.session.send_nowait(
            runtime.Evaluate(expression="fetch('/data.json').then(answer => answer.text())", await_promise=True)
        )
    body = await tab.session.send(fetch.GetResponseBody(request_id=pausing.value.request_id))
    world.see("held", [pausing.value.response_status_code, base64.b64decode(body.body).decode()])
    await tab.session.send(fetch.ContinueRequest(request_id=pausing.value.request_id))
    world.see("answer", (await asking).result.value)
    await tab.session.send(fetch.Disable())


@SCENARIOS.add
async def logins(tab: Tab, world: World) -> None:
    async def let_go(_: str | None, event: fetch.RequestPaused) -> None:
        await tab.session.send(fetch.ContinueRequest(request_id=event.request_id))

    listening = tab.session.listen(let_go, fetch.RequestPaused)
    await tab.session.send(fetch.Enable(handle_auth_requests=True))
    for answer in (
        fetch.AuthChallengeResponse(response="CancelAuth"),
        fetch.AuthChallengeResponse(response="ProvideCredentials", username="ada", password="lovelace"),
    ):
        async with tab.session.expect(fetch.AuthRequired, timeout=10) as asking:
            arriving = asyncio.ensure_future(tab.go(f"{world.own}/members"))
        login = fetch.ContinueWithAuth(request_id=asking.value.request_id, auth_challenge_response=answer)
        await tab.session.send(login)
        await arriving
        world.see(str(answer.response), await tab.evaluate("document.title"))
    await tab.session.send(fetch.Disable())
    listening.close()


@SCENARIOS.add
async def file_choosers(tab: Tab, world: World) -> None:
    (world.folder / "one.txt").write_text("1")
    await tab.go(f"{world.own}/files")
    await tab.session.send(page.SetInterceptFileChooserDialog(enabled=True))
    async with tab.session.expect(page.FileChooserOpened, timeout=10) as opening:
        await tab.click("#pick")
    world.see("mode", opening.value.mode)
    assert opening.value.backend_node_id is not None
    files = dom.SetFileInputFiles(files=[str(world.folder / "one.txt")], backend_node_id=opening.value.backend_node_id)
    await tab.session.send(files)
    world.see("chosen", await tab.evaluate("[...pick.files].map(file => file.name)"))
    await tab.session.send(page.SetInterceptFileChooserDialog(enabled=False))


@SCENARIOS.add_for_new_pages
async def a_file_chooser_that_is_not_intercepted(tab: Tab, world: World) -> None:
    """The browser shows its own, which stays open; a page hears nothing, least of all that it was cancelled."""
    await tab.go(f"{world.own}/files")
    await tab.evaluate("pick.oncancel = () => { window.cancelled = true }; 0")
    with noting(tab.session, page.FileChooserOpened) as events:
        await tab.click("#pick")
        await asyncio.sleep(0.5)
        world.see("told", len(events))
    world.see("cancelled", await tab.evaluate("'cancelled' in window"))


@SCENARIOS.add
async def downloads(tab: Tab, world: World) -> None:
    for behavior in ("allow", "deny"):
        set_ = browser.SetDownloadBehavior(behavior=behavior, download_path=str(world.folder), events_enabled=True)
        await tab.browser.send(set_)
        await tab.go(f"{world.own}/download")
        async with tab.browser.root.events(browser.DownloadWillBegin, browser.DownloadProgress) as events:
            await tab.click("#get")
            states: list[str] = []
            async with asyncio.timeout(10):
                async for event in events:
                    if isinstance(event, browser.DownloadProgress) and event.state != "inProgress":
                        states.append(event.state)
                        break
                    states.append(type(event).__name__)
        world.see(behavior, [states[0], states[-1]])
    content = await asyncio.to_thread(Path(world.folder / "note.txt").read_text)
    world.see("content", content)
    await tab.browser.send(browser.SetDownloadBehavior(behavior="default"))


@SCENARIOS.add
async def breakpoints(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    world.see("without debugger", await tab.evaluate("debugger; 'on'"))
    await tab.session.send(debugger.Enable())
    async with tab.session.expect(debugger.Paused, timeout=10) as pausing:
        running = tab.session.send_nowait(runtime.Evaluate(expression="(() => { let x = 1; debugger; return x })()"))
    frame = pausing.value.call_frames[0]
    change = debugger.EvaluateOnCallFrame(call_frame_id=frame.call_frame_id, expression="x = 42")
    await tab.session.send(change)
    async with tab.session.expect(debugger.Resumed, timeout=10):
        await tab.session.send(debugger.Resume())
    world.see("changed", (await running).result.value)
    await tab.session.send(debugger.Disable())


@SCENARIOS.add
async def errors(tab: Tab, world: World) -> None:
    await tab.go(f"{world.own}/plain")
    for command in (page.HandleJavaScriptDialog(accept=True), page.Navigate(url="not a url")):
        try:
            await tab.session.send(command)
        except CommandError as error:
            world.see(command.METHOD, error.message)
