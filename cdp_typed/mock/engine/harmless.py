"""The commands that the mock accepts without an effect, each with the reason why no test can pass wrongly by that.

A command that is neither handled nor listed here is refused, so that no answer is made up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from cdp_typed.mock.state.error_texts import Refusal, Text


def _of(domain: str, names: str) -> tuple[str, ...]:
    return tuple(f"{domain}.{name}" for name in names.split())


def _switches(name: str, domains: str) -> tuple[str, ...]:
    return tuple(f"{domain}.{name}" for domain in domains.split())


_MEASURES: Final = (
    "It changes how a page is drawn and measured: the mock draws nothing, and a script measures what is emulated or is "
    "refused. `Page.frameResized` tells that the size has changed."
)
HARMLESS_REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "The session hears the events of the domain that a test emits (`browser.emit`); the mock sends none by itself.": (
        *_switches("enable", "Accessibility Animation Audits Autofill CSS DOM DOMSnapshot DOMStorage"),
        *_switches("enable", "FedCm HeapProfiler IndexedDB Media Overlay Performance PerformanceTimeline"),
        *_switches("enable", "Profiler WebAudio WebMCP"),
    ),
    "The session hears the events of the domain no longer; there is nothing else to switch off.": (
        *_switches(
            "disable", "Accessibility Animation Audits Autofill BluetoothEmulation Cast Console CSS DeviceAccess"
        ),
        *_switches("disable", "DOM DOMSnapshot DOMStorage EventBreakpoints FedCm HeapProfiler"),
        *_switches("disable", "IndexedDB LayerTree Media Overlay Performance Preload Profiler Security ServiceWorker"),
        *_switches("disable", "WebAudio WebAuthn WebMCP"),
        "Page.stopScreencast",
    ),
    _MEASURES: (
        *_of("Emulation", "clearDeviceMetricsOverride resetPageScaleFactor setAutoDarkModeOverride"),
        *_of("Emulation", "setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmulatedMedia"),
        *_of("Emulation", "setEmulatedOSTextScale setEmulatedVisionDeficiency setPageScaleFactor"),
        *_of("Emulation", "setSafeAreaInsetsOverride setScrollbarsHidden setTouchEmulationEnabled setVisibleSize"),
        *_of("Page", "clearDeviceMetricsOverride setDeviceMetricsOverride setFontFamilies setFontSizes"),
        "Page.setTouchEmulationEnabled",
    ),
    "It draws on top of a page for a developer; the mock draws nothing.": (
        "DOM.hideHighlight",
        *_of("Overlay", "hideHighlight setPausedInDebuggerMessage setShowAdHighlights"),
        *_of("Overlay", "setShowDebugBorders setShowFPSCounter setShowHinge setShowHitTestBorders"),
        *_of("Overlay", "setShowLayoutShiftRegions setShowPaintRects setShowScrollBottleneckRects"),
        *_of("Overlay", "setShowViewportSizeOnResize setShowWebVitals"),
    ),
    "Every page of the mock behaves as the one that the user looks at.": (
        "Emulation.setFocusEmulationEnabled",
        "Page.bringToFront",
    ),
    "The mock has no cache, and its service workers answer no requests.": (
        *_of("Network", "clearBrowserCache setBypassServiceWorker"),
        "Page.clearCompilationCache",
    ),
    "No address of the mock has a certificate that could be wrong.": ("Security.setIgnoreCertificateErrors",),
    "Only memory, profiles and stacks depend on it, and the mock keeps none of them.": (
        "Debugger.setAsyncCallStackDepth",
        *_of("Runtime", "setAsyncCallStackDepth setMaxCallStackSizeToCapture"),
        *_of("HeapProfiler", "collectGarbage"),
        *_of("Memory", "forciblyPurgeJavaScriptMemory setPressureNotificationsSuppressed simulatePressureNotification"),
        *_of("Profiler", "setSamplingInterval"),
    ),
    "With these parameters it changes nothing; with others the mock refuses it.": (
        *_of("Debugger", "setBlackboxExecutionContexts setBlackboxPatterns setBreakpointsActive setPauseOnExceptions"),
        *_of("Emulation", "setCPUThrottlingRate setDocumentCookieDisabled setLocaleOverride"),
        *_of("Emulation", "setScriptExecutionDisabled setTimezoneOverride"),
        *_of("Input", "setIgnoreInputEvents setInterceptDrags"),
        *_of("Network", "emulateNetworkConditions setBlockedURLs setExtraHTTPHeaders"),
        *_of("Page", "setAdBlockingEnabled setWebLifecycleState"),
    ),
}
"""The harmless commands by the reason why they are harmless."""

HARMLESS: Final = frozenset(method for methods in HARMLESS_REASONS.values() for method in methods)

MEASURED: Final = frozenset(HARMLESS_REASONS[_MEASURES])
"""The harmless commands that change what a script measures."""

_LARGEST: Final = 10_000_000
_MAX_SCALE: Final = 10
_TURN: Final = 360
_MAX_TOUCH_POINTS: Final = 16

WITHOUT_EFFECT_ONLY: Final[Mapping[str, Mapping[str, tuple[Any, ...]]]] = {
    "Debugger.setBlackboxExecutionContexts": {"uniqueIds": ([],)},
    "Debugger.setBlackboxPatterns": {"patterns": ([],)},
    "Debugger.setBreakpointsActive": {"active": (True,)},
    "Debugger.setPauseOnExceptions": {"state": ("none",)},
    "Emulation.setCPUThrottlingRate": {"rate": (1,)},
    "Emulation.setDocumentCookieDisabled": {"disabled": (False,)},
    "Emulation.setLocaleOverride": {"locale": ("",)},
    "Emulation.setScriptExecutionDisabled": {"value": (False,)},
    "Emulation.setTimezoneOverride": {"timezoneId": ("",)},
    "Input.setIgnoreInputEvents": {"ignore": (False,)},
    "Input.setInterceptDrags": {"enabled": (False,)},
    "Network.emulateNetworkConditions": {
        "offline": (False,),
        "latency": (0,),
        "downloadThroughput": (-1,),
        "uploadThroughput": (-1,),
    },
    "Network.setBlockedURLs": {"urls": ([],), "urlPatterns": ([],)},
    "Network.setExtraHTTPHeaders": {"headers": ({},)},
    "Page.setAdBlockingEnabled": {"enabled": (False,)},
    "Page.setWebLifecycleState": {"state": ("active",)},
}
"""The commands that change nothing with these values of their parameters, and only with these."""


def has_effect(method: str, params: Mapping[str, Any]) -> bool:
    """Return whether a harmless command would change something that the mock does not model."""
    values = WITHOUT_EFFECT_ONLY.get(method, {})
    return any(name in params and params[name] not in allowed for name, allowed in values.items())


def harmless_error(method: str, params: Mapping[str, Any], enabled: Iterable[str]) -> Refusal | Text | None:
    """Return Chrome's error for the values of a harmless command, or None."""
    domain = method.partition(".")[0]
    if method in _WHILE_ENABLED and _WHILE_ENABLED[method][0] not in enabled:
        return _WHILE_ENABLED[method][1]
    check = _CHECKS.get(method)
    problem = None if check is None else check(params)
    return None if problem is None else Refusal(-32000 if domain == "Runtime" else -32602, problem)


_WHILE_ENABLED: Final[Mapping[str, tuple[str, Refusal | Text]]] = {
    "DOM.disable": ("DOM", Refusal(-32000, "DOM agent hasn't been enabled")),
    "DOMSnapshot.disable": ("DOMSnapshot", Refusal(-32000, "DOM snapshot agent hasn't been enabled.")),
    "Debugger.setAsyncCallStackDepth": ("Debugger", Text.DEBUGGER_DISABLED),
    "Debugger.setPauseOnExceptions": ("Debugger", Text.DEBUGGER_DISABLED),
    "Overlay.enable": ("DOM", Refusal(-32000, "DOM should be enabled first")),
    "Page.setAdBlockingEnabled": ("Page", Refusal(-32000, "Page domain is disabled.")),
    "Runtime.setAsyncCallStackDepth": ("Runtime", Text.DEBUGGER_DISABLED),
    "Runtime.setMaxCallStackSizeToCapture": ("Runtime", Refusal(-32000, "Runtime agent is not enabled")),
}


def _device_metrics(params: Mapping[str, Any]) -> str | None:
    size = [params["width"], params["height"]]
    screen = [params.get("screenWidth", 0), params.get("screenHeight", 0)]
    position = [params.get("positionX", 0), params.get("positionY", 0)]
    rules = (
        (
            all(0 <= length <= _LARGEST for length in size),
            f"Width and height values must be positive, not greater than {_LARGEST}",
        ),
        (
            all(0 <= length <= _LARGEST for length in screen),
            f"Screen width and height values must be positive, not greater than {_LARGEST}",
        ),
        (
            all(0 <= at <= end for at, end in zip(position, screen, strict=True)),
            "View position should be on the screen",
        ),
        (params["deviceScaleFactor"] >= 0, "deviceScaleFactor must be non-negative"),
        (0 < params.get("scale", 1) <= _MAX_SCALE, f"scale must be positive, not greater than {_MAX_SCALE}"),
        (
            0 <= params.get("screenOrientation", {}).get("angle", 0) < _TURN,
            "Screen orientation angle must be non-negative, less than 360",
        ),
    )
    return next((text for holds, text in rules if not holds), None)


def _touch(params: Mapping[str, Any]) -> str | None:
    possible = 1 <= params.get("maxTouchPoints", 1) <= _MAX_TOUCH_POINTS
    return None if possible else f"Touch points must be between 1 and {_MAX_TOUCH_POINTS}"


def _visible_size(params: Mapping[str, Any]) -> str | None:
    return None if min(params["width"], params["height"]) >= 0 else "Width and height must be non-negative"


def _stack_size(params: Mapping[str, Any]) -> str | None:
    return None if params["size"] >= 0 else "maxCallStackSizeToCapture should be non-negative"


def _headers(params: Mapping[str, Any]) -> str | None:
    texts = all(isinstance(value, str) for value in params["headers"].values())
    return None if texts else "Invalid header value, string expected"


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], str | None]]] = {
    "Emulation.setDeviceMetricsOverride": _device_metrics,
    "Emulation.setTouchEmulationEnabled": _touch,
    "Emulation.setVisibleSize": _visible_size,
    "Network.setExtraHTTPHeaders": _headers,
    "Page.setDeviceMetricsOverride": _device_metrics,
    "Runtime.setMaxCallStackSizeToCapture": _stack_size,
}
