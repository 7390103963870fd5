"""Reads CHANGELOG.md: a section for what is not released, then one for each release, the newest first."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_RELEASE = re.compile(r"(\d+)\.(\d+)\.(\d+) \((\d{4}-\d\d-\d\d)\)")


class ChangelogError(Exception):
    """The changelog does not fit its rules, or a release does not fit the changelog."""


class Section(NamedTuple):
    """One section: a released version and its day, or neither for what is not released."""

    version: tuple[int, int, int] | None
    day: date | None
    text: str


def read_changelog(text: str) -> tuple[Section, ...]:
    """Return the sections. Raises `ChangelogError` naming the first heading that breaks a rule.

    `## Unreleased` comes first and once; each other heading is `## 1.2.3 (2026-11-22)`; versions and days fall.
    """
    _, *parts = _HEADING.split(text)
    headings, texts = parts[::2], parts[1::2]
    if not headings or headings[0] != "Unreleased":
        raise ChangelogError("the first section is not `## Unreleased`")
    sections = [Section(None, None, texts[0].strip())]
    for heading, body in zip(headings[1:], texts[1:], strict=True):
        fields = _RELEASE.fullmatch(heading)
        if fields is None:
            raise ChangelogError(f"`## {heading}` is not `## 1.2.3 (2026-11-22)`")
        version = (int(fields[1]), int(fields[2]), int(fields[3]))
        section = Section(version, date.fromisoformat(fields[4]), body.strip())
        if not section.text:
            raise ChangelogError(f"`## {heading}` is empty")
        _check_order(heading, sections[-1], section)
        sections.append(section)
    return tuple(sections)


def _check_order(heading: str, newer: Section, older: Section) -> None:
    if newer.version is None or older.version is None or newer.day is None or older.day is None:
        return
    if older.version >= newer.version or older.day > newer.day:
        raise ChangelogError(f"`## {heading}` stands below an older release")


def check_release(version: str, tag: str, text: str) -> None:
    """Check that `tag` names `version`, and that the changelog's newest section is that release.

    Raises `ChangelogError`.
    """
    if tag != f"v{version}":
        raise ChangelogError(f"the tag is {tag}, and the version of cdp_typed/__init__.py is {version}")
    unreleased, *releases = read_changelog(text)
    if unreleased.text:
        raise ChangelogError(f"what stands under `## Unreleased` belongs to {version}: name the section after it")
    newest = releases[0].version if releases else None
    if newest is None or ".".join(map(str, newest)) != version:
        raise ChangelogError(f"the newest release of CHANGELOG.md is not {version}")
