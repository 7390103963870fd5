"""The counters of a connection."""

from __future__ import annotations

from typing import get_args

from cdp_typed.wire.counters import Count, Counters, CounterSet


def test_every_counter_can_be_counted_and_a_snapshot_does_not_change() -> None:
    tally = CounterSet()
    before = tally.snapshot()
    for name in get_args(Count):
        tally.add(name)

    assert Counters.__struct_fields__ == get_args(Count)
    assert before == Counters()
    assert tally.snapshot() == Counters(*[1] * len(get_args(Count)))
