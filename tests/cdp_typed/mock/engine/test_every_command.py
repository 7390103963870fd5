"""The mock accepts every command of the schema and answers it, or refuses it like Chrome, and emits every event."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cdp_typed._base import Command, Event
from cdp_typed.mock import MockBrowser, NotEnabled, sample_event, sample_params, sample_result
from cdp_typed.mock.engine.command_support import ALWAYS_ENABLED
from cdp_typed.mock.engine.handle import MODELLED
from cdp_typed.mock.engine.harmless import HARMLESS, WITHOUT_EFFECT_ONLY
from cdp_typed.mock.validate import check_result
from cdp_typed.protocol.registry import DOMAINS, event_class
from cdp_typed.schema import load_schema
from tests.cdp_typed.mock.raw_client import Client
from tests.support.every import every

# What the model answers by what it knows, and a sample names nothing that it knows; with Chrome's answer to that.
REFUSED_ON_A_PAGE = {
    "Browser.cancelDownload": "No download item found for the given GUID",
    "DOM.describeNode": "cdp_typed.mock does not model DOM.describeNode with these parameters; say what it answers: "
    'mock.browser.on(dom.DescribeNode, {"node": ...})',
    "DOM.getFrameOwner": "Frame with the given id was not found.",
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
ENDS_THE_PAGE = {"Browser.close", "Browser.crash", "Page.crash"}
OTHER_VALUES: dict[str, dict[str, Any]] = {
    "Debugger.setBlackboxExecutionContexts": {"uniqueIds": ["1"]},
    "Debugger.setBlackboxPatterns": {"patterns": ["a"]},
    "Debugger.setBreakpointsActive": {"active": False},
    "Debugger.setPauseOnExceptions": {"state": "all"},
    "Emulation.setCPUThrottlingRate": {"rate": 4},
    "Emulation.setDocumentCookieDisabled": {"disabled": True},
    "Emulation.setLocaleOverride": {"locale": "de_DE"},
    "Emulation.setScriptExecutionDisabled": {"value": True},
    "Emulation.setTimezoneOverride": {"timezoneId": "Nowhere/City"},
    "Input.setIgnoreInputEvents": {"ignore": True},
    "Input.setInterceptDrags": {"enabled": True},
    "Network.emulateNetworkConditions": {"offline": True},
    "Network.setBlockedURLs": {"urls": ["*"]},
    "Network.setExtraHTTPHeaders": {"headers": {"X-A": "1"}},
    "Page.setAdBlockingEnabled": {"enabled": True},
    "Page.setWebLifecycleState": {"state": "frozen"},
}
PROTOCOL_MODULES = {name: import_module(f"cdp_typed.protocol.{name}") for name in DOMAINS.values()}
SWITCHES = sorted(name for name in load_schema().commands if name.endswith(".enable"))
COMMANDS = sorted(load_schema().commands)
EVENTS = sorted(load_schema().events)


REFUSED = [name for name in COMMANDS if name not in MODELLED | HARMLESS]


def fresh(*, samples: bool = False) -> tuple[MockBrowser, Client, str]:
    """Return a browser, its client, and the client's session of the open tab."""
    browser = MockBrowser(samples=samples)
    client = Client(browser)
    return browser, client, client.attach(browser.pages[0].id)


def on_page(method: str) -> bool:
    """Return whether pages support the method; Bluetooth is emulated for the whole browser only."""
    return not method.startswith("BluetoothEmulation.")


def everywhere_enabled(*, samples: bool = False) -> tuple[MockBrowser, Client, str]:
    browser, client, page = fresh(samples=samples)
    client.enable(page, "Page", "Runtime", "DOM", "DOMSnapshot", "CSS", "Debugger", "Fetch", "Profiler")
    return browser, client, page


@every("method", [name for name in COMMANDS if on_page(name) and name not in {*REFUSED_ON_A_PAGE, *ENDS_THE_PAGE}])
def test_with_samples_a_command_is_answered_with_a_conforming_result(method: str) -> None:
    _, client, page = everywhere_enabled(samples=True)

    result = client.result(method, sample_params(method), page)

    check_result(method, result)


@every("method", sorted(MODELLED - {*REFUSED_ON_A_PAGE, *ENDS_THE_PAGE}))
def test_what_is_modelled_is_answered_with_a_conforming_result(method: str) -> None:
    _, client, page = everywhere_enabled()

    check_result(method, client.result(method, sample_params(method), page))


@every("method", sorted(HARMLESS))
def test_what_is_harmless_has_an_empty_result(method: str) -> None:
    _, client, page = everywhere_enabled()
    neutral = {name: values[0] for name, values in WITHOUT_EFFECT_ONLY.get(method, {}).items()}

    assert client.result(method, {**sample_params(method), **neutral}, page if on_page(method) else None) == {}
    assert not load_schema().commands[method].returns


@every("method", sorted(WITHOUT_EFFECT_ONLY))
def test_what_is_harmless_with_some_values_only_is_refused_with_others(method: str) -> None:
    _, client, page = everywhere_enabled()

    refused = client.error(method, {**sample_params(method), **OTHER_VALUES[method]}, page)

    assert refused["message"].startswith(f"cdp_typed.mock does not model {method} with these parameters; say what it")


@every("method", [name for name in REFUSED if name not in REFUSED_ON_A_PAGE])
def test_what_is_not_modelled_is_refused_with_the_line_that_answers_it(method: str) -> None:
    browser, client, page = everywhere_enabled()
    at = page if on_page(method) else None

    refused = client.error(method, sample_params(method), at)

    start, _, line = refused["message"].partition("; say what it answers: ")
    assert start == f"cdp_typed.mock does not model {method}"
    result = sample_result(method)
    follow(line, browser, result)
    assert client.result(method, sample_params(method), at) == result


def follow(line: str, browser: MockBrowser, result: dict[str, Any]) -> None:
    """Write the line that an error advises, with the values of a result where it leaves them out."""

    def on(command: type[Command[Any]], reply: dict[str, Any] | None) -> None:
        assert set(reply or {}) == set(result)
        browser.on(command, reply and {name: result[name] for name in reply})

    exec(line, {"mock": SimpleNamespace(browser=SimpleNamespace(on=on)), **PROTOCOL_MODULES})


def test_a_command_of_the_browser_is_refused_as_unknown_on_a_page(client: Client, page: str) -> None:
    method = "BluetoothEmulation.enable"
    refused = client.error(method, sample_params(method), page)

    assert refused == {"code": -32601, "message": f"'{method}' wasn't found"}


@pytest.mark.parametrize(("method", "message"), REFUSED_ON_A_PAGE.items())
def test_a_command_that_names_nothing_there_is_refused(method: str, message: str, client: Client, page: str) -> None:
    for domain in ("DOM", "Fetch"):
        client.enable(page, domain)

    assert client.error(method, sample_params(method), page)["message"] == message


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
        if switch in REFUSED:
            browser.on(switch, None)
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
