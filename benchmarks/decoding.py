"""Typed decode of two frequent events, next to bare `json.loads` and PyCDP."""

from __future__ import annotations

import json
from collections.abc import Callable

import cdp.util

from cdp_typed.connection import Router

from .samples import CONSOLE_API_CALLED, REQUEST_WILL_BE_SENT
from .table import medians, render

ROUNDS, CALLS = 15, 2_000


def ours(message: bytes) -> Callable[[], object]:
    """The whole receiving path: envelope, routing, typed event."""
    raise NotImplementedError
