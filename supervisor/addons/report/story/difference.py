"""Two flights side by side: the first action in which they differ."""

from __future__ import annotations

from itertools import zip_longest

from msgspec import Struct

from supervisor.addons.report.model import Action, Report


class FlightDifference(Struct, frozen=True):
    """The first actions that are not the same; None where a flight has no more."""

    number: int
    one: Action | None
    other: Action | None


def first_difference(one: Report, other: Report) -> FlightDifference | None:
    """Compare what was done and whether it succeeded; None if both flights did the same.

    Results are not compared: those of a page that is loaded twice differ in ids and times.
    """
    for number, pair in enumerate(zip_longest(one.actions, other.actions), 1):
        first, second = pair
        if first is None or second is None or (first.text, first.status) != (second.text, second.status):
            return FlightDifference(number, first, second)
    return None
