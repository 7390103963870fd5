"""The arguments with which the contract calls each tool on the page `/frames` of the stages.

A new tool needs an entry in `SAMPLES`, or in `REAL_BROWSER_ONLY` when the mock cannot play it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class RealBrowserOnly(Struct, frozen=True):
    """Arguments of a tool that the mock cannot play, and the reason."""

    arguments: Mapping[str, Any]
    reason: str


REAL_BROWSER_ONLY: Mapping[str, RealBrowserOnly] = {
    "browser_emulate": RealBrowserOnly({"action": "set", "color_scheme": "dark"}, "the mock runs none of its scripts"),
    "browser_heap": RealBrowserOnly({}, "the mock has no heap"),
    "browser_inspect": RealBrowserOnly({"ref": "e0", "show": "box"}, "the mock has no layout and no styles"),
    "browser_mouse": RealBrowserOnly({"action": "move", "x": 10, "y": 10}, "the mock has no layout, and so no points"),
    "browser_read": RealBrowserOnly({}, "the mock runs none of its scripts"),
    "browser_storage": RealBrowserOnly({"area": "local"}, "the mock has no DOMStorage"),
    "browser_vitals": RealBrowserOnly({}, "the mock runs none of its scripts"),
    "browser_verify": RealBrowserOnly({"check": "title", "expected": "x"}, "the mock runs none of its scripts"),
}
"""Tools that keep the contract on a real browser alone, for example because the mock cannot run their script."""

SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "browser_back": {},
    "browser_batch": {"steps": [{"tool": "press", "arguments": {"key": "Shift"}}]},
    "browser_capture": {"name": "contract", "format": "png"},
    "browser_click": {"ref": "e0"},
    "browser_cdp": {"method": "Runtime.evaluate", "params": {"expression": "1"}},
    "browser_console": {},
    "browser_cookies": {},
    "browser_dialog": {"action": "accept"},
    "browser_drag": {"ref": "e0", "to_ref": "e0"},
    "browser_evaluate": {"expression": "document.title"},
    "browser_file": {"paths": ["/srv/note.txt"]},
    "browser_fill_form": {"fields": [{"ref": "e0", "value": "a"}]},
    "browser_get_images": {},
    "browser_hover": {"ref": "e0"},
    "browser_login": {},
    "browser_navigate": {"url": "about:blank"},
    "browser_page": {"action": "reload"},
    "browser_press": {"key": "Shift"},
    "browser_recording": {"action": "start"},
    "browser_requests": {},
    "browser_route": {"action": "abort", "pattern": "*/nothing"},
    "browser_scroll": {},
    "browser_snapshot": {},
    "browser_state": {},
    "browser_tabs": {"action": "list"},
    "browser_profile": {"action": "stop"},
    "browser_trace": {"action": "stop"},
    "browser_type": {"ref": "e0", "text": "a"},
    "browser_vision": {},
    "browser_wait": {"until": "url", "value": "frames"},
}

NEEDS_MORE: Mapping[str, str] = {
    "browser_click": "UnknownRef",
    "browser_dialog": "NoDialogOpen",
    "browser_drag": "UnknownRef",
    "browser_file": "UnknownBlocker",
    "browser_fill_form": "FormUnfinished",
    "browser_hover": "UnknownRef",
    "browser_inspect": "UnknownRef",
    "browser_profile": "MeasurementState",
    "browser_trace": "MeasurementState",
    "browser_type": "UnknownRef",
}
"""Tools that can do nothing on a page where nothing waits, and the error that says so."""


def sample(tool: str) -> Mapping[str, Any]:
    """Return the arguments for a tool. Raises `LookupError` with the place for them where a tool has none."""
    if tool in SAMPLES:
        return SAMPLES[tool]
    if tool in REAL_BROWSER_ONLY:
        return REAL_BROWSER_ONLY[tool].arguments
    raise LookupError(
        f"the contract has no arguments for {tool}: add them to SAMPLES in tests/supervisor/tools/samples.py, "
        "or with a reason to REAL_BROWSER_ONLY there when the mock cannot play the tool"
    )
