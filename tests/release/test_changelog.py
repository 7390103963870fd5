"""The changelog keeps its rules, and a release that does not fit it is refused."""

from __future__ import annotations

import re

import pytest

from cdp_typed import __version__
from tests.release.changelog import ChangelogError, check_release, read_changelog
from tests.support.wheels import ROOT

RELEASED = "# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-11-22)\n\n- New.\n\n## 1.1.0 (2026-10-01)\n\n- Old.\n"


def test_ours_begins_with_what_is_not_released_and_names_no_release_that_is_newer_than_the_version() -> None:
    unreleased, *releases = read_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))

    assert unreleased.version is None
    current = tuple(int(part) for part in re.findall(r"\d+", __version__))
    assert [section.version for section in releases if section.version and section.version > current] == []


def test_a_tag_that_fits_is_let_through() -> None:
    check_release("1.2.0", "v1.2.0", RELEASED)


@pytest.mark.parametrize(
    ("version", "tag", "text", "says"),
    [
        ("1.2.0", "v1.2.1", RELEASED, "the tag is v1.2.1, and the version"),
        ("1.3.0", "v1.3.0", RELEASED, "the newest release of CHANGELOG.md is not 1.3.0"),
        ("1.2.0", "v1.2.0", RELEASED.replace("Unreleased\n", "Unreleased\n\n- More.\n"), "belongs to 1.2.0"),
        ("1.2.0", "v1.2.0", "# Changelog\n\n## Unreleased\n", "the newest release of CHANGELOG.md is not"),
    ],
)
def test_a_release_that_does_not_fit_is_refused(version: str, tag: str, text: str, says: str) -> None:
    with pytest.raises(ChangelogError, match=says):
        check_release(version, tag, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# Changelog\n", "the first section is not `## Unreleased`"),
        (RELEASED.replace("## Unreleased\n\n", ""), "the first section is not `## Unreleased`"),
        (RELEASED.replace("## 1.1.0 (2026-10-01)", "## 1.1"), "`## 1.1` is not"),
        (RELEASED.replace("1.1.0", "1.2.1"), "stands below an older release"),
        (RELEASED.replace("2026-10-01", "2026-12-01"), "stands below an older release"),
        (RELEASED.replace("- Old.\n", ""), "is empty"),
    ],
)
def test_a_changelog_that_breaks_a_rule_is_told_where(text: str, says: str) -> None:
    with pytest.raises(ChangelogError, match=says):
        read_changelog(text)
