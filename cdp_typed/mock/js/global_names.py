"""The names that a script finds without declaring them: those that the mock knows, and those that only a page has."""

from __future__ import annotations

from typing import Final

from cdp_typed.mock.js.console_api import CONSOLE
from cdp_typed.mock.js.navigation_api import NAVIGATION_CALLS

ERRORS: Final = frozenset(
    {"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError"}
)
WINDOW: Final = frozenset({"window", "self", "globalThis"})
DIALOGS: Final = frozenset({"alert", "confirm", "prompt"})
_PLATFORM: Final = """
    addEventListener atob btoa caches chrome close closed crypto customElements devicePixelRatio dispatchEvent
    document eval fetch focus frames getComputedStyle history indexedDB innerHeight innerWidth isSecureContext
    length localStorage location name navigator onbeforeunload onerror onload open opener origin outerHeight
    outerWidth parent performance postMessage print queueMicrotask requestAnimationFrame screen scroll scrollTo
    scrollX scrollY sessionStorage setInterval clearTimeout clearInterval status stop top visualViewport
    Array Boolean Date JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol
    this parseFloat parseInt isNaN encodeURIComponent decodeURIComponent XMLHttpRequest WebSocket Worker
"""
BROWSERS_OWN: Final = frozenset(_PLATFORM.split())
"""Names that a real page has and the mock does not: reading one is `Unsupported`, and never `undefined`."""

NAMES: Final = BROWSERS_OWN | WINDOW | DIALOGS | {"setTimeout", "console"}
CALLS: Final = frozenset(
    {"document.getElementById", "fetch", "Promise.reject", "Promise.resolve"}
    | DIALOGS
    | {f"console.{method}" for method in CONSOLE}
    | NAVIGATION_CALLS
)
NOT_IN_WORKERS: Final = DIALOGS | {"document", "open", "window"}
