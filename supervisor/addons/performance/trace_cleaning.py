"""Decides which events of a trace a file may have, and takes secrets out of them."""

from __future__ import annotations

import json
from typing import Any

from cdp_typed.conversions import decode
from cdp_typed.helpers.shared.performance.trace_events import TraceEvent
from cdp_typed.redaction import REDACTED, Redaction
from cdp_typed.redaction.texts import is_plain_header

_BROWSER_EVENTS = frozenset({"FrameCommittedInBrowser", "ProcessReadyInBrowser", "TracingStartedInBrowser"})
"""The events of the browser's own process that are about the page alone. Others may be about any page."""
_PAGE_PROCESSES = ("Renderer", "GPU Process")
_EMPTY = b'"args":{}'


class TraceCleaning:
    """Goes through the events of one trace. The browser begins a trace with the names of its processes."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._processes: set[int] = set()

    def __call__(self, line: bytes, event: TraceEvent) -> bytes | None:
        """Return the event without secrets; None for one of the browser's process."""
        if event.name == "process_name":
            name = str(decode(event.args).get("name", ""))
            if name.startswith(_PAGE_PROCESSES):
                self._processes.add(event.pid)
        if not (event.ph == "M" or event.pid in self._processes or event.name in _BROWSER_EVENTS):
            return None
        return line if _EMPTY in line else self._without_secrets(line, event)

    def _without_secrets(self, line: bytes, event: TraceEvent) -> bytes | None:
        if event.name == "ResourceReceiveResponse":
            document: dict[str, Any] = decode(line)
            for header in document["args"].get("data", {}).get("headers", ()):
                if not is_plain_header(header["name"]):
                    header["value"] = REDACTED
            line = json.dumps(document).encode("ascii")
        text = line.decode("utf-8", "replace")
        clean = self._redaction.text(text)
        if clean == text:
            return line
        try:
            json.loads(clean)
        except ValueError:  # the secret was not inside one text
            return None
        return clean.encode()
