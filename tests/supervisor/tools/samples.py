"""For every tool, arguments that work on the page `/frames` of the stages; a new tool needs an entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "browser_back": {},
    "browser_click": {"ref": "e0"},
    "browser_cdp": {"method": "Runtime.evaluate", "params": {"expression": "1"}},
    "browser_console": {},
    "browser_dialog": {"action": "accept"},
    "browser_drag": {"ref": "e0", "to_ref": "e0"},
    "browser_evaluate": {"expression": "document.title"},
    "browser_file": {"paths": ["/srv/note.txt"]},
    "browser_fill_form": {"fields": [{"ref": "e0", "value": "a"}]},
    "browser_get_images": {},
    "browser_hover": {"ref": "e0"},
    "browser_navigate": {"url": "about:blank"},
    "browser_network": {},
    "browser_press": {"key": "Shift"},
    "browser_scroll": {},
    "browser_snapshot": {},
    "browser_tabs": {"action": "list"},
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
    "browser_type": "UnknownRef",
}
"""Tools that can do nothing on a page where nothing waits, and the error that says so."""
