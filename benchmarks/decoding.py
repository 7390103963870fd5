"""Typed decode of two frequent events, next to `json.loads` alone and to PyCDP."""

from __future__ import annotations

import json
from collections.abc import Callable

import cdp.network
import cdp.runtime
import cdp.util

from benchmarks.samples import CONSOLE_API_CALLED, REQUEST_WILL_BE_SENT
from benchmarks.table import medians, render
from cdp_typed import Event
from cdp_typed.protocol import network, runtime
from cdp_typed.wire.decoding import SchemaDrift, decode
from cdp_typed.wire.router import EventMessage, Router

ROUNDS, CALLS = 15, 2_000

# PyCDP knows the classes of imported domains only.
_REGISTERED = (cdp.network.RequestWillBeSent, cdp.runtime.ConsoleAPICalled)


def typed(message: bytes, cls: type[Event]) -> Callable[[], object]:
    """Decode with cdp_typed from bytes to a typed event: envelope, routing, parameters; the class is known."""
    router = Router()

    def work() -> object:
        (event,) = router.receive(message)
        assert isinstance(event, EventMessage)
        return decode(cls, event.raw, method=event.method, drift=_no_drift)

    return work


def dicts(message: bytes) -> Callable[[], object]:
    """Decode as clients without types do."""
    return lambda: json.loads(message)


def pycdp(message: bytes) -> Callable[[], object]:
    """Decode with PyCDP from bytes to a typed event."""
    return lambda: cdp.util.parse_json_event(json.loads(message))


def report() -> str:
    """Return the table. Raises `AssertionError` if one of the three decodes to the wrong class."""
    rows: list[list[str]] = []
    for message, cls in (
        (REQUEST_WILL_BE_SENT, network.RequestWillBeSent),
        (CONSOLE_API_CALLED, runtime.ConsoleAPICalled),
    ):
        assert isinstance(typed(message, cls)(), cls)
        assert type(pycdp(message)()) in _REGISTERED
        ours, loads, peer = medians([typed(message, cls), dicts(message), pycdp(message)], rounds=ROUNDS, calls=CALLS)
        rows.append(
            [
                f"{cls.METHOD} ({len(message)} bytes)",
                f"{ours * 1e6:.1f} us",
                f"{loads * 1e6:.1f} us",
                f"{peer * 1e6:.1f} us",
                f"{loads / ours:.1f}x",
                f"{peer / ours:.1f}x",
            ]
        )
    header = ["", "cdp_typed", "json.loads", "PyCDP", "faster than json.loads", "than PyCDP"]
    return render("Typed decode of one event, from bytes (larger ratios are better)", header, rows)


def _no_drift(drift: SchemaDrift) -> None:
    raise AssertionError(f"the sample does not match the bindings: {drift}")
