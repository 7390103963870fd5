"""Texts of pages as literals of Python and JavaScript."""

from __future__ import annotations

import ast
import json
import re

from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.addons.recording.literals import javascript, pattern, python

ANY = st.text(st.characters(), max_size=30)


@given(ANY)
@example("\"'\\\n\r\u2028\u2029\u202e\ud800\U000e0041${x}*/`#{y}")
def test_a_text_is_the_same_again_and_its_literal_is_one_printable_line(text: str) -> None:
    in_python, in_javascript = python(text), javascript(text)

    assert ast.literal_eval(in_python) == text
    assert json.loads(in_javascript) == json.loads(json.dumps(text))
    assert in_python.isprintable()
    assert in_javascript.isprintable()
    assert '"' not in re.sub(r"\\.", "", in_javascript[1:-1])


@given(ANY)
def test_a_pattern_matches_its_text(text: str) -> None:
    assert re.fullmatch(pattern(text), text)
