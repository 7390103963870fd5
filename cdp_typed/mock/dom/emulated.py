"""Media and sizes of a window, with what clients emulate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.state.browser_state import FrameNode
from cdp_typed.mock.state.step import Step

_MEDIA: Final = "Emulation.setEmulatedMedia"
_METRICS: Final = "Emulation.setDeviceMetricsOverride"
_FEATURES: Final = {
    "forced-colors": ("none", "active"),
    "prefers-color-scheme": ("light", "dark"),
    "prefers-contrast": ("no-preference", "more", "less", "custom"),
    "prefers-reduced-motion": ("no-preference", "reduce"),
}
"""The media features, and the values of each; the first one is that of a headless Chromium."""
_FEATURE: Final = re.compile(r"\((?P<name>[a-z-]+): (?P<value>[a-z-]+)\)")
SIZES: Final = {
    "devicePixelRatio": ("deviceScaleFactor", 1),
    "innerHeight": ("height", 493),
    "innerWidth": ("width", 780),
}
"""The window of a headless Chromium 156, and the parameters that override it."""
_SMALLEST: Final = 100


def emulated(step: Step, frame: FrameNode, method: str = _METRICS) -> Mapping[str, Any]:
    """Return the parameters of what is emulated in the frame. Raises `Unsupported` if that is not modelled."""
    sessions = [
        session
        for session in step.state.sessions.values()
        if session.emulated and session.target and step.state.targets[session.target].page == frame.page
    ]
    for session in sessions:
        unknown = session.emulated.keys() - {_MEDIA, _METRICS}
        if unknown or len(sessions) > 1 or session.target != frame.target:
            raise Unsupported(f"what a script sees after {', '.join(sorted(unknown)) or 'several sessions emulate'}")
    return sessions[0].emulated.get(method, {}) if sessions else {}


def matches(step: Step, frame: FrameNode, query: str) -> bool:
    """Return whether a media query matches. Raises `Unsupported` for those that the mock does not know."""
    wanted = emulated(step, frame, _MEDIA)
    if query in ("all", "print", "screen"):
        return query in ("all", wanted.get("media") or "screen")
    feature = _FEATURE.fullmatch(query)
    if feature is None or feature["value"] not in _FEATURES.get(feature["name"], ()):
        raise Unsupported(f"the media query {query}")
    values = _FEATURES[feature["name"]]
    given = [item["value"] for item in wanted.get("features", ()) if item["name"] == feature["name"]]
    return feature["value"] == next((value for value in reversed(given) if value in values), values[0])


def size(step: Step, frame: FrameNode, name: str) -> float:
    """Return one of `SIZES`."""
    metrics, target = emulated(step, frame), step.state.targets[frame.page]
    if frame.parent or target.opener_frame or target.has_window_size:
        raise Unsupported("the size of anything but an ordinary tab")
    if metrics.get("mobile") or 0 in (metrics.get("width"), metrics.get("height")):
        raise Unsupported("the size of a mobile device, or of a window of which one length is emulated")
    parameter, default = SIZES[name]
    return metrics.get(parameter) or default


def roomy_size(step: Step, frame: FrameNode) -> tuple[float, float]:
    """Return width and height of a window. Raises `Unsupported` if an empty document may be larger."""
    width, height = size(step, frame, "innerWidth"), size(step, frame, "innerHeight")
    if min(width, height) < _SMALLEST:
        raise Unsupported("the layout of a document in a small window")
    return width, height
