"""Every event and every result of the protocol, bent at every place: always delivered, and every difference told."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from msgspec import Struct

from cdp_typed import SchemaDrift, SchemaMismatch
from cdp_typed.mock import sample_event, sample_result
from cdp_typed.protocol import registry
from cdp_typed.wire.decoding import decode
from cdp_typed.wire.json_text import is_array, is_object

_GONE = object()
_BENDS: tuple[object, ...] = (_GONE, None, True, 7, 2.5, 10**30, "x", [], {}, [None], {"a": 1}, float("nan"))

Place = tuple[str | int, ...]


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """The places in a sample at which a value can be replaced."""
    inside: Iterable[tuple[str | int, Any]] = ()
    if is_object(value):
        inside = value.items()
    elif is_array(value):
        inside = enumerate(value)
    for key, item in inside:
        yield (*here, key)
        yield from places(item, (*here, key))


def bent(sample: Any, place: Place, bend: object) -> Any:
    """The sample with another value at a place, or with none."""
    whole = inner = copy.deepcopy(sample)
    for key in place[:-1]:
        inner = inner[key]
    if bend is _GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = bend
    return whole


def fits(cls: type[Struct], raw: bytes) -> bool:
    """True if strict mode accepts the message as one of this class."""
    try:
        decode(cls, raw, method="", drift=lambda _: None, strict=True)
    except SchemaMismatch:
        return False
    return True


def wrongs(method: str, cls: type[Struct], sample: dict[str, Any]) -> Iterator[str]:
    """Bends after which nothing was delivered, or a difference was not told, or one was made up."""
    for place in places(sample):
        for bend in _BENDS:
            raw = json.dumps(bent(sample, place, bend)).encode()
            drift: list[SchemaDrift] = []
            value = decode(cls, raw, method=method, drift=drift.append)
            if not isinstance(value, cls) or fits(cls, raw) is bool(drift):  # pyright: ignore[reportUnnecessaryIsInstance] # what is tested
                yield f"{method} {place} {bend!r}: {drift}"


EVENTS = [(method, registry.event_class(method), sample_event) for method in registry.EVENTS]
RESULTS = [
    (method, result, sample_result)
    for method in registry.COMMANDS
    if (result := registry.command_class(method).RESULT) is not None
]


@pytest.mark.parametrize("kinds", [EVENTS, RESULTS], ids=["events", "results"])
def test_f22_f23_nothing_raises_and_drift_is_told_exactly_where_strict_mode_refuses(
    kinds: list[tuple[str, type[Struct], Callable[[str], dict[str, Any]]]],
) -> None:
    assert [wrong for method, cls, sample in kinds for wrong in wrongs(method, cls, sample(method))] == []


def test_the_samples_themselves_fit() -> None:
    misfits = [
        method for method, cls, sample in (*EVENTS, *RESULTS) if not fits(cls, json.dumps(sample(method)).encode())
    ]

    assert misfits == []
