"""Messages of clients that Python's JSON parser reads, and Chrome's does not."""

from __future__ import annotations

import json
from itertools import cycle, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed.mock.schema import command_messages
from cdp_typed.mock.schema.command_messages import CommandMessage, InvalidRequest, read_command
from cdp_typed.mock.schema.json_errors import problem_of
from cdp_typed.mock.state.error_texts import Refusal

_TEXTS = st.text(st.sampled_from('ab[]{}"\\,:é'), max_size=9)
_FLAT = st.recursive(
    st.none() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
)


@given(_FLAT, st.lists(st.none() | _TEXTS, min_size=1, max_size=3), st.integers(292, 304), _FLAT)
def test_a_message_is_too_deep_if_the_parser_that_knows_positions_says_so(
    value: Any, around: list[str | None], depth: int, beside: Any
) -> None:
    for name in islice(cycle(around), depth):
        value = [value] if name is None else {name: value}
    text = json.dumps({"id": 1, "method": "A.b", "params": {"beside": beside, "value": value}}, ensure_ascii=False)

    call = read_command(text)

    problem = problem_of(text.encode().decode("latin-1"))
    assert (isinstance(call, InvalidRequest) and call.refusal.message) == (
        problem is not None and f"JSON: {problem.words} at position {problem.position}"
    )


def test_a_message_that_cannot_be_too_deep_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_messages, "problem_of", None)
    params = {"script": '"[{\\' * 1000, "cookies": [{"name": "["}] * 1000}

    call = read_command(json.dumps({"id": 1, "method": "A.b", "params": params}))

    assert call == CommandMessage(1, "A.b", None, params)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_bytes_are_plain_utf_8(encoding: str) -> None:
    assert read_command('{"id": 1, "method": "A.b"}'.encode(encoding)) == InvalidRequest(
        Refusal(-32700, "JSON: invalid token at position 0")
    )
