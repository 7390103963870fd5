"""How long a call took, and how it ended."""

from __future__ import annotations

import json
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from supervisor.fleet.instruments import SUCCESS, Instruments

T = TypeVar("T")

FAILED = '{"success":false'
"""The start of a failed tool's JSON."""


async def measured(instruments: Instruments, name: str, work: Coroutine[Any, Any, T]) -> T:
    """Do the work of a call to this tool or method. A failed tool's outcome is its `error_type`."""
    began, outcome = time.monotonic(), SUCCESS
    try:
        result = await work
        if isinstance(result, str) and result.startswith(FAILED):
            outcome = str(json.loads(result)["error_type"])
        return result
    except BaseException as error:
        outcome = type(error).__name__
        raise
    finally:
        instruments.note_call(name, outcome, time.monotonic() - began)
