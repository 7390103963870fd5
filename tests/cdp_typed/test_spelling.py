"""A misspelt name is refused with the one that was probably meant."""

from __future__ import annotations

import pytest

from cdp_typed.spelling import closest, did_you_mean

NAMES = ("dialog_policy", "dialog_rules", "scope")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("dialog_polcy", "; did you mean 'dialog_policy'?"),
        ("dialogRules", "; did you mean 'dialog_rules'?"),
        ("SCOPE", "; did you mean 'scope'?"),
        ("dialog_r", "; did you mean 'dialog_rules'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_the_hint_names_what_resembles_it(word: str, hint: str) -> None:
    assert did_you_mean(word, NAMES) == hint


def test_there_are_at_most_as_many_as_asked_for() -> None:
    known = ["abcd1", "abcd2", "abcd3"]

    assert closest("abcd", known) == ["abcd3"]
    assert sorted(closest("abcd", known, 2)) == ["abcd2", "abcd3"]
    assert closest("abcd1", known, 3, cutoff=1) == ["abcd1"]
