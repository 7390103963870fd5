"""What most programs do with a page, as functions: `await js(tab, "document.title")`.

Each is a few lines over the protocol, and its docstring names the commands behind it. The same functions for the
blocking client are in `cdp_typed.helpers.blocking`. A helper is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_typed._lazy import lazy_one_by_one

if TYPE_CHECKING:
    from cdp_typed.helpers.evaluation import js

_HOMES = {
    "js": "cdp_typed.helpers.evaluation",
}

__all__ = ["js"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_one_by_one(globals(), _HOMES)
