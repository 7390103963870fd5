"""What most programs do with a page, as functions: `await js(tab, "document.title")`.

Each is a few lines over the protocol, and its docstring names the commands behind it. The same functions for the
blocking client are in `cdp_typed.helpers.blocking`. A helper is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed._lazy import lazy_one_by_one

if TYPE_CHECKING:
    from cdp_typed.helpers.captures import pdf, screenshot
    from cdp_typed.helpers.contexts import BrowserContext, new_context
    from cdp_typed.helpers.cookie_access import cookies, set_cookies
    from cdp_typed.helpers.evaluation import js
    from cdp_typed.helpers.network_activity import network_idle, network_idle_after
    from cdp_typed.helpers.page_navigation import go_back, go_forward, goto
    from cdp_typed.helpers.shared.navigation_events import NavigationKind, NavigationResult, Until
    from cdp_typed.helpers.user_input import click, press, type_text

_HOMES = {
    "BrowserContext": "cdp_typed.helpers.contexts",
    "NavigationResult": "cdp_typed.helpers.shared.navigation_events",
    "NavigationKind": "cdp_typed.helpers.shared.navigation_events",
    "Until": "cdp_typed.helpers.shared.navigation_events",
    "click": "cdp_typed.helpers.user_input",
    "cookies": "cdp_typed.helpers.cookie_access",
    "go_back": "cdp_typed.helpers.page_navigation",
    "go_forward": "cdp_typed.helpers.page_navigation",
    "goto": "cdp_typed.helpers.page_navigation",
    "js": "cdp_typed.helpers.evaluation",
    "network_idle": "cdp_typed.helpers.network_activity",
    "network_idle_after": "cdp_typed.helpers.network_activity",
    "new_context": "cdp_typed.helpers.contexts",
    "pdf": "cdp_typed.helpers.captures",
    "press": "cdp_typed.helpers.user_input",
    "screenshot": "cdp_typed.helpers.captures",
    "set_cookies": "cdp_typed.helpers.cookie_access",
    "type_text": "cdp_typed.helpers.user_input",
}

__all__ = [
    "BrowserContext",
    "NavigationKind",
    "NavigationResult",
    "Until",
    "click",
    "cookies",
    "go_back",
    "go_forward",
    "goto",
    "js",
    "network_idle",
    "network_idle_after",
    "new_context",
    "pdf",
    "press",
    "screenshot",
    "set_cookies",
    "type_text",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_one_by_one(globals(), _HOMES)
