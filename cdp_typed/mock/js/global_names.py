"""The names that a script finds without declaring them: those that the mock knows, and those that only a page has."""

from __future__ import annotations

from typing import Final

from cdp_typed.mock.js.console_api import CONSOLE
from cdp_typed.mock.js.navigation_api import NAVIGATION_CALLS
from cdp_typed.mock.js.platform_names import PLATFORM

ERRORS: Final = frozenset(
    {"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError"}
)
WINDOW: Final = frozenset({"window", "self", "globalThis", "this"})
DIALOGS: Final = frozenset({"alert", "confirm", "prompt"})
TOUCH: Final = frozenset({"ontouchcancel", "ontouchend", "ontouchmove", "ontouchstart"})
"""Names that a page has if its screen can be touched."""
BROWSERS_OWN: Final = TOUCH | frozenset(PLATFORM.split())
"""Names that a real page has: the mock knows the value of some, another one is `Unsupported`, and never `undefined`."""

_FUNCTIONS: Final = """
    addEventListener atob btoa close customElements dispatchEvent eval fetch focus getComputedStyle open postMessage
    print queueMicrotask requestAnimationFrame scroll scrollTo setInterval setTimeout clearTimeout clearInterval stop
    Array Boolean Date Map Number Object Promise Proxy RegExp Set String Symbol parseFloat parseInt isNaN
    encodeURIComponent decodeURIComponent XMLHttpRequest WebSocket Worker alert confirm prompt
"""
_OBJECTS: Final = """
    console crypto document frames history indexedDB JSON location Math navigator parent Reflect screen top
"""
TYPES: Final = {
    **dict.fromkeys(_FUNCTIONS.split(), "function"),
    **dict.fromkeys(_OBJECTS.split(), "object"),
    **dict.fromkeys(("innerHeight", "innerWidth", "devicePixelRatio", "scrollX", "scrollY", "length"), "number"),
    **dict.fromkeys(("closed", "isSecureContext"), "boolean"),
    **dict.fromkeys(("name", "origin", "status"), "string"),
}
"""What `typeof` says of names that a page has, whether or not the mock can evaluate them."""

DELETABLE: Final = frozenset(
    name
    for name in PLATFORM.split()
    if name[0].isupper() and name not in {*TYPES, *ERRORS, "DataTransfer", "Infinity", "NaN", "SharedWorker"}
)
"""Classes that a script may delete, because the mock does nothing with them."""

NAMES: Final = BROWSERS_OWN | WINDOW | DIALOGS | {"setTimeout", "console"}
CALLS: Final = frozenset(
    {"Date.now", "document.getElementById", "fetch", "Promise.reject", "Promise.resolve"}
    | DIALOGS
    | {f"console.{method}" for method in CONSOLE}
    | NAVIGATION_CALLS
)
NOT_IN_WORKERS: Final = DIALOGS | {"document", "open", "window"}
