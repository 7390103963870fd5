"""Scenarios of requests, downloads, file inputs, the debugger and bindings."""

from __future__ import annotations

import base64

from tests.honesty.player import Call, Params, Play, Tab
from tests.honesty.scenarios.registry import scenario

SEND = "let x = new XMLHttpRequest(); x.open('GET', '/data', false); x.send(); x.status + x.responseText"


async def held(tab: Tab) -> str:
    """Return the next paused request."""
    return str((await tab.event("Fetch.requestPaused"))["requestId"])


def awaiting(tab: Tab, expression: str) -> Call:
    return tab.start("Runtime.evaluate", {"expression": expression, "awaitPromise": True})


async def fulfill(tab: Tab, request: str, body: str, status: int = 200) -> Params:
    coded = base64.b64encode(body.encode()).decode()
    headers = [{"name": "Content-Type", "value": "text/html"}]
    params = {"requestId": request, "responseCode": status, "responseHeaders": headers, "body": coded}
    return await tab.call("Fetch.fulfillRequest", params)


@scenario
async def a_navigation_answered_by_a_client(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    request = await held(tab)
    waiting = tab.evaluate("1 + 1")
    await tab.call("Page.getNavigationHistory")
    await fulfill(tab, request, "<title>Made up</title><link rel=icon href='data:,'>")
    await tab.loaded()
    await tab.client.answer(waiting)
    await tab.value("document.title")


@scenario
async def a_navigation_that_a_client_fails(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable", {"patterns": [{"resourceType": "Document"}]})
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.call("Fetch.failRequest", {"requestId": await held(tab), "errorReason": "AccessDenied"})
    await tab.loaded()


@scenario
async def a_navigation_that_a_client_aborts(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await tab.call("Fetch.failRequest", {"requestId": await held(tab), "errorReason": "Aborted"})
    await tab.loaded()
    await tab.value("document.title")


@scenario
async def a_navigation_answered_without_content(play: Play) -> None:
    tab = await play.tab("/plain")
    for path in ("/no-content", "/no-content-either"):
        await tab.call("Page.navigate", {"url": f"{play.own}{path}"})
        await tab.loaded()
    await tab.value("document.title")
    await tab.call("Page.getNavigationHistory")


@scenario
async def loading_stopped_while_held(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/second"})
    await held(tab)
    await tab.call("Page.stopLoading")
    await tab.loaded()


@scenario
async def a_script_answered_by_a_client(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    call = awaiting(tab, "fetch('/data').then(r => r.text())")
    await fulfill(tab, await held(tab), "made up", 404)
    await tab.client.answer(call)


@scenario
async def an_answer_read_and_changed(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable", {"patterns": [{"urlPattern": "*/d?ta", "requestStage": "Response"}]})
    call = awaiting(tab, "fetch('/data').then(r => r.status + r.statusText)")
    request = await held(tab)
    await tab.call("Fetch.getResponseBody", {"requestId": request})
    headers = [{"name": "X", "value": "y"}]
    params = {"requestId": request, "responseCode": 201, "responseHeaders": headers}
    await tab.call("Fetch.continueResponse", params)
    await tab.client.answer(call)


@scenario
async def a_synchronous_request_freezes_its_page(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    call = tab.evaluate(SEND)
    request = await held(tab)
    second = tab.evaluate("2")
    await tab.call("Page.getNavigationHistory")
    await fulfill(tab, request, "made up")
    await tab.client.answer(call)
    await tab.client.answer(second)


@scenario
async def a_synchronous_request_that_fails(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    await tab.call("Log.enable")
    call = tab.evaluate(f"try {{ {SEND} }} catch (e) {{ e.name }}")
    await tab.call("Fetch.failRequest", {"requestId": await held(tab), "errorReason": "Failed"})
    await tab.client.answer(call)


@scenario
async def held_requests_let_go_by_disabling(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    call = awaiting(tab, "fetch('/data').then(r => r.text())")
    await held(tab)
    await tab.call("Fetch.disable")
    await tab.client.answer(call)


@scenario
async def answers_that_do_not_fit(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    call = awaiting(tab, "fetch('/data').then(r => r.text())")
    request = {"requestId": await held(tab)}
    await tab.call("Fetch.getResponseBody", request)
    await tab.call("Fetch.fulfillRequest", {**request, "responseCode": 99})
    await tab.call("Fetch.fulfillRequest", {**request, "responseCode": 200, "body": "!!"})
    await tab.call("Fetch.continueRequest", {**request, "postData": "!!"})
    await tab.call("Fetch.enable", {"patterns": [], "handleAuthRequests": True})
    await tab.call("Fetch.continueRequest", request)
    await tab.client.answer(call)
    await tab.call("Fetch.continueRequest", request)
    await tab.call("Network.getResponseBody", {"requestId": "nowhere"})


@scenario
async def a_request_that_a_client_changes(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    call = awaiting(tab, "fetch('/nothing', {method: 'POST', body: 'q=1', headers: {'X-A': 'b'}}).then(r => r.text())")
    changed = {"url": f"{play.own}/data", "method": "PUT", "postData": "eHg=", "headers": [{"name": "A", "value": "b"}]}
    request = {"requestId": await held(tab), "interceptResponse": True}
    await tab.call("Fetch.continueRequest", {**request, **changed})
    await fulfill(tab, await held(tab), "gone", 404)
    await tab.client.answer(call)


@scenario
async def a_request_that_failed_as_a_response(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable", {"patterns": [{"requestStage": "Response"}]})
    call = awaiting(tab, f"fetch('{play.nowhere}/x').catch(e => e.message)")
    await tab.call("Fetch.continueResponse", {"requestId": await held(tab)})
    await tab.client.answer(call)


@scenario
async def an_answer_of_the_wrong_kind(play: Play) -> None:
    """The request accepts no other answer after it, and never ends."""
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    awaiting(tab, "fetch('/data').then(r => r.text())")
    request = {"requestId": await held(tab)}
    await tab.call("Fetch.continueWithAuth", {**request, "authChallengeResponse": {"response": "Default"}})
    await tab.call("Fetch.continueRequest", request)
    await tab.call("Fetch.failRequest", {**request, "errorReason": "Failed"})
    await tab.call("Fetch.disable")
    await tab.value("1 + 1")


@scenario
async def a_page_that_has_moved(play: Play) -> None:
    tab = await play.tab("/second")
    await tab.call("Network.enable")
    await tab.navigate(f"{play.own}/moved-twice#there")
    await tab.call("Page.getNavigationHistory")
    await tab.navigate(f"{play.own}/moved-away")
    await tab.value("location.href")


@scenario
async def an_iframe_that_has_moved_to_another_site(play: Play) -> None:
    await (await play.tab()).navigate(f"{play.own}/with-moved", oopifs=1)


@scenario
async def redirects_that_lead_nowhere(play: Play) -> None:
    tab = await play.tab("/plain")
    for path in ("/moved-in-circles", "/moved-to-a-file", "/moved-nowhere"):
        await tab.navigate(play.own + path)
    await tab.value("document.title")


@scenario
async def redirected_requests_of_scripts(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    await tab.call("Log.enable")
    for path in ("/moved-data", "/moved-data-away", f"{play.other}/moved-data", "/moved-to-a-file"):
        await tab.client.answer(awaiting(tab, f"fetch('{path}').then(r => r.text())"))
    await tab.value(SEND.replace("/data", "/moved-data"))
    await tab.value(f"try {{ {SEND.replace('/data', '/moved-data-away')} }} catch (e) {{ e.message }}")


@scenario
async def a_redirect_that_a_client_holds(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Network.enable")
    await tab.call("Fetch.enable", {"patterns": [{}, {"requestStage": "Response"}]})
    tab.start("Page.navigate", {"url": f"{play.own}/moved"})
    await tab.call("Fetch.continueRequest", {"requestId": await held(tab)})
    request = await held(tab)
    await tab.call("Fetch.getResponseBody", {"requestId": request})
    await tab.call("Fetch.continueResponse", {"requestId": request, "responseCode": 200, "responseHeaders": []})
    for _ in range(2):
        await tab.call("Fetch.continueRequest", {"requestId": await held(tab)})
    await tab.loaded()


@scenario
async def a_redirect_made_up_by_a_client(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Fetch.enable")
    tab.start("Page.navigate", {"url": f"{play.own}/plain"})
    location = [{"name": "Location", "value": "/second"}]
    made_up = {"requestId": await held(tab), "responseCode": 302, "responseHeaders": location}
    await tab.call("Fetch.fulfillRequest", made_up)
    await tab.call("Fetch.continueRequest", {"requestId": await held(tab)})
    await tab.loaded()


@scenario
async def a_download_that_has_moved(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.call("Browser.setDownloadBehavior", {"behavior": "deny", "eventsEnabled": True})
    tab.start("Page.navigate", {"url": f"{play.own}/moved-download"})
    await tab.event("Page.downloadProgress", where=lambda params: bool(params["state"] == "canceled"))
    await tab.client.event("Browser.downloadProgress", where=lambda params: bool(params["state"] == "canceled"))
    await tab.client.call("Browser.setDownloadBehavior", {"behavior": "default"})


async def asked_for_a_login(play: Play, tab: Tab) -> Params:
    """Navigate to a page that wants one; return the request."""
    await tab.call("Fetch.enable", {"handleAuthRequests": True})
    tab.start("Page.navigate", {"url": f"{play.own}/login"})
    await tab.call("Fetch.continueRequest", {"requestId": await held(tab)})
    return {"requestId": (await tab.event("Fetch.authRequired"))["requestId"]}


@scenario
async def a_login_answered_wrongly(play: Play) -> None:
    """The request accepts no other answer after it."""
    tab = await play.tab("/plain")
    request = await asked_for_a_login(play, tab)
    await tab.call("Fetch.continueRequest", request)
    await tab.call("Fetch.continueWithAuth", {**request, "authChallengeResponse": {"response": "CancelAuth"}})


@scenario
async def a_login_that_is_cancelled(play: Play) -> None:
    tab = await play.tab("/plain")
    request = await asked_for_a_login(play, tab)
    await tab.call("Fetch.continueWithAuth", {**request, "authChallengeResponse": {"response": "CancelAuth"}})
    await tab.loaded()


@scenario
async def a_login_that_nobody_gives(play: Play) -> None:
    tab = await play.tab("/plain")
    request = await asked_for_a_login(play, tab)
    await tab.call("Fetch.continueWithAuth", {**request, "authChallengeResponse": {"response": "Default"}})
    await tab.loaded()
    await tab.call("Fetch.disable")
    await tab.navigate(f"{play.own}/login")


@scenario
async def policies_and_their_complaints(play: Play) -> None:
    tab = await play.tab("/closed")
    await tab.call("Log.enable")
    await tab.client.answer(awaiting(tab, "fetch('/data')"))
    await tab.value(f"try {{ {SEND} }} catch (e) {{ e.name }}")
    await tab.navigate(f"{play.own}/plain")
    for path in ("/data", "/open", "/theirs"):
        await tab.client.answer(awaiting(tab, f"fetch('{play.other}{path}').then(r => r.text())"))
    await tab.client.answer(awaiting(tab, "fetch('/nothing').then(r => r.status + r.statusText + r.url)"))
    await tab.client.answer(awaiting(tab, "fetch('/numbers').then(r => r.json()).then(r => r.length)"))
    await tab.client.answer(awaiting(tab, f"fetch('{play.nowhere}/x').catch(e => e.message)"))
    await tab.navigate(f"{play.own}/unsynchronous")
    await tab.value(f"try {{ {SEND} }} catch (e) {{ e.name }}")


@scenario
async def a_download_that_is_denied(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.client.call("Browser.setDownloadBehavior", {"behavior": "allow"})
    await tab.client.call("Browser.setDownloadBehavior", {"behavior": "deny", "eventsEnabled": True})
    tab.start("Page.navigate", {"url": f"{play.own}/saved"})
    await tab.event("Page.downloadProgress", where=lambda params: bool(params["state"] == "canceled"))
    await tab.client.event("Browser.downloadProgress", where=lambda params: bool(params["state"] == "canceled"))
    await tab.client.call("Browser.setDownloadBehavior", {"behavior": "default"})
    await tab.value("document.title")


@scenario
async def files_chosen_by_a_client(play: Play) -> None:
    tab = await play.tab("/form")
    await tab.call("Page.setInterceptFileChooserDialog", {"enabled": True})
    click = {"expression": "document.getElementById('many').click()", "userGesture": True}
    await tab.call("Runtime.evaluate", click)
    node = (await tab.event("Page.fileChooserOpened"))["backendNodeId"]
    await tab.call("DOM.setFileInputFiles", {"files": ["/a/one.txt", "/a/two.txt"], "backendNodeId": node})
    await tab.value("document.getElementById('many').files.length")
    for kind in ("mousePressed", "mouseReleased"):
        place = {"type": kind, "x": 10, "y": 10, "button": "left", "clickCount": 1}
        await tab.call("Input.dispatchMouseEvent", place)
    await tab.event("Page.fileChooserOpened")
    await tab.call("DOM.setFileInputFiles", {"files": ["/a/one.txt"], "backendNodeId": 99999})
    await tab.call("DOM.setFileInputFiles", {"files": ["/a/one.txt"]})
    await tab.value("document.getElementById('one')")


@scenario
async def paused_by_a_debugger_statement(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.value("1; debugger; 2")
    await tab.call("Debugger.enable")
    await tab.call("Debugger.resume")
    call = tab.evaluate("window.ask = () => { let answer; debugger; return answer }; ask()")
    frame = (await tab.event("Debugger.paused"))["callFrames"][0]["callFrameId"]
    for nobody in ("x", "1.1", "1.1.1"):
        await tab.call("Debugger.evaluateOnCallFrame", {"callFrameId": nobody, "expression": "1"})
    await tab.value("1 + 1")
    await tab.call("Page.getFrameTree")
    await tab.call("Debugger.evaluateOnCallFrame", {"callFrameId": frame, "expression": "answer = 'yes'"})
    await tab.call("Debugger.resume")
    await tab.client.answer(call)


@scenario
async def a_pause_ended_by_a_navigation(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Debugger.enable")
    call = tab.evaluate("debugger; 1")
    await tab.event("Debugger.paused")
    await tab.navigate(f"{play.own}/second")
    await tab.client.answer(call)


@scenario
async def functions_of_clients(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Runtime.addBinding", {"name": "tell"})
    await tab.call("Runtime.addBinding", {"name": "tell", "executionContextId": 99999})
    for call in ("tell('first')", "tell(1)", "typeof tell"):
        await tab.value(call)
    await tab.navigate(f"{play.own}/second")
    await tab.value("tell('second')")
    await tab.call("Runtime.removeBinding", {"name": "tell"})
    await tab.value("tell('third')")


@scenario
async def promises(play: Play) -> None:
    tab = await play.tab("/plain")
    for expression in (
        "Promise.resolve(1).then(v => v + 1)",
        "Promise.reject('no').catch(e => e)",
        "Promise.reject(new Error('no'))",
    ):
        await tab.client.answer(awaiting(tab, expression))
    await tab.value("Promise.resolve(1)")
    await tab.value("Promise.reject(new Error('unheard')); 1")
    await tab.event("Runtime.exceptionThrown")
