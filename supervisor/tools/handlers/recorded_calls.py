"""Calls of tools in the flight recording of their supervisor."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from cdp_typed.redaction import REDACTED
from cdp_typed.wire.json_text import is_array, is_object
from supervisor.driver.driver import TOOL_BEGAN, TOOL_ENDED
from supervisor.facade import CDPSupervisor
from supervisor.journal import TYPED

_NUMBERS = itertools.count(1)

_TYPED_IN_RESULTS = {**dict.fromkeys(TYPED, "text"), "key": "key"}

LONGEST = 20_000
"""Characters of arguments and of a result that are kept; that of a snapshot is a page as the agent read it."""


class RecordedCall:
    """One call. The supervisor may be started by it: then its beginning is written when it has ended."""

    def __init__(self, name: str, arguments: object, typed: Mapping[str, str], hide: Callable[[str], str]) -> None:
        """`typed` says which arguments are typed, `text` or `key` by name. They are left out, since it is
        not known yet where they go; the result has what a field that takes no secret then holds."""
        self._id = next(_NUMBERS)
        self._name = name
        self.arguments: object = _parsed(arguments)
        """As JSON values."""
        self._typed = typed
        self._hide = hide
        self._began_at = time.time()
        self._is_begun = False

    def begin(self, supervisor: CDPSupervisor | None) -> None:
        """Write that it began, if there is a supervisor that records."""
        if supervisor is None or not supervisor.aio.is_recording or self._is_begun:
            return
        self._is_begun = True
        arguments = json.dumps(self._shown(self.arguments, supervisor), default=str)
        fields = {
            "at": self._began_at,
            "id": self._id,
            "name": self._name,
            "arguments": self._hide(arguments)[:LONGEST],
        }
        supervisor.aio.record(TOOL_BEGAN, fields)

    def end(
        self, supervisor: CDPSupervisor | None, result: Mapping[str, Any], say: Callable[[Mapping[str, Any]], str]
    ) -> None:
        """Write that it ended; `say` makes a text of the result."""
        if supervisor is None or not supervisor.aio.is_recording:
            return
        self.begin(supervisor)
        redaction, method = supervisor.aio.redaction, self._method
        if not redaction.keeps_secrets:
            result = _without(result, _TYPED_IN_RESULTS)
        if method is not None and "result" in result:
            result = {**result, "result": redaction.result(method, result["result"])}
        reported = self._hide(redaction.text(say(result)))[:LONGEST]
        is_error = not result.get("success", True)
        supervisor.aio.record(TOOL_ENDED, {"id": self._id, "is_error": is_error, "text": reported})

    @property
    def _method(self) -> str | None:
        """The command of the protocol that the tool sends."""
        method = self.arguments.get("method") if is_object(self.arguments) else None
        return method if isinstance(method, str) else None

    def _shown(self, arguments: object, supervisor: CDPSupervisor) -> object:
        redaction = supervisor.aio.redaction
        return arguments if redaction.keeps_secrets else redaction.value(_without(arguments, self._typed))


def _parsed(arguments: object) -> object:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return "(not JSON)"
    return arguments if is_object(arguments) else {}


def _without(value: Any, typed: Mapping[str, str], kind: str = "") -> Any:
    """Plain data without what was typed."""
    if is_object(value):
        return {name: _without(item, typed, typed.get(name, kind)) for name, item in value.items()}
    if is_array(value):
        return [_without(item, typed, kind) for item in value]
    is_typed = isinstance(value, str) and (kind == "text" or (kind == "key" and len(value) == 1))
    return REDACTED if is_typed and value else value
