"""The measurements of a fleet."""

from __future__ import annotations

import json
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from .values import FleetStatus, HostReport

T = TypeVar("T")

FAILED = '{"success":false'
"""The start of a failed tool's JSON."""

SUCCESS = "success"
"""Of a call that did not fail; of one that did, the name of the error's class."""

KINDS = {
    "its machine": "machine",
    "its host was stopped": "stopped",
    "its host's process": "process",
    "its host ended": "process",
    "it was silent": "cut off",
    "its host had ended it": "lease",
    "its host is drained": "drain",
    "its browser": "browser",
    "the connection to its browser": "browser",
    "it was not called": "lease",
    "it had run for": "lease",
    "its host was cut off": "cut off",
}
"""The start of a reason, and its kind."""

UNKNOWN = "unknown"
"""Replaces the name of an unknown tool or method."""


def restart_kind(reason: str) -> str:
    """Return which kind of reason this is: a word from a short list, so that there are few series."""
    return next((kind for start, kind in KINDS.items() if reason.startswith(start)), "other")


def with_field(result: str, name: str, value: str) -> str:
    """Return the JSON of a tool's result with a further field."""
    return f'{result[:-1]},"{name}":{json.dumps(value)}}}'


class Instruments:
    """Takes measurements, and keeps none. They never contain the name of a task, a page or a user."""

    def note_call(self, tool: str, outcome: str, seconds: float) -> None:
        """A call has ended; `tool` is the name of a tool or a supervisor's method, or `unknown`."""

    def note_wait(self, seconds: float, outcome: str) -> None:
        """A call waited for a place: it was `placed`, or the fleet was `full`, or the place came too `late`."""

    def note_restart(self, reason: str) -> None:
        """A task begins anew; only the kind of the reason may be kept (see `restart_kind`)."""

    def note_failed_start(self) -> None:
        """A host ended before it served."""

    def show_host(self, report: HostReport) -> None:
        """The present report of a host."""

    def show_fleet(self, status: FleetStatus) -> None:
        """The present state of the directory."""


NO_INSTRUMENTS = Instruments()


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
