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
    """Our whole way from bytes to a typed event: envelope, routing, parameters; the subscription knows the class."""
    router = Router()

    def work() -> object:
        (event,) = router.receive(message)
        assert isinstance(event, EventMessage)
        return decode(cls, event.raw, method=event.method, drift=_no_drift)

    return work


def dicts(message: bytes) -> Callable[[], object]:
    """What every client without types does."""
    return lambda: json.loads(message)


def pycdp(message: bytes) -> Callable[[], object]:
    """PyCDP's way from bytes to a typed event."""
    return lambda: cdp.util.parse_json_event(json.loads(message))


def report() -> str:
    """The table. Raises `AssertionError` when one of the three does not decode what it should."""
    rows: list[list[str]] = []
    for message, ours in (
        (REQUEST_WILL_BE_SENT, network.RequestWillBeSent),
        (CONSOLE_API_CALLED, runtime.ConsoleAPICalled),
    ):
        assert isinstance(typed(message, ours)(), ours)
        assert type(pycdp(message)()) in _REGISTERED
        mine, loads, peer = medians([typed(message, ours), dicts(message), pycdp(message)], rounds=ROUNDS, calls=CALLS)
        rows.append(
            [
                f"{ours.METHOD} ({len(message)} bytes)",
                f"{mine * 1e6:.1f} us",
                f"{loads * 1e6:.1f} us",
                f"{peer * 1e6:.1f} us",
                f"{loads / mine:.1f}x",
                f"{peer / mine:.1f}x",
            ]
        )
    header = ["", "cdp_typed", "json.loads", "PyCDP", "faster than json.loads", "than PyCDP"]
    return render("Typed decode of one event, from bytes (larger ratios are better)", header, rows)


def _no_drift(drift: SchemaDrift) -> None:
    raise AssertionError(f"the sample does not match the bindings: {drift}")
