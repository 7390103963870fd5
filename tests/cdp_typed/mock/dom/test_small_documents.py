"""What scripts find in a page of the mock, and what it refuses to say of one that it does not know whole."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.mock import FileInput, Frame, Link, MockBrowser, Page, Resource
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client, Params

INSECURE = "http://shop.test"
SITE = {
    f"{LOCAL}/": Page(title="plain"),
    f"{LOCAL}/second": Page(title="second"),
    f"{LOCAL}/text": Page(body="<p>text</p>"),
    f"{LOCAL}/data": Page(headers={"Content-Type": "application/json"}),
    f"{LOCAL}/scripts": Page(script="window.early = document.getElementById('x')", on_load="window.late = 1"),
    f"{LOCAL}/framed": Page(frames=[Frame("/second", "f")]),
    f"{LOCAL}/cross": Page(frames=[Frame(f"{REMOTE}/", "f")]),
    f"{LOCAL}/links": Page(elements=[Link("near", "/second"), FileInput("file")], resources=[Resource("/x.png")]),
    f"{LOCAL}/sandbox": Page(headers={"Content-Security-Policy": "sandbox allow-scripts"}),
    f"{LOCAL}/policy": Page(headers={"Permissions-Policy": "clipboard-read=()"}),
    f"{REMOTE}/": Page(title="remote"),
    f"{INSECURE}/": Page(title="insecure"),
    f"{LOCAL}/worker.js": Page(script="self.ready = 1"),
}


def ask(client: Client, session: str, expression: str, **params: Any) -> Any:
    """Evaluate; return the value or, of what is refused, why."""
    got = client.send("Runtime.evaluate", {"expression": expression, "returnByValue": True, **params}, session)
    reply: Params = next(message for message in got if "id" in message)
    if "error" in reply:
        return reply["error"]["message"]
    result = reply["result"]["result"]
    if result.get("className") == "MockError":
        return result["description"].partition("know this: ")[2].partition("; the mock")[0]
    return result.get("value", result["type"]) if "exceptionDetails" not in reply["result"] else result["description"]


def go(client: Client, session: str, url: str) -> None:
    client.send("Page.navigate", {"url": url if ":" in url else f"{LOCAL}{url}"}, session)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        *((url, "the elements of a document whose HTML it does not parse") for url in ("/text", "/data", "/nowhere")),
        ("data:text/html,<p>x</p>", "the elements of a document whose HTML it does not parse"),
    ],
)
@pytest.mark.parametrize("expression", ["document.body", "document.querySelector('p')", "document.getElementById('x')"])
def test_a_document_that_is_not_known_whole_says_nothing_of_its_elements(
    client: Client, page: str, url: str, why: str, expression: str
) -> None:
    go(client, page, url)

    assert ask(client, page, expression) == why


def test_html_that_a_client_made_is_not_known(client: Client, page: str) -> None:
    client.result("Fetch.enable", {}, page)
    go(client, page, "/second")
    paused = next(message["params"] for message in client.inbox if message.get("method") == "Fetch.requestPaused")
    made = {"requestId": paused["requestId"], "responseCode": 200, "body": "PHA+eDwvcD4="}
    client.send("Fetch.fulfillRequest", made, page)

    assert ask(client, page, "document.querySelector('p')").startswith("the elements of a document whose HTML")


def test_html_that_a_script_gave_an_iframe_is_not_known(client: Client, page: str) -> None:
    go(client, page, "/framed")
    ask(client, page, "document.getElementById('f').srcdoc = '<p>x</p>'")
    tree = client.result("Page.getFrameTree", {}, page)["frameTree"]
    world = client.result("Page.createIsolatedWorld", {"frameId": tree["childFrames"][0]["frame"]["id"]}, page)

    told = ask(client, page, "document.querySelector('p')", contextId=world["executionContextId"])
    assert told.startswith("the elements of a document whose HTML")


def test_after_a_script_that_is_refused_a_document_is_not_known(client: Client, shown: str) -> None:
    assert ask(client, shown, "document.querySelector('p')") is None
    world = client.result(
        "Page.createIsolatedWorld",
        {"frameId": client.result("Page.getFrameTree", {}, shown)["frameTree"]["frame"]["id"]},
        shown,
    )
    ask(client, shown, "document.body.innerHTML = '<p>x</p>'", contextId=world["executionContextId"])

    why = "what a script of this document has done that the mock does not support"
    for expression in ("document.querySelector('p')", "document.body.textContent", "localStorage.k"):
        assert ask(client, shown, expression) == why
    assert ask(client, shown, "navigator.language") == "en-US"
    go(client, shown, "/second")
    assert ask(client, shown, "document.querySelector('p')") is None


def test_a_script_before_the_body_finds_no_elements(browser: MockBrowser, client: Client, page: str) -> None:
    go(client, page, "/scripts")

    assert "a document while its scripts run for the first time" in str(browser.refusals[-1])


@pytest.mark.parametrize(
    "expression",
    [
        *("document.body.textContent", "document.body.innerText", "document.body.offsetHeight", "scrollY"),
        *("document.documentElement.clientWidth", "getSelection()", "getComputedStyle(document.body).backgroundColor"),
    ],
)
@pytest.mark.parametrize("url", ["/framed", "/links"])
def test_a_page_with_elements_does_not_tell_its_layout(client: Client, page: str, url: str, expression: str) -> None:
    go(client, page, url)

    assert "the text and the layout of a page" in ask(client, page, expression)


@pytest.mark.parametrize(
    ("url", "expression"),
    [
        ("/framed", "document.activeElement"),
        ("/framed", "document.querySelector('iframe')"),
        ("/links", "document.activeElement"),
        ("/links", "document.querySelector('a')"),
        ("/links", "document.querySelector('img')"),
        ("/links", "document.addEventListener('click', () => 1)"),
        ("/", "document.querySelector('title')"),
        ("/", "document.querySelector('div, p')"),
        ("/", "document.querySelector('body:hover')"),
        ("/", "document.querySelector()"),
        ("/", "document.createElement('iframe')"),
        ("/", "document.body.nothing"),
        ("/", "document.body.appendChild(null)"),
        ("/", "document.body.appendChild(document.createElement('p')), document.body.offsetHeight"),
        ("/", "document.createElement('p').remove()"),
        ("/", "document.body.style.color"),
        ("/", "document.body.style.backgroundColor = 'nonsense'"),
        ("/", "getComputedStyle(document.body).color"),
        ("/", "getComputedStyle(document.documentElement)"),
        ("/", "matchMedia('(min-width: 10px)')"),
        ("/", "matchMedia()"),
        ("/", "scrollTo({top: 5})"),
        ("/", "addEventListener('resize', () => 1)"),
        ("/", "addEventListener('keydown', null)"),
        ("/", "navigator.geolocation.getCurrentPosition(() => 1, () => 2)"),
        ("/", "localStorage.toString()"),
        ("/", "localStorage.key(0)"),
        ("/", "requestAnimationFrame()"),
        ("/", "setTimeout()"),
        ("/", "new DataTransfer(1)"),
        ("/", "Object.getOwnPropertyNames(document)"),
        ("/", "console.log(document.body)"),
        ("/", "console.table(window)"),
        ("/", "window.name = 'n'; console.log(window)"),
        ("/", "throw document.body"),
        ("/", "Promise.reject(document.body)"),
        ("/", "new Promise((_, reject) => reject(document.body))"),
        ("/", "getComputedStyle(document.body)"),
        ("/", "delete localStorage.k"),
        ("/", "delete window.document"),
        ("/", "delete 1"),
        ("/", "var own = 1; delete window.own"),
        ("/", "localStorage = 1"),
        ("/", "window.onload = () => 1"),
        ("/", "({}).x = 1"),
        ("/", "ontouchstart"),
        ("/", "toString()"),
        ("/", "location.hash = 'a b'"),
        ("/", "String(getSelection())"),
        ("/", "({remove: 1}).remove()"),
        ("/policy", "navigator.clipboard.readText()"),
        ("/sandbox", "localStorage.k"),
        (f"{INSECURE}/", "document.hasStorageAccess()"),
        (f"{INSECURE}/", "'crypto' in window"),
        ("/nowhere", "localStorage.k"),
    ],
)
def test_what_the_small_document_does_not_have_is_refused(
    browser: MockBrowser, client: Client, page: str, url: str, expression: str
) -> None:
    go(client, page, url)
    ask(client, page, expression, returnByValue=True)

    assert len(browser.refusals) == 1, browser.refusals


def test_an_insecure_page_has_no_clipboard(client: Client, page: str) -> None:
    go(client, page, f"{INSECURE}/")

    assert ask(client, page, "navigator.clipboard") == "undefined"


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "innerWidth",
            "scrollY",
            "document.hasStorageAccess()",
            "navigator.clipboard",
            "requestAnimationFrame(() => 1)",
        ),
        *("localStorage.k", "document", "window.stop()"),
    ],
)
def test_an_iframe_of_another_site_does_not_say_what_depends_on_the_page_around_it(
    browser: MockBrowser, client: Client, oopif: str, expression: str
) -> None:
    assert ask(client, oopif, "document.body.textContent") == ""
    ask(client, oopif, expression)

    assert len(browser.refusals) == 1


def test_a_deleted_class_is_no_function(client: Client, shown: str) -> None:
    assert ask(client, shown, "delete window.Node, Node()").startswith("ReferenceError: Node is not defined")


@pytest.mark.parametrize("expression", ["navigator.language", "this", "requestAnimationFrame(() => 1)", "innerWidth"])
def test_a_worker_has_no_window(client: Client, shown: str, expression: str) -> None:
    ask(client, shown, "new Worker('/worker.js')")
    worker = client.attached("worker")
    client.enable(worker, "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, worker)

    assert ask(client, worker, "setTimeout(() => 1, 1)") == 1
    assert ask(client, worker, expression) not in (1, "object", "en-US", 780)


def test_a_page_that_another_may_cover_paints_and_reads_nothing(client: Client, shown: str) -> None:
    assert ask(client, shown, "requestAnimationFrame(() => 1)") == 1
    client.result("Target.createTarget", {"url": "about:blank"})

    assert "another may cover" in ask(client, shown, "requestAnimationFrame(() => 1)")
    assert "another may cover" in ask(client, shown, "navigator.clipboard.readText()")


def test_nothing_is_stopped_while_something_loads(client: Client, shown: str) -> None:
    assert ask(client, shown, "window.stop()") == "undefined"
    assert ask(client, shown, "location.href = '/second'; window.stop()") == "stop() while something loads"


def test_fonts_are_not_ready_before_the_page_is(browser: MockBrowser, client: Client, page: str) -> None:
    client.result("Page.addScriptToEvaluateOnNewDocument", {"source": "document.fonts.ready"}, page)
    go(client, page, "/second")

    assert "document.fonts.ready while the document loads" in str(browser.refusals[-1])


def test_while_a_script_listens_to_the_mouse_no_mouse_moves(client: Client, shown: str) -> None:
    moved = {"type": "mouseMoved", "x": 1, "y": 1}
    ask(client, shown, "document.addEventListener('keydown', () => 1)")
    client.result("Input.dispatchMouseEvent", moved, shown)
    ask(client, shown, "document.addEventListener('mousemove', () => 1, true)")

    assert "a script of this page listens" in client.error("Input.dispatchMouseEvent", moved, shown)["message"]
    go(client, shown, "/second")
    client.result("Input.dispatchMouseEvent", moved, shown)


def test_files_are_set_on_inputs_only(client: Client, shown: str) -> None:
    told: list[str] = []
    for expression in ("document.body", "window"):
        made = client.result("Runtime.evaluate", {"expression": expression}, shown)["result"]["objectId"]
        told.append(client.error("DOM.setFileInputFiles", {"files": [], "objectId": made}, shown)["message"])

    assert told == ["Node is not a file input element", "Object id doesn't reference a Node"]


def test_a_timer_gets_the_time_since_the_document_began() -> None:
    now = [1000.0]
    browser = MockBrowser(SITE, clock=lambda: now[0])
    client = Client(browser)
    session = client.attach(browser.pages[0].id)
    go(client, session, "/")

    ask(client, session, "requestAnimationFrame(time => { window.painted = time })")
    now[0] = 1001.0
    browser.advance()

    assert ask(client, session, "painted") == 16.7


def test_storage_belongs_to_a_browser_context(client: Client, shown: str) -> None:
    ask(client, shown, "localStorage.k = 1; sessionStorage.k = 2")
    context = client.result("Target.createBrowserContext")["browserContextId"]
    session = client.attach(
        client.result("Target.createTarget", {"url": f"{LOCAL}/", "browserContextId": context})["targetId"]
    )

    assert ask(client, session, "[localStorage.length, sessionStorage.length]") == [0, 0]
    ask(client, session, "localStorage.removeItem('k')")
    assert ask(client, shown, "localStorage.k + sessionStorage.k") == "12"


def test_storage_does_not_change_while_a_client_waits_for_its_events(client: Client, shown: str) -> None:
    client.result("DOMStorage.enable", {}, shown)

    assert "DOMStorage.enable" in ask(client, shown, "localStorage.k = 1")


def test_a_window_that_a_script_opened_has_neither_a_size_nor_a_session(client: Client, shown: str) -> None:
    client.auto_attach(None, wait=False)
    client.send("Runtime.evaluate", {"expression": "window.open('/second'); 1", "userGesture": True}, shown)
    popup = client.attached("popup")

    assert ask(client, popup, "innerWidth") == "the size of anything but an ordinary tab"
    go(client, popup, "/")
    assert ask(client, popup, "sessionStorage.k") == "the sessionStorage of a window that a script opened"
