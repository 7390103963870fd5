"""What a scenario's traffic comes to: lanes that are equal, refused by the mock, or different."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypeAlias

from tests.honesty.comparison.known_differences import DIFFERENCES
from tests.honesty.comparison.normalise import Lanes, is_refusal

Agreement: TypeAlias = Literal["equal", "refused", "listed", "different"]
KINDS: Final[tuple[Agreement, ...]] = ("equal", "refused", "listed", "different")


def counted(name: str, mock: Lanes, chromium: Lanes) -> Counter[Agreement]:
    """Return how many lanes of a scenario agree."""
    return Counter(_agreement(name, lane, mock.get(lane, []), chromium.get(lane, [])) for lane in {*mock, *chromium})


def _agreement(name: str, lane: str, mock: list[str], chromium: list[str]) -> Agreement:
    if any(known.leaves_open(name, lane) for known in DIFFERENCES):
        return "listed"
    if mock == chromium:
        return "equal"
    return "refused" if is_refusal(mock) else "different"
