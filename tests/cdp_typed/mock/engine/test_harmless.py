"""What the mock accepts without an effect: Chromium takes it, too, and refuses the same values of parameters."""

from __future__ import annotations

from typing import Any

from cdp_typed import CommandError, connect
from cdp_typed.client.session import Session
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import MockServer, sample, sample_params
from cdp_typed.mock.engine.harmless import HARMLESS, WITHOUT_EFFECT_ONLY
from cdp_typed.protocol import service_worker

ON_PAGES = sorted(HARMLESS - {"BluetoothEmulation.disable"})
ENABLED = ("Page", "Runtime", "DOM", "DOMSnapshot", "Debugger")
METRICS = {"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": False}
UNSOUND: list[tuple[str, dict[str, Any]]] = [
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "width": -1}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "height": 10_000_001}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "deviceScaleFactor": -1}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "scale": -1}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "scale": 10.5}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "screenWidth": -1}),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "positionX": -1}),
    (
        "Emulation.setDeviceMetricsOverride",
        {**METRICS, "screenWidth": 10, "screenHeight": 10, "positionX": 11, "positionY": 0},
    ),
    ("Emulation.setDeviceMetricsOverride", {**METRICS, "screenOrientation": {"type": "portraitPrimary", "angle": 360}}),
    ("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 0}),
    ("Emulation.setTouchEmulationEnabled", {"enabled": False, "maxTouchPoints": 17}),
    ("Emulation.setVisibleSize", {"width": -1, "height": 0}),
    ("Network.setExtraHTTPHeaders", {"headers": {"a": 1}}),
    ("Runtime.setMaxCallStackSizeToCapture", {"size": -1}),
]
NOT_ENABLED = [
    "DOM.disable",
    "DOMSnapshot.disable",
    "Debugger.setAsyncCallStackDepth",
    "Debugger.setPauseOnExceptions",
    "Overlay.enable",
    "Page.setAdBlockingEnabled",
    "Runtime.setAsyncCallStackDepth",
    "Runtime.setMaxCallStackSizeToCapture",
]


def parameters(method: str) -> dict[str, Any]:
    """Return parameters with which a harmless command is harmless."""
    neutral = {name: values[0] for name, values in WITHOUT_EFFECT_ONLY.get(method, {}).items()}
    return {**sample_params(method), **neutral}


async def answer(tab: Session, method: str, params: dict[str, Any]) -> dict[str, Any] | tuple[int, str]:
    """Return the result, or code and text of the error."""
    try:
        return await tab.send_raw(method, params)
    except CommandError as error:
        return error.code, error.message


async def observe(url: str) -> list[object]:
    """Send everything, each domain enabled or none, and return the answers."""
    answers: list[object] = []
    async with connect(url) as browser:
        async with browser.new_page() as tab:
            answers += [(method, await answer(tab, method, parameters(method))) for method in NOT_ENABLED]
        async with browser.new_page() as tab:
            for domain in ENABLED:
                await tab.send_raw(f"{domain}.enable")
            # Switches of domains come last: others need them.
            for method in sorted(ON_PAGES, key=lambda name: name.endswith(".disable")):
                answers.append((method, await answer(tab, method, parameters(method))))
        async with browser.new_page() as tab:
            await tab.send_raw("Runtime.enable")
            answers += [(method, params, await answer(tab, method, params)) for method, params in UNSOUND]
    return answers


async def test_chromium_answers_the_same(chromium: LaunchedBrowser) -> None:
    async with MockServer() as mock:
        answers = await observe(mock.url)

    assert answers == await observe(chromium.ws_url)
    assert [method for method in ON_PAGES if (method, {}) not in answers] == []


async def test_without_its_effect_an_event_of_the_test_is_still_heard() -> None:
    """An `enable` that a test answers itself lets in what the test emits."""
    async with MockServer() as mock, connect(mock.url) as browser, browser.new_page() as tab:
        mock.browser.on("ServiceWorker.enable", None)
        await tab.send_raw("ServiceWorker.enable")
        async with tab.expect(service_worker.WorkerErrorReported, timeout=5) as told:
            mock.browser.emit(sample(service_worker.WorkerErrorReported))

    assert told.value == sample(service_worker.WorkerErrorReported)
