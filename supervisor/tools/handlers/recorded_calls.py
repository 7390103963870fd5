"""Calls of tools in the flight recording of their supervisor."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from cdp_typed.wire.json_text import is_object
from supervisor.driver.driver import TOOL_BEGAN, TOOL_ENDED
from supervisor.facade import CDPSupervisor
from supervisor.journal import without_secrets

__all__ = ["RecordedCall"]

_NUMBERS = itertools.count(1)

LONGEST = 4_000
"""Characters of arguments and of a result that are kept."""


class RecordedCall:
    """One call. The supervisor may be started by it: then its beginning is written when it has ended."""

    def __init__(self, name: str, arguments: object, hide: Callable[[str], str]) -> None:
        self._id = next(_NUMBERS)
        self._name = name
        self._arguments = hide(_text(arguments))[:LONGEST]
        self._hide = hide
        self._began_at = time.time()
        self._is_begun = False

    def begin(self, supervisor: CDPSupervisor | None) -> None:
        """Write that it began, if there is a supervisor that records."""
        if supervisor is None or not supervisor.aio.is_recording or self._is_begun:
            return
        self._is_begun = True
        fields = {"at": self._began_at, "id": self._id, "name": self._name, "arguments": self._arguments}
        supervisor.aio.record(TOOL_BEGAN, fields)

    def end(
        self, supervisor: CDPSupervisor | None, result: Mapping[str, Any], say: Callable[[Mapping[str, Any]], str]
    ) -> None:
        """Write that it ended; `say` makes a text of the result."""
        if supervisor is None or not supervisor.aio.is_recording:
            return
        self.begin(supervisor)
        reported = self._hide(say(without_secrets(result)))[:LONGEST]
        is_error = not result.get("success", True)
        supervisor.aio.record(TOOL_ENDED, {"id": self._id, "is_error": is_error, "text": reported})


def _text(arguments: object) -> str:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return "(not JSON)"
    return json.dumps(without_secrets(arguments), default=str) if is_object(arguments) else "{}"
