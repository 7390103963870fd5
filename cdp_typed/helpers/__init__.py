"""What most programs do with a page, as functions: `await js(tab, "document.title")`.

Each is a few lines over the protocol, and its docstring names the commands behind it. The same functions for the
blocking client are in `cdp_typed.helpers.blocking`. A helper is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed._lazy import lazy_one_by_one

if TYPE_CHECKING:
    from cdp_typed.helpers.evaluation import js
    from cdp_typed.helpers.navigation_events import Navigation, NavigationKind, Until
    from cdp_typed.helpers.page_navigation import go_back, go_forward, goto

_HOMES = {
    "Navigation": "cdp_typed.helpers.navigation_events",
    "NavigationKind": "cdp_typed.helpers.navigation_events",
    "Until": "cdp_typed.helpers.navigation_events",
    "go_back": "cdp_typed.helpers.page_navigation",
    "go_forward": "cdp_typed.helpers.page_navigation",
    "goto": "cdp_typed.helpers.page_navigation",
    "js": "cdp_typed.helpers.evaluation",
}

__all__ = ["Navigation", "NavigationKind", "Until", "go_back", "go_forward", "goto", "js"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_one_by_one(globals(), _HOMES)
