"""What a step on the mock is worth beside the same step on Chromium."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from evals.foreign.playing import Step

__all__ = ["REFUSAL", "Verdict", "verdicts"]

Verdict: TypeAlias = Literal["agrees", "refused", "unheard", "unclear", "lies", "hangs", "missing"]

"""`unheard`: the mock refuses a call, and the client gives a value all the same."""

REFUSAL: Final = re.compile(r"cdp_typed\.mock|MockError|browser\.on\(")
"""What stands in every refusal of the mock."""
_NAME: Final = re.compile(r"\w*Error")


def verdicts(mock: Mapping[str, Step], chromium: Mapping[str, Step]) -> dict[str, Verdict]:
    """Return the verdict on each step that was played on Chromium."""
    return {name: _verdict(mock.get(name), theirs) for name, theirs in chromium.items()}


def _verdict(ours: Step | None, theirs: Step) -> Verdict:
    if ours is None:
        return "missing"
    if REFUSAL.search(f"{ours.error}{ours.value}"):
        return "refused"
    if ours.hangs:
        return "agrees" if theirs.hangs else "hangs"
    if ours.error is None:
        same = theirs.error is None and ours.value == theirs.value
        return "agrees" if same else "unheard" if ours.refusals else "lies"
    if ours.refusals:
        return "refused"
    # Clients word an error in their own way; on both it is one.
    return "agrees" if theirs.error is not None else "unclear"
