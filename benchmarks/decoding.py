"""Typed decode of two frequent events, next to `json.loads` and orjson alone, and to PyCDP."""

from __future__ import annotations

import json
from collections.abc import Callable

import cdp.network
import cdp.runtime
import cdp.util
import orjson

from benchmarks.samples import CONSOLE_API_CALLED, REQUEST_WILL_BE_SENT
from benchmarks.table import least_processor_times, render
from cdp_typed import Event
from cdp_typed.protocol import network, runtime
from cdp_typed.wire.router import EventMessage, Router

ROUNDS, CALLS = 40, 1_000

# PyCDP knows the classes of imported domains only.
_REGISTERED = (cdp.network.RequestWillBeSent, cdp.runtime.ConsoleAPICalled)


def typed(message: bytes, cls: type[Event]) -> Callable[[], object]:
    """Decode with cdp_typed from bytes to a typed event, as the client does for a listener: envelope, value."""
    router = Router()
    router.ahead.add(cls.METHOD, cls)

    def work() -> object:
        (event,) = router.receive(message)
        assert isinstance(event, EventMessage)
        return event.value

    return work


def dicts(message: bytes) -> Callable[[], object]:
    """Decode as clients without types do."""
    return lambda: json.loads(message)


def fast_dicts(message: bytes) -> Callable[[], object]:
    """Decode as quickly as it can be done without types."""
    return lambda: orjson.loads(message)


def pycdp(message: bytes) -> Callable[[], object]:
    """Decode with PyCDP from bytes to a typed event."""
    return lambda: cdp.util.parse_json_event(json.loads(message))


def report() -> str:
    """Return the table. Raises `AssertionError` if one of them decodes to the wrong class."""
    rows: list[list[str]] = []
    for message, cls in (
        (REQUEST_WILL_BE_SENT, network.RequestWillBeSent),
        (CONSOLE_API_CALLED, runtime.ConsoleAPICalled),
    ):
        assert isinstance(typed(message, cls)(), cls)
        assert type(pycdp(message)()) in _REGISTERED
        workers = [typed(message, cls), dicts(message), fast_dicts(message), pycdp(message)]
        ours, loads, fast, peer = least_processor_times(workers, rounds=ROUNDS, calls=CALLS)
        rows.append(
            [
                f"{cls.METHOD} ({len(message)} bytes)",
                f"{ours * 1e6:.1f} us",
                f"{loads * 1e6:.1f} us",
                f"{fast * 1e6:.1f} us",
                f"{peer * 1e6:.1f} us",
                f"{loads / ours:.1f}x",
                f"{fast / ours:.2f}x",
                f"{peer / ours:.1f}x",
            ]
        )
    header = [
        "",
        "cdp_typed",
        "json.loads",
        "orjson",
        "PyCDP",
        "faster than json.loads",
        "than orjson (goal: 1x)",
        "than PyCDP",
    ]
    return render("CPU of a typed decode of one event, from bytes (larger ratios are better)", header, rows)
