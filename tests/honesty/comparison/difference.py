"""A known difference between the mock and Chromium."""

from __future__ import annotations

import re

from msgspec import Struct


class Difference(Struct, frozen=True, kw_only=True):
    """A difference that is not compared; each field narrows it down."""

    words: str
    scenarios: tuple[str, ...] = ()
    field: str = "$^"
    pattern: str = "$^"
    outcome: str = "$^"
    refused: str = "$^"

    def hides(self, scenario: str, line: str) -> bool:
        """Return whether an event of this scenario is left out."""
        return scenario in self.scenarios and re.search(self.pattern, line) is not None

    def leaves_open(self, scenario: str, call: str) -> bool:
        """Return whether the outcome of a call of this scenario is left out."""
        return scenario in self.scenarios and re.search(self.outcome, call) is not None

    def refuses(self, scenario: str, call: str) -> bool:
        """Return whether the mock may refuse this call of this scenario, in its own words."""
        return scenario in self.scenarios and re.search(self.refused, call) is not None

    def omits(self, method: str, field: str) -> bool:
        """Return whether a field of this event is left out."""
        return re.fullmatch(self.field, f"{method} {field}") is not None
