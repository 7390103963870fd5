"""The tools themselves, each file some of them, declared in a few lines; importing this registers them."""

from . import batch, cdp, console, dialog, evaluate, forms, navigate, page, snapshot, tabs, wait

__all__ = [
    "batch",
    "cdp",
    "console",
    "dialog",
    "evaluate",
    "forms",
    "navigate",
    "page",
    "snapshot",
    "tabs",
    "wait",
]
