"""Values that models send become typed arguments; an error names the argument."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from supervisor.tools.framework.coercion import not_one_of, read
from supervisor.tools.framework.tool_errors import InvalidArgument


class Inner(Struct, frozen=True):
    """An object in an object."""

    deep: int


class Everything(Struct, frozen=True, kw_only=True, rename="camel"):
    """One of each kind."""

    text: str = ""
    number: Annotated[float, Meta(gt=0, le=300)] = 30.0
    count: Annotated[int, Meta(ge=1, le=50)] = 1
    flag: bool = False
    texts: tuple[str, ...] = ()
    numbers: list[int] = []
    params: dict[str, Any] = {}
    inner: Inner | None = None
    anything: Any = None
    choice: Literal["left", "right"] = "left"
    optional_number: float | None = None


class Needy(Struct, frozen=True, kw_only=True):
    """One that must be given, and a rule over both."""

    url: str
    until: str = ""

    def __post_init__(self) -> None:
        if self.until == "never":
            raise ValueError("never is too long")


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ({"text": 42}, Everything(text="42")),
        ({"text": True}, Everything(text="true")),
        ({"number": " 2.5 "}, Everything(number=2.5)),
        ({"number": 3}, Everything(number=3.0)),
        ({"count": 7.0}, Everything(count=7)),
        ({"count": "7"}, Everything(count=7)),
        ({"flag": "true"}, Everything(flag=True)),
        ({"flag": "no"}, Everything(flag=False)),
        ({"flag": 1}, Everything(flag=True)),
        ({"texts": "one"}, Everything(texts=("one",))),
        ({"texts": '["one", "two"]'}, Everything(texts=("one", "two"))),
        ({"texts": "[not json"}, Everything(texts=("[not json",))),
        ({"numbers": "[1, 2]"}, Everything(numbers=[1, 2])),
        ({"numbers": "3"}, Everything(numbers=[3])),
        ({"numbers": "3, -4,5"}, Everything(numbers=[3, -4, 5])),
        ({"texts": "3,4"}, Everything(texts=("3,4",))),
        ({"params": '{"a": 1}'}, Everything(params={"a": 1})),
        ({"inner": '{"deep": 1}'}, Everything(inner=Inner(1))),
        ({"anything": "plain"}, Everything(anything="plain")),
        ({"anything": "[1]"}, Everything(anything=[1])),
        ({"choice": "right"}, Everything(choice="right")),
        ({"optionalNumber": "null"}, Everything()),
        ({"text": None, "count": None, "params": None}, Everything()),
        ('{"text": "as JSON text"}', Everything(text="as JSON text")),
        ("", Everything()),
        (None, Everything()),
        ({}, Everything()),
    ],
)
def test_it_is_read_as_it_was_meant(given_: object, expected: Everything) -> None:
    assert read(given_, Everything) == expected


@pytest.mark.parametrize(
    ("given_", "argument", "problem"),
    [
        ({"number": "soon"}, "number", "expected a number above 0 up to 300, got a text"),
        ({"number": 0}, "number", "expected a number above 0 up to 300, got a number"),
        ({"number": float("nan")}, "number", "expected a number above 0 up to 300, got a number"),
        ({"optionalNumber": float("inf")}, "optionalNumber", "expected a number, got a number without end"),
        ({"count": 1.5}, "count", "expected a whole number from 1 up to 50, got a number"),
        ({"count": True}, "count", "expected a whole number from 1 up to 50, got a boolean"),
        ({"flag": "perhaps"}, "flag", "expected true or false, got a text"),
        ({"text": {"a": 1}}, "text", "expected a text, got an object"),
        ({"texts": [1]}, "texts", "expected a list of a text, got a list"),
        ({"params": "not json"}, "params", "expected an object, got a text"),
        ({"inner": {"deep": "x"}}, "inner", "expected an object, got an object"),
        ({"choice": "up"}, "choice", '"up" is not one of left, right'),
        ({"optional_number": 1}, "optional_number", "unknown; did you mean 'optionalNumber'?"),
        ({"zzz": 1}, "zzz", "unknown; the tool takes text, number,"),
        ("[1]", "arguments", "expected a JSON object"),
        ("{", "arguments", "not JSON"),
        (7, "arguments", "expected a JSON object"),
    ],
)
def test_a_mistake_is_told_by_its_name_and_without_its_value(given_: object, argument: str, problem: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(given_, Everything)

    assert caught.value.argument == argument
    assert caught.value.problem.startswith(problem)
    assert "soon" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("opne", "\"opne\" is not one of close, list, open, select; did you mean 'open'?"),
        ("new", "\"new\" is not one of close, list, open, select; did you mean 'open'?"),
        ("reload", '"reload" is not one of close, list, open, select'),
        ("my password is 7", "this text is not one of close, list, open, select"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_with_the_one_that_was_meant(value: str, problem: str) -> None:
    assert not_one_of("action", value, ("close", "list", "open", "select")).problem == problem


def test_what_must_be_given_is_missed_and_rules_over_several_are_told() -> None:
    with pytest.raises(InvalidArgument, match="argument 'url': missing; expected a text"):
        read({"url": None}, Needy)
    with pytest.raises(InvalidArgument, match="argument 'arguments': never is too long"):
        read({"url": "x", "until": "never"}, Needy)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
@given(st.dictionaries(st.sampled_from(["text", "number", "count", "flag", "texts", "params", "inner"]), JSON))
def test_nothing_else_comes_of_any_json(arguments: dict[str, Any]) -> None:
    with contextlib.suppress(InvalidArgument):
        assert isinstance(read(arguments, Everything), Everything)
