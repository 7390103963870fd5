"""The mock accepts every command of the schema and answers it, or refuses it like Chrome, and emits every event."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cdp_typed._base import Event
from cdp_typed.mock import MockBrowser, NonConforming, NotEnabled, sample_event, sample_params
from cdp_typed.mock.engine.command_support import ALWAYS_ENABLED
from cdp_typed.mock.validate import check_result
from cdp_typed.protocol import page as page_domain
from cdp_typed.protocol import target
from cdp_typed.protocol.registry import event_class
from cdp_typed.schema import load_schema
from tests.cdp_typed.mock.raw_client import Client
from tests.support.every import every

# What the model answers by what it knows, and a sample names nothing that it knows; with Chrome's answer to that.
REFUSED_ON_A_PAGE = {
    "Browser.cancelDownload": "No download item found for the given GUID",
    "DOM.setFileInputFiles": "Either nodeId, backendNodeId or objectId must be specified",
    "Debugger.evaluateOnCallFrame": "Can only perform operation while paused.",
    "Debugger.resume": "Can only perform operation while paused.",
    "Fetch.continueRequest": "Invalid InterceptionId.",
    "Fetch.continueResponse": "Invalid InterceptionId.",
    "Fetch.continueWithAuth": "Invalid InterceptionId.",
    "Fetch.failRequest": "Invalid InterceptionId.",
    "Fetch.fulfillRequest": "Invalid InterceptionId.",
    "Fetch.getResponseBody": "Invalid InterceptionId.",
    "Network.deleteCookies": "At least one of the url and domain needs to be specified",
    "Network.getResponseBody": "No resource with given identifier found",
    "Network.setCookie": "At least one of the url or domain needs to be specified",
    "Page.createIsolatedWorld": "No frame for given id found",
    "Page.handleJavaScriptDialog": "No dialog is showing",
    "Page.navigate": "Cannot navigate to invalid URL",
    "Page.navigateToHistoryEntry": "No entry with passed id",
    "Page.removeScriptToEvaluateOnNewDocument": "Script not found",
    "Runtime.callFunctionOn": "Either objectId or executionContextId or uniqueContextId must be specified",
    "Runtime.releaseObject": "Invalid remote object id",
    "SystemInfo.getInfo": "SystemInfo.getInfo is only supported on the browser target",
    "SystemInfo.getProcessInfo": "SystemInfo.getProcessInfo is only supported on the browser target",
    "Target.activateTarget": "No target with given id found",
    "Target.attachToBrowserTarget": "Not allowed",
    "Target.attachToTarget": "No target with given id found",
    "Target.closeTarget": "No target with given id found",
    "Target.createBrowserContext": "Not allowed",
    "Target.detachFromTarget": "Session id must be specified",
    "Target.disposeBrowserContext": "Not allowed",
    "Target.getBrowserContexts": "Not allowed",
    "Target.setAutoAttach": "cdp_typed.mock models flat sessions only: pass flatten=true",
}
ENDS_THE_PAGE = {"Browser.close", "Page.crash"}
SWITCHES = sorted(name for name in load_schema().commands if name.endswith(".enable"))
COMMANDS = sorted(load_schema().commands)
EVENTS = sorted(load_schema().events)


def fresh() -> tuple[MockBrowser, Client, str]:
    """Return a browser, its client, and the client's session of the open tab."""
    browser = MockBrowser()
    client = Client(browser)
    return browser, client, client.attach(browser.pages[0].id)


def on_page(method: str) -> bool:
    """Return whether pages support the method; Bluetooth is emulated for the whole browser only."""
    return not method.startswith("BluetoothEmulation.")


@every("method", [name for name in COMMANDS if on_page(name) and name not in {*REFUSED_ON_A_PAGE, *ENDS_THE_PAGE}])
def test_a_command_is_answered_with_a_conforming_result(method: str) -> None:
    _, client, page = fresh()
    client.enable(page, "Page", "Runtime", "DOM", "CSS", "Debugger", "Fetch", "Profiler")

    result = client.result(method, sample_params(method), page)

    check_result(method, result)


@pytest.mark.parametrize("method", [name for name in COMMANDS if not on_page(name)])
def test_a_command_of_the_browser_is_answered_there(method: str, client: Client, page: str) -> None:
    check_result(method, client.result(method, sample_params(method)))

    refused = client.error(method, sample_params(method), page)

    assert refused == {"code": -32601, "message": f"'{method}' wasn't found"}


@pytest.mark.parametrize(("method", "message"), REFUSED_ON_A_PAGE.items())
def test_a_command_that_names_nothing_there_is_refused(method: str, message: str, client: Client, page: str) -> None:
    for domain in ("DOM", "Fetch"):
        client.enable(page, domain)

    assert client.error(method, sample_params(method), page)["message"] == message


@pytest.mark.parametrize("method", ["Foo.bar", "Page.nothing", "Nodot", ""])
def test_an_unknown_method_is_refused(method: str, client: Client, page: str) -> None:
    assert client.error(method, {}, page) == {"code": -32601, "message": f"'{method}' wasn't found"}


@pytest.mark.parametrize("method", ["Page.enable", "Runtime.evaluate", "DOM.getDocument", "Network.enable"])
def test_a_command_of_pages_is_unknown_to_the_browser(method: str, client: Client) -> None:
    assert client.error(method) == {"code": -32601, "message": f"'{method}' wasn't found"}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("CSS.enable", "DOM agent needs to be enabled first."),
        ("CSS.getComputedStyleForNode", "CSS agent was not enabled"),
        ("Debugger.pause", "Debugger agent is not enabled"),
        ("Fetch.failRequest", "Fetch domain is not enabled"),
        ("Profiler.start", "Profiler is not enabled"),
    ],
)
def test_a_domain_that_is_not_enabled_refuses(method: str, message: str, client: Client, page: str) -> None:
    assert client.error(method, sample_params(method), page) == {"code": -32000, "message": message}


@pytest.mark.parametrize("method", ["Page.reload", "Page.bringToFront", "Page.getNavigationHistory"])
def test_a_command_of_top_level_targets_is_refused_by_an_iframe(method: str, client: Client, oopif: str) -> None:
    message = "Command can only be executed on top-level targets"

    assert client.error(method, {}, oopif) == {"code": -32000, "message": message}


def sample(method: str) -> Event:
    """Return the smallest event of that name, as its generated class decodes it."""
    return msgspec.convert(sample_event(method), event_class(method))


@every("method", EVENTS)
def test_an_event_reaches_a_session_that_enabled_its_domain(method: str) -> None:
    browser, client, page = fresh()
    domain = method.partition(".")[0]
    switch = f"{domain}.enable"
    at = page if on_page(method) else None
    if switch in SWITCHES:
        client.enable(page, "DOM")  # CSS asks for it
        client.send(switch, sample_params(switch), at)
    client.take()

    browser.emit(sample(method))

    got = [message for message in client.take() if message.get("sessionId") == at]
    expected: dict[str, Any] = {"method": method, "params": sample_event(method)}
    assert got == [{**expected, "sessionId": at} if at else expected]


@every(
    "method",
    [name for name in EVENTS if f"{name.partition('.')[0]}.enable" in SWITCHES and name not in ALWAYS_ENABLED],
)
def test_an_event_of_a_domain_that_nobody_enabled_raises(method: str) -> None:
    browser, _, _ = fresh()

    with pytest.raises(NotEnabled) as caught:
        browser.emit(sample(method))

    assert (caught.value.method, caught.value.domain) == (method, method.partition(".")[0])


def test_an_event_that_does_not_conform_raises_before_it_reaches_the_wire(
    browser: MockBrowser, client: Client, page: str
) -> None:
    with pytest.raises(NonConforming, match=r"Page\.javascriptDialogClosed: params\.result: bool value expected"):
        browser.emit(page_domain.JavascriptDialogClosed(frame_id=page_domain.FrameId("F"), result=1, user_input=""))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the mistake under test

    assert client.take() == []


def test_an_event_is_emitted_as_its_class_says(browser: MockBrowser, client: Client, page: str) -> None:
    browser.emit(target.TargetDestroyed(target_id=target.TargetID("T")), session=page)

    assert client.take() == [{"method": "Target.targetDestroyed", "params": {"targetId": "T"}, "sessionId": page}]
