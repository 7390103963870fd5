"""Lines of paths in JSON texts."""

from __future__ import annotations

import pytest

from cdp_typed.mock.schema.json_path import line_of, steps_of, steps_of_words

TEXT = """
{
 "a": {"x": [1,
             {"deep": true},
             "{"]},
 "b" : [ ],
 "c": "end",
 "d": {}
}"""


@pytest.mark.parametrize(
    ("path", "field", "line"),
    [
        ("", "", 2),
        (".a", "", 3),
        (".a.x[0]", "", 3),
        (".a.x[1].deep", "", 4),
        (".a.x[2]", "", 5),
        (".c", "", 7),
        (".d", "", 8),
        (".b[0]", "", 6),
        (".c.more", "", 7),
        (".nothing.at[3].all", "", 2),
        (".a", "deep", 4),
        (".a", "absent", 3),
    ],
)
def test_a_path_has_a_line(path: str, field: str, line: int) -> None:
    assert line_of(TEXT, steps_of(path), field) == line


@pytest.mark.parametrize(
    ("words", "line"),
    [("a: x[1]: deep: wrong", 4), ("a: x[2]: wrong", 5), ("d: wrong: b: of no use", 8), ("nothing of the kind", 2)],
)
def test_words_lead_as_far_as_they_name_something(words: str, line: int) -> None:
    assert line_of(TEXT, steps_of_words(words)) == line
