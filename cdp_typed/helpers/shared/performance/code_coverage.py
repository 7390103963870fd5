"""`CodeCoverage`: how much of a page's JavaScript and CSS was used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from cdp_typed._base import Event
from cdp_typed.helpers.shared.own_scripts import OWN_SCRIPT
from cdp_typed.protocol import css, profiler

from .page_text import PageText

_END = -(2**62)


class FileCoverage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A script or a style sheet. Sizes are in characters."""

    url: PageText
    kind: Literal["js", "css"]
    size: int
    unused: int


class CodeCoverage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The code that a page loaded and did not use. Inline code has the address of its document."""

    js_size: int = 0
    js_unused: int = 0
    css_size: int = 0
    css_unused: int = 0
    files: list[FileCoverage] = []
    """At most twenty, those with the most unused code first."""


class CoverageRecording:
    """The coverage of a block of `code_coverage`, complete once the block has ended."""

    def __init__(self) -> None:
        self._summary: CodeCoverage | None = None
        self.sheets: dict[str, css.CSSStyleSheetHeader] = {}

    def note(self, session_id: str | None, event: Event) -> None:
        """Record that a style sheet was added or removed; `code_coverage` calls this."""
        if isinstance(event, css.StyleSheetAdded):
            self.sheets[event.header.style_sheet_id] = event.header
        elif isinstance(event, css.StyleSheetRemoved):
            self.sheets.pop(event.style_sheet_id, None)

    def complete(self, scripts: Sequence[profiler.ScriptCoverage], rules: Sequence[css.RuleUsage]) -> None:
        """Store the browser's counts; `code_coverage` calls this."""
        self._summary = coverage_of(scripts, self.sheets, rules)

    @property
    def summary(self) -> CodeCoverage:
        """The coverage by file. Raises `RuntimeError` during the recording."""
        if self._summary is None:
            raise RuntimeError("the coverage is still counted; read it after the block")
        return self._summary


def coverage_of(
    scripts: Sequence[profiler.ScriptCoverage],
    sheets: Mapping[str, css.CSSStyleSheetHeader],
    rules: Sequence[css.RuleUsage],
) -> CodeCoverage:
    """Add up the counts by file. Scripts without an address, such as those of a client, are left out."""
    files: dict[tuple[Literal["js", "css"], str], tuple[int, int]] = {}
    for script in scripts:
        if script.url and script.url != OWN_SCRIPT:
            ranges = [each for function in script.functions for each in function.ranges]
            size = max((each.end_offset for each in ranges), default=0)
            _add(files, ("js", script.url), size, _unused(ranges))
    used: dict[str, list[tuple[int, int]]] = {}
    for rule in rules:
        if rule.used:
            used.setdefault(rule.style_sheet_id, []).append((int(rule.start_offset), int(rule.end_offset)))
    for sheet_id, sheet in sheets.items():
        size = int(sheet.length)
        _add(files, ("css", sheet.source_url), size, size - _length(used.get(sheet_id, ())))
    ordered = sorted(files.items(), key=lambda item: -item[1][1])

    def total(kind: str, part: int) -> int:
        return sum(sizes[part] for (each, _), sizes in files.items() if each == kind)

    return CodeCoverage(
        js_size=total("js", 0),
        js_unused=total("js", 1),
        css_size=total("css", 0),
        css_unused=total("css", 1),
        files=[
            FileCoverage(url=url, kind=kind, size=size, unused=unused) for (kind, url), (size, unused) in ordered[:20]
        ],
    )


def _add(
    files: dict[tuple[Literal["js", "css"], str], tuple[int, int]],
    key: tuple[Literal["js", "css"], str],
    size: int,
    unused: int,
) -> None:
    before = files.get(key, (0, 0))
    files[key] = (before[0] + size, before[1] + unused)


def _unused(ranges: Iterable[profiler.CoverageRange]) -> int:
    """The characters that did not run. Ranges nest, and the innermost one counts."""
    points = [
        point
        for each in ranges
        if each.end_offset > each.start_offset
        for point in (
            (each.start_offset, each.start_offset - each.end_offset, each.count),  # of those that begin here, the
            (each.end_offset, _END, 0),  # longest comes first, after those that end here
        )
    ]
    unused, last = 0, 0
    stack: list[int] = []
    for at, order, count in sorted(points):
        if stack and stack[-1] == 0:
            unused += at - last
        last = at
        if order == _END:
            stack.pop()
        else:
            stack.append(count)
    return unused


def _length(ranges: Iterable[tuple[int, int]]) -> int:
    """The total length of ranges, each part counted once."""
    length = reached = 0
    for start, end in sorted(ranges):
        length += max(0, end - max(start, reached))
        reached = max(reached, end)
    return length
