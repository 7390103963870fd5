"""Commands by the kind of target that supports them, and those that a blocked renderer leaves unanswered.

Read from Chromium 156 by sending every command of the schema to the browser, to a page and to an OOPIF, and again with
their renderers crashed.
"""

from __future__ import annotations

from typing import Final

from cdp_typed.mock.state.browser_state import CDPSession, Target
from cdp_typed.mock.state.error_texts import Refusal, Text, not_found
from cdp_typed.mock.state.step import Step

_BROWSER_DOMAINS: Final = frozenset(
    {
        "BluetoothEmulation",
        "Browser",
        "Extensions",
        "Fetch",
        "Security",
        "Storage",
        "SystemInfo",
        "Target",
        "Tethering",
        "Tracing",
    }
)
_BROWSER_COMMANDS: Final = frozenset(
    {
        "Emulation.addScreen",
        "Emulation.getScreenInfos",
        "Emulation.removeScreen",
        "Emulation.setAutomationOverride",
        "Emulation.setPrimaryScreen",
        "Emulation.updateScreen",
        "IO.close",
        "IO.read",
        "Memory.getBrowserSamplingProfile",
        "Memory.getDOMCountersForLeakDetection",
        "Memory.prepareForLeakDetection",
        "Memory.setPressureNotificationsSuppressed",
        "Memory.simulatePressureNotification",
        "Runtime.runIfWaitingForDebugger",
    }
)
_STORAGE_OF_RENDERERS: Final = frozenset(
    {
        "Storage.clearPrivateVerificationTokens",
        "Storage.deletePrivateVerificationToken",
        "Storage.getPrivateVerificationTokens",
        "Storage.getPrivateVerificationTokensIssuerConfigs",
        "Storage.runBounceTrackingMitigations",
        "Storage.setPrivateVerificationTokensTracking",
    }
)
_PAGES_ONLY: Final = frozenset({"Cast", "FindInPage"})
_TOP_LEVEL_ONLY: Final = frozenset(
    {
        "Emulation.clearDeviceMetricsOverride",
        "Page.bringToFront",
        "Page.captureSnapshot",
        "Page.clearDeviceMetricsOverride",
        "Page.close",
        "Page.getAnnotatedPageContent",
        "Page.getAppManifest",
        "Page.getNavigationHistory",
        "Page.handleJavaScriptDialog",
        "Page.reload",
        "Page.resetNavigationHistory",
        "Page.setDownloadBehavior",
        "Page.setWebLifecycleState",
        "Page.startScreenRecording",
        "Page.startScreencast",
        "Page.stopLoading",
        "Security.enable",
    }
)
_BROWSER_ONLY: Final = {
    "SystemInfo.getInfo": Refusal(-32000, "SystemInfo.getInfo is only supported on the browser target"),
    "SystemInfo.getProcessInfo": Refusal(-32000, "SystemInfo.getProcessInfo is only supported on the browser target"),
    "Target.attachToBrowserTarget": Text.NOT_ALLOWED.value,
    "Target.createBrowserContext": Text.NOT_ALLOWED.value,
    "Target.disposeBrowserContext": Text.NOT_ALLOWED.value,
    "Target.getBrowserContexts": Text.NOT_ALLOWED.value,
}
_NOT_ENABLED: Final = {
    "CSS": Text.CSS_DISABLED,
    "Debugger": Text.DEBUGGER_DISABLED,
    "Fetch": Text.FETCH_DISABLED,
    "Profiler": Text.PROFILER_DISABLED,
}
_NEEDS_ENABLING: Final = frozenset(
    {
        "CSS.getComputedStyleForNode",
        "Debugger.pause",
        "Fetch.continueRequest",
        "Fetch.continueResponse",
        "Fetch.continueWithAuth",
        "Fetch.failRequest",
        "Fetch.fulfillRequest",
        "Fetch.getResponseBody",
        "Fetch.takeResponseBodyAsStream",
        "Profiler.start",
    }
)
ALWAYS_ENABLED: Final = frozenset({"Inspector.detached", "Inspector.targetCrashed"})
"""Events that a session gets without having enabled their domain."""

_ANSWERED_BY_BROWSER: Final = frozenset(
    {"Browser", "Extensions", "Fetch", "Input", "Inspector", "IO", "Schema", "Security", "ServiceWorker", "SystemInfo"}
    | {"Storage", "Target", "WebAuthn"}
)
_ANSWERED_BY_BROWSER_TOO: Final = frozenset(
    {
        "Network.clearBrowserCache",
        "Network.clearBrowserCookies",
        "Network.deleteCookies",
        "Network.getAllCookies",
        "Network.getCookies",
        "Network.loadNetworkResource",
        "Network.setCookie",
        "Network.setCookies",
        "Page.bringToFront",
        "Page.close",
        "Page.getNavigationHistory",
        "Page.handleJavaScriptDialog",
        "Page.navigate",
        "Page.navigateToHistoryEntry",
        "Page.reload",
        "Page.resetNavigationHistory",
        "Page.setWebLifecycleState",
        "Page.stopLoading",
    }
)


_WORKER_DOMAINS: Final = frozenset(
    {"Audits", "Console", "Debugger", "EventBreakpoints", "Extensions", "HeapProfiler", "IO", "IndexedDB", "Log"}
    | {"Media", "Network", "Profiler", "Runtime", "Schema", "Storage", "Target"}
)
_NOT_OF_DEDICATED_WORKERS: Final = frozenset({"Fetch", "Inspector"})
_EMULATION_OF_WORKERS: Final = frozenset(
    f"Emulation.{name}"
    for name in (
        "addScreen",
        "getScreenInfos",
        "removeScreen",
        "setAutomationOverride",
        "setCPUPerformanceOverride",
        "setCPUThrottlingRate",
        "setDataSaverOverride",
        "setDeviceMetricsOverride",
        "setDisabledImageTypes",
        "setDocumentCookieDisabled",
        "setEmulatedVisionDeficiency",
        "setFocusEmulationEnabled",
        "setHardwareConcurrencyOverride",
        "setLocaleOverride",
        "setNavigatorOverrides",
        "setPageScaleFactor",
        "setPrimaryScreen",
        "setSafeAreaInsetsOverride",
        "setScriptExecutionDisabled",
        "setScrollbarsHidden",
        "setSmallViewportHeightDifferenceOverride",
        "setTimezoneOverride",
        "setTouchEmulationEnabled",
        "setUserAgentOverride",
        "setVirtualTimePolicy",
        "updateScreen",
    )
)
_PAGES_NOT_WORKERS: Final = frozenset(
    f"Emulation.{name}"
    for name in (
        "clearDeviceMetricsOverride",
        "resetPageScaleFactor",
        "setAutoDarkModeOverride",
        "setDefaultBackgroundColorOverride",
        "setEmulatedMedia",
        "setEmulatedOSTextScale",
        "setVirtualKeyboardGeometryOverride",
    )
)


def _worker_support_error(kind: str, method: str) -> Refusal | Text | None:
    domain = method.partition(".")[0]
    if method in _PAGES_NOT_WORKERS:
        return Text.PAGES_NOT_WORKERS
    if method == "Target.getTargets":
        return Text.NOT_ALLOWED
    own = kind != "worker" and domain in _NOT_OF_DEDICATED_WORKERS
    known = domain in _WORKER_DOMAINS or own or method in _EMULATION_OF_WORKERS
    return None if known and method not in _STORAGE_OF_RENDERERS else not_found(method)


def support_error(session: CDPSession, target: Target | None, method: str) -> Refusal | Text | None:
    """Return the error for a command that this target does not support, or None."""
    domain = method.partition(".")[0]
    if target is None:
        known = domain in _BROWSER_DOMAINS or method in _BROWSER_COMMANDS
        return None if known and method not in _STORAGE_OF_RENDERERS else not_found(method)
    if target.type == "tab":
        return None if domain == "Target" or method == "Runtime.runIfWaitingForDebugger" else not_found(method)
    if target.type in ("worker", "shared_worker", "service_worker"):
        no = _worker_support_error(target.type, method)
        if no is not None:
            return no
    if domain == "BluetoothEmulation" or (domain in _PAGES_ONLY and target.type == "iframe"):
        return not_found(method)
    if method in _TOP_LEVEL_ONLY and target.type == "iframe":
        return Text.TOP_LEVEL_ONLY
    if method in _BROWSER_ONLY:
        return _BROWSER_ONLY[method]
    if method == "CSS.enable" and "DOM" not in session.enabled:
        return Text.CSS_NEEDS_DOM
    if method in _NEEDS_ENABLING and domain not in session.enabled:
        return _NOT_ENABLED[domain]
    return None


def needs_renderer(step: Step, session: CDPSession, method: str) -> str | None:
    """Return the key of the renderer that has to answer the command; None if the browser answers it."""
    domain = method.partition(".")[0]
    if session.target is None or method == "Page.crash":
        return None
    # A frame's workers attach through its renderer, for which the call has to wait.
    waits = method in _STORAGE_OF_RENDERERS or method == "Target.setAutoAttach"
    if not waits and (domain in _ANSWERED_BY_BROWSER or method in _ANSWERED_BY_BROWSER_TOO):
        return None
    frame = step.state.frames.get(session.target)
    return step.process_key(frame) if frame is not None else None
