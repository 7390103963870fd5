"""Tools made of a JSON schema and a plain function, as a host with a registry of its own has them."""

from __future__ import annotations

import asyncio
import functools
import json
import threading
from typing import Any

import pytest

from supervisor import SupervisorRegistry
from supervisor.tools import Catalogue, Tool, Toolbox

WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Its name."},
        "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 3},
        "unit": {"enum": ["C", "F"]},
        "from": {"type": ["string", "null"]},
        "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
        "words": {"type": "array", "items": {"type": "string"}},
        "detail": {"enum": [1, 2, None]},
    },
    "required": ["city"],
    "$defs": {"Place": {"type": "object", "properties": {"lat": {"type": "number"}}}},
}


def given(**arguments: Any) -> dict[str, Any]:
    return arguments


def returning(value: Any) -> Any:
    """A function that returns the value, whatever it is given."""

    def function(**arguments: Any) -> Any:
        return value

    return function


def never(**arguments: Any) -> None:
    pytest.fail("called")


def box_of(function: Any, schema: dict[str, Any] = WEATHER, **settings: Any) -> Toolbox:
    made = Tool.from_schema("weather", "Tell the weather.", schema, function, toolset="host", **settings)
    return Toolbox(catalogue=Catalogue([made]), toolsets="*", registry=SupervisorRegistry())


def played(box: Toolbox, **arguments: Any) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(box.dispatch("weather", arguments))
    return payload


def test_the_function_gets_what_was_given_as_keyword_arguments() -> None:
    box = box_of(given)

    assert played(box, city="Rome")["result"] == {"city": "Rome"}
    assert played(box, city="Rome", detail=2)["result"] == {"city": "Rome", "detail": 2}
    everything = {"city": "Rome", "days": "2", "unit": "F", "from": None, "near": '{"lat": 1.5}', "words": "dry"}
    read = {"city": "Rome", "days": 2, "unit": "F", "from": None, "near": {"lat": 1.5}, "words": ["dry"]}
    assert played(box, **everything)["result"] == read


def test_an_argument_that_does_not_fit_is_told_and_the_function_not_called() -> None:
    box = box_of(never)

    errors = [
        played(box, **arguments)["error"]
        for arguments in ({}, {"city": "Rome", "days": 8}, {"city": "Rome", "unit": "K"}, {"citty": "Rome"})
    ]

    assert errors == [
        "argument 'city': missing; expected a text",
        "argument 'days': expected a whole number from 1 up to 7, got a number",
        "argument 'unit': \"K\" is not one of C, F",
        "argument 'citty': unknown; did you mean 'city'?",
    ]


def test_an_argument_of_several_types_is_one_of_them() -> None:
    schema = {
        "type": "object",
        "properties": {"near": {"type": ["string", "number"]}, "far": {"type": ["string", "x"]}},
    }
    box = box_of(given, schema)

    assert played(box, near=1.5)["result"] == {"near": 1.5}
    assert played(box, near="Rome", far=[1])["result"] == {"near": "Rome", "far": [1]}
    assert "argument 'near': expected" in played(box, near=[1])["error"]


def test_functions_of_every_kind_are_called() -> None:
    async def later(**arguments: Any) -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    class Callable:
        async def __call__(self, **arguments: Any) -> str:
            return await later()

    def blocking(**arguments: Any) -> str:
        return "another" if threading.current_thread().name != "cdp-typed handlers" else "the loop's"

    kinds: list[Any] = [later, functools.partial(later), Callable(), blocking]
    results = [played(box_of(kind), city="Rome")["result"] for kind in kinds]

    assert results == ["cdp-typed handlers", "cdp-typed handlers", "cdp-typed handlers", "another"]


def test_the_result_is_any_json() -> None:
    values: list[Any] = [None, 3, "text", [1, (2.5, {"a": True})], {7: {"b"}}, float("nan"), "lone \ud800", b"\x00"]

    told = [played(box_of(returning(value)), city="Rome")["result"] for value in values]
    assert told == [None, 3, "text", [1, [2.5, {"a": True}]], {"7": ["b"]}, None, "lone \ud800", "AA=="]
    assert played(box_of(returning(object())), city="Rome")["error_type"] == "TypeError"


def test_untrusted_text_is_shown_and_named() -> None:
    box = box_of(returning({"note": "ignore \u202e this"}), untrusted=True)

    assert played(box, city="Rome") == {
        "success": True,
        "result": {"note": "ignore \\u202e this"},
        "untrusted": ["result"],
    }


def test_a_model_sees_the_schema_of_the_host() -> None:
    box = box_of(given, reads_only=True)

    (anthropic,), (strict,), (mcp,) = box.definitions("anthropic"), box.definitions("openai"), box.definitions("mcp")

    properties = {**WEATHER["properties"], "unit": {"enum": ["C", "F"], "type": "string"}}
    properties["detail"] = {"enum": [1, 2, None], "type": ["integer", "null"]}
    properties["near"] = {"type": ["object", "null"], "properties": {"lat": {"type": "number"}}}
    assert anthropic == {
        "name": "weather",
        "description": "Tell the weather.",
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": ["city"],
            "additionalProperties": False,
        },
    }
    assert strict["function"]["parameters"]["required"] == list(WEATHER["properties"])
    assert mcp["annotations"]["readOnlyHint"] is True


ITSELF = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/A"}},
    "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}},
}
NOWHERE = {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (ITSELF, "refers to itself: #/"),
        (NOWHERE, "refers to what it does not hold: #/nowhere"),
        ({"type": "array"}, "an object with properties"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_at_once(schema: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        box_of(given, schema)
