"""Text that strict JSON parsers refuse."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cdp_typed.wire.json_text import load, repair


def _ignore(_: str) -> None:
    pass


@pytest.mark.parametrize(
    ("raw", "repaired"),
    [
        (rb'"\ud800"', rb'"\\ud800"'),
        (rb'"\udc00"', rb'"\\udc00"'),
        (rb'"\uDBFFx"', rb'"\\uDBFFx"'),
        (rb'"\ud800\ud800\udc00"', rb'"\\ud800\ud800\udc00"'),
        (rb'"\ud83d\ude00"', rb'"\ud83d\ude00"'),
        (rb'"\\ud800"', rb'"\\ud800"'),
        (rb'"\\\ud800"', rb'"\\\\ud800"'),
        (rb'"\u0041\n\""', rb'"\u0041\n\""'),
        (b'"\xff"', '"\ufffd"'.encode()),
        (b'"\xed\xa0\x80"', '"\ufffd\ufffd\ufffd"'.encode()),
        ('"\u00e9"'.encode(), '"\u00e9"'.encode()),
    ],
)
def test_only_what_is_broken_is_repaired(raw: bytes, repaired: bytes) -> None:
    assert repair(raw) == repaired


def test_sound_text_comes_back_as_the_same_object() -> None:
    raw = rb'{"a":"\ud83d\ude00"}'

    assert repair(raw) is raw


# The first draw builds tables of Unicode, which takes long on a busy machine.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.text(st.characters(codec=None, categories=None), max_size=40))
def test_any_string_of_a_page_survives_and_can_be_encoded(text: str) -> None:
    """JavaScript strings are sequences of 16-bit units; Python writes lone ones as escapes, like Chromium."""
    as_pages_see_it = json.loads(json.dumps(text))

    decoded = json.loads(repair(json.dumps(text).encode()))

    assert decoded.encode() == as_pages_see_it.encode("utf-8", "backslashreplace")


def test_numbers_that_json_does_not_know_are_read_and_told() -> None:
    odd: list[str] = []

    value = load(b"[NaN, -Infinity, 1e999, " + b"9" * 5000 + b"]", odd.append)

    assert math.isnan(value[0])
    assert value[1:] == [-math.inf, math.inf, math.inf]
    assert odd == ["NaN", "-Infinity", "an integer of 5000 digits"]


@pytest.mark.parametrize("raw", [b"", b"{", b"nope", b'{"a":1,}'])
def test_what_is_not_json_and_a_depth_bomb_are_refused(raw: bytes) -> None:
    with pytest.raises(json.JSONDecodeError):
        load(raw, _ignore)
    with pytest.raises(RecursionError):
        load(b"[" * 100_000 + b"]" * 100_000, _ignore)
