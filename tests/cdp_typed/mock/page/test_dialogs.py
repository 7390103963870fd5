"""Dialogs, with events in the order that was measured on Chromium 156."""

from __future__ import annotations

import pytest

from cdp_typed.mock import MockBrowser
from tests.cdp_typed.mock.raw_client import LOCAL, Client, Params

ACCEPT = {"accept": True}
DISMISS = {"accept": False}


def evaluate(client: Client, session: str, expression: str) -> list[str]:
    return client.lines("Runtime.evaluate", {"expression": expression, "returnByValue": True}, session)


def handle(client: Client, session: str, params: Params) -> list[str]:
    return client.lines("Page.handleJavaScriptDialog", params, session)


def test_the_event_tells_everything_that_chrome_tells(client: Client, page: str, browser: MockBrowser) -> None:
    got = client.send("Runtime.evaluate", {"expression": "prompt('name?', 'bob')"}, page)

    params = {
        "url": "about:blank",
        "frameId": browser.pages[0].id,
        "message": "name?",
        "type": "prompt",
        "hasBrowserHandler": True,
        "defaultPrompt": "bob",
    }
    assert got == [{"method": "Page.javascriptDialogOpening", "params": params, "sessionId": page}]


def test_an_alert_is_announced_to_every_session_with_page_enabled_and_closed_before_the_replies(
    browser: MockBrowser, client: Client, page: str
) -> None:
    """Closed on all sessions, the handler's reply, the blocked call's reply, then those that waited."""
    second = client.attach(browser.pages[0].id, "second")
    client.enable(second, "Page")
    silent = client.attach(browser.pages[0].id, "silent")

    assert evaluate(client, page, "alert('hi')") == [
        "page Page.javascriptDialogOpening top alert hi",
        "second Page.javascriptDialogOpening top alert hi",
    ]
    assert evaluate(client, silent, "1+1") == []
    assert client.lines("Page.getFrameTree", {}, page) == []
    assert handle(client, second, ACCEPT) == [
        "page Page.javascriptDialogClosed top True ",
        "second Page.javascriptDialogClosed top True ",
        "second reply to Page.handleJavaScriptDialog",
        "page reply to Runtime.evaluate = undefined",
        "silent reply to Runtime.evaluate = 2",
        "page reply to Page.getFrameTree",
    ]
    assert handle(client, page, ACCEPT) == ["page refusal of Page.handleJavaScriptDialog: No dialog is showing"]


def test_other_connections_hear_of_it_too(browser: MockBrowser, client: Client, page: str) -> None:
    other = Client(browser)
    session = other.attach(browser.pages[0].id)
    other.enable(session, "Page")

    evaluate(client, page, "alert('hi')")

    assert other.taken() == ["page Page.javascriptDialogOpening top alert hi"]


@pytest.mark.parametrize(
    ("expression", "answer", "closed", "value"),
    [
        ("confirm('?')", {"accept": True}, "True ", "True"),
        ("confirm('?')", {"accept": False}, "False ", "False"),
        ("confirm('?')", {"accept": True, "promptText": "x"}, "True x", "True"),
        ("prompt('?', 'default')", {"accept": True, "promptText": "Bob"}, "True Bob", "Bob"),
        ("prompt('?', 'default')", {"accept": True}, "True ", ""),
        ("prompt('?', 'default')", {"accept": False, "promptText": "zz"}, "False zz", "None"),
    ],
)
def test_the_page_gets_the_answer(
    client: Client, page: str, expression: str, answer: Params, closed: str, value: str
) -> None:
    """Accepting without a text gives "", and not the default."""
    evaluate(client, page, f"window.answer = {expression}")

    assert handle(client, page, answer) == [
        f"page Page.javascriptDialogClosed top {closed}",
        "page reply to Page.handleJavaScriptDialog",
        f"page reply to Runtime.evaluate = {value}",
    ]
    assert evaluate(client, page, "window.answer") == [f"page reply to Runtime.evaluate = {value}"]


HANGING: list[tuple[str, Params]] = [
    ("Runtime.evaluate", {"expression": "1", "timeout": 500}),
    ("Runtime.enable", {}),
    ("Runtime.terminateExecution", {}),
    ("Page.enable", {}),
    ("Page.getFrameTree", {}),
    ("Page.captureScreenshot", {}),
    ("Page.addScriptToEvaluateOnNewDocument", {"source": "1"}),
    ("Page.getLayoutMetrics", {}),
    ("DOM.getDocument", {}),
    ("Accessibility.getFullAXTree", {}),
    ("Network.enable", {}),
    ("Debugger.enable", {}),
    ("Log.enable", {}),
    ("Performance.getMetrics", {}),
    ("Memory.getDOMCounters", {}),
    ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}),
]
ANSWERED: list[tuple[str, Params]] = [
    ("Target.getTargets", {}),
    ("Target.getTargetInfo", {}),
    ("Browser.getVersion", {}),
    ("Page.getNavigationHistory", {}),
    ("Page.stopLoading", {}),
    ("Page.bringToFront", {}),
    ("Fetch.enable", {}),
    ("Inspector.enable", {}),
    ("Network.getCookies", {}),
    ("Storage.getCookies", {}),
    ("Input.dispatchKeyEvent", {"type": "keyDown"}),
]


@pytest.mark.parametrize(("method", "params"), HANGING, ids=[method for method, _ in HANGING])
def test_what_needs_the_renderer_is_answered_only_after_the_dialog(
    client: Client, page: str, method: str, params: Params
) -> None:
    evaluate(client, page, "alert(1)")

    assert client.lines(method, params, page) == []
    answer = [line for line in handle(client, page, ACCEPT) if method in line]
    assert answer[0].startswith((f"page reply to {method}", f"page refusal of {method}: cdp_typed.mock does not model"))


def test_a_session_that_disables_page_under_a_dialog_may_not_answer_it(client: Client, page: str) -> None:
    evaluate(client, page, "alert(1)")

    assert client.lines("Page.disable", {}, page) == []
    assert handle(client, page, ACCEPT) == ["page refusal of Page.handleJavaScriptDialog: No dialog is showing"]


@pytest.mark.parametrize(("method", "params"), ANSWERED, ids=[method for method, _ in ANSWERED])
def test_what_the_browser_answers_alone_is_answered_at_once(
    client: Client, page: str, method: str, params: Params
) -> None:
    evaluate(client, page, "alert(1)")

    (answer,) = client.lines(method, params, page)

    assert answer.startswith((f"page reply to {method}", f"page refusal of {method}: cdp_typed.mock does not model"))


def test_nobody_listens_and_it_blocks_forever(browser: MockBrowser, client: Client) -> None:
    """No event, no way to handle it; a late Page.enable hangs, yet the session gets the end."""
    session = client.attach(browser.pages[0].id)

    assert evaluate(client, session, "alert(1)") == []
    assert client.lines("Page.enable", {}, session) == []
    assert handle(client, session, ACCEPT) == ["page refusal of Page.handleJavaScriptDialog: No dialog is showing"]
    assert client.lines("Target.closeTarget", {"targetId": browser.pages[0].id}) == [
        "page Page.javascriptDialogClosed top False ",
        "page Inspector.detached Render process gone.",
        "- Target.detachedFromTarget",
        "- reply to Target.closeTarget",
    ]


def test_a_session_that_comes_later_cannot_answer(browser: MockBrowser, client: Client, page: str) -> None:
    """Each session has a flag of its own, set only when it had Page enabled as the dialog opened."""
    evaluate(client, page, "confirm(1)")
    late = client.attach(browser.pages[0].id, "late")

    assert handle(client, late, ACCEPT) == ["late refusal of Page.handleJavaScriptDialog: No dialog is showing"]
    assert handle(client, page, ACCEPT)[-1] == "page reply to Runtime.evaluate = True"


def test_a_dialog_outlives_the_connection_that_saw_it(browser: MockBrowser, client: Client) -> None:
    """No event on re-attach; only a reload clears it."""
    first = Client(browser)
    gone = first.attach(browser.pages[0].id)
    first.enable(gone, "Page")
    first.send("Runtime.evaluate", {"expression": "window.r='x';setTimeout(()=>{window.r=confirm('lost?')},0)"}, gone)
    browser.disconnect(first.connection)
    session = client.attach(browser.pages[0].id)

    assert client.lines("Page.enable", {}, session) == []
    assert evaluate(client, session, "window.r") == []
    assert handle(client, session, ACCEPT) == ["page refusal of Page.handleJavaScriptDialog: No dialog is showing"]
    assert client.lines("Page.reload", {}, session)[:5] == [
        "page Page.frameStartedNavigating top reload",
        "page Page.frameStartedLoading top",
        "page reply to Page.reload",
        "page Page.javascriptDialogClosed top False ",
        "page reply to Page.enable",
    ]


def test_a_frame_of_the_page_itself_asks_in_its_own_name(client: Client, page: str, browser: MockBrowser) -> None:
    client.send("Page.navigate", {"url": f"{LOCAL}/same"}, page)
    frame = browser.frame_named("f")
    client.frames[frame] = "inner"
    unique = browser.state.frames[frame].contexts[0].unique_id

    assert client.lines("Runtime.evaluate", {"expression": "alert('inner')", "uniqueContextId": unique}, page) == [
        "page Page.javascriptDialogOpening inner alert inner"
    ]


def test_two_tabs_ask_independently(browser: MockBrowser, client: Client, page: str) -> None:
    other = client.attach(browser.open_page(f"{LOCAL}/"), "other")
    client.frames[browser.pages[1].id] = "other"
    client.enable(other, "Page")
    evaluate(client, page, "confirm('tab1')")
    evaluate(client, other, "confirm('tab2')")

    assert handle(client, other, ACCEPT)[-1] == "other reply to Runtime.evaluate = True"
    assert handle(client, page, DISMISS)[-1] == "page reply to Runtime.evaluate = False"


def test_navigating_away_closes_it_with_false(client: Client, page: str) -> None:
    """The pending call is answered, then the navigation goes on."""
    evaluate(client, page, "prompt('name?', 'def')")

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Page.javascriptDialogClosed top False ",
        "page reply to Runtime.evaluate = None",
        "page reply to Page.navigate",
        "page Runtime.executionContextsCleared",
        "page Runtime.executionContextsCleared",
        "page Page.frameNavigated top Navigation",
        "page Runtime.executionContextCreated",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]


def test_a_page_that_asks_again_holds_the_navigation_back(client: Client, page: str) -> None:
    """The reply has a loader, the old call fails, and the dying page stays blocked."""
    evaluate(client, page, "alert(1); alert(2)")
    evaluate(client, page, "document.title")

    assert client.lines("Page.navigate", {"url": f"{LOCAL}/"}, page) == [
        "page Page.frameStartedNavigating top differentDocument",
        "page Page.frameStartedLoading top",
        "page Page.javascriptDialogClosed top False ",
        "page Page.javascriptDialogOpening top alert 2",
        "page reply to Page.navigate",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
        "page refusal of Runtime.evaluate: Inspected target navigated or closed",
    ]
    assert "page Page.frameNavigated top Navigation" in handle(client, page, ACCEPT)


def test_closing_the_tab_leaves_the_call_unanswered(browser: MockBrowser, client: Client, page: str) -> None:
    evaluate(client, page, "alert(1)")

    assert client.lines("Target.closeTarget", {"targetId": browser.pages[0].id}) == [
        "page Page.javascriptDialogClosed top False ",
        "page Inspector.detached Render process gone.",
        "- Target.detachedFromTarget",
        "- reply to Target.closeTarget",
    ]


def test_a_script_of_the_page_may_ask_while_it_loads(client: Client, page: str) -> None:
    """Inline, and at load."""
    inline = client.lines("Page.navigate", {"url": f"{LOCAL}/alerts"}, page)
    assert inline[-2:] == [
        "page Runtime.executionContextCreated",
        "page Page.javascriptDialogOpening top alert inline",
    ]
    assert handle(client, page, ACCEPT)[1:] == [
        "page reply to Page.handleJavaScriptDialog",
        "page Page.domContentEventFired",
        "page Page.loadEventFired",
        "page Page.frameStoppedLoading top",
    ]

    late = client.lines("Page.navigate", {"url": f"{LOCAL}/alerts-late"}, page)
    assert late[-2:] == [
        "page Page.domContentEventFired",
        "page Page.javascriptDialogOpening top alert loaded",
    ]


def test_a_long_message_is_cut_and_then_its_lines_normalised(browser: MockBrowser, client: Client, page: str) -> None:
    client.frames[browser.pages[0].id] = "top"
    browser.run(browser.pages[0].id, f"alert('a\\r\\nb\\ud800{'x' * 20_000}')")

    message = client.take()[0]["params"]["message"]

    assert (message[:4], len(message)) == ("a\nb\ufffd", 10_239)
