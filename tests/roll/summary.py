"""Says for the changelog what another schema changes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from cdp_typed.schema.diff import Difference

_HEADING = "## Unreleased\n"
_NAMED = ("domain", "command", "event", "type")
_KINDS = {
    "added": "Added",
    "removed": "Removed",
    "type changed": "Another type",
    "now optional": "Now optional",
    "now required": "Now required",
}


def summarize(before: str, after: str, differences: tuple[Difference, ...]) -> str:
    """Return the entry of the changelog.

    All that is not experimental is named; of the rest domains, commands, events and types are, and others are counted.
    """
    experimental = sum(difference.experimental for difference in differences)
    first = (
        f"The bindings are made from npm devtools-protocol {after} (before: {before}): {len(differences)} differences, "
        f"{experimental} of them in what upstream calls experimental."
    )
    lines = textwrap.wrap(first, 120, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
    for change, heading in _KINDS.items():
        changed = [difference for difference in differences if difference.change == change]
        if changed:
            text = f"{heading}: {_listed(changed)}."
            lines += textwrap.wrap(
                text,
                120,
                initial_indent="  - ",
                subsequent_indent="    ",
                break_on_hyphens=False,
                break_long_words=False,
            )
    return "\n".join(lines) + "\n"


def _listed(differences: Iterable[Difference]) -> str:
    named: dict[str, list[str]] = {}
    others = 0
    for difference in differences:
        if difference.experimental and difference.level not in _NAMED:
            others += 1
            continue
        detail = f" ({difference.detail})" if difference.detail and difference.level not in _NAMED else ""
        named.setdefault(difference.level, []).append(f"`{difference.name}`{detail}")
    parts = [f"{level} {', '.join(names)}" for level, names in named.items()]
    return "; ".join([*parts, *([f"{others} experimental fields and values"] if others else [])])


def add_to_changelog(changelog: str, entry: str) -> str:
    """Return the changelog with the entry as the first under `## Unreleased`; without that it is a `ValueError`."""
    before, heading, after = changelog.partition(_HEADING)
    if not heading:
        raise ValueError("CHANGELOG.md has no section `## Unreleased`")
    rest = after.lstrip("\n")
    gap = "" if rest.startswith("- ") or not rest else "\n"
    return f"{before}{heading}\n{entry}{gap}{rest}"
