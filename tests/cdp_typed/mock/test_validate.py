"""The mock refuses invalid calls like Chrome, and invalid messages of its author."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cdp_typed.mock import NonConforming, NoSuchThing, sample_event, sample_params, sample_result, sample_type
from cdp_typed.mock.validate import check_event, check_params, check_result, check_type
from cdp_typed.schema import Property, load_schema
from tests.support.every import every

COMMANDS = sorted(load_schema().commands)
EVENTS = sorted(load_schema().events)
TYPES = sorted(load_schema().types)


def kind_of(field: Property) -> str:
    resolved = load_schema().types[field.ref] if field.ref is not None else field
    return resolved.type or "any"


def wrong(field: Property) -> Any:
    """Return a value that no parameter of this type may have."""
    return {"string": 5, "binary": 5, "any": None}.get(kind_of(field), "text")


# Read from Chromium 156, which adds the offset.
@pytest.mark.parametrize(
    ("method", "params", "data"),
    [
        ("Page.navigate", {}, "params.url - BINDINGS: mandatory field missing"),
        ("Page.navigate", {"url": 5}, "params.url - BINDINGS: string value expected"),
        ("Runtime.evaluate", {"expression": None}, "params.expression - BINDINGS: string value expected"),
        (
            "Runtime.evaluate",
            {"expression": "1", "returnByValue": "x"},
            "params.returnByValue - BINDINGS: bool value expected",
        ),
        (
            "Runtime.evaluate",
            {"expression": "1", "contextId": 1.5},
            "params.contextId - BINDINGS: int32 value expected",
        ),
        ("Runtime.evaluate", {"expression": "1", "timeout": "x"}, "params.timeout - BINDINGS: double value expected"),
        ("Page.captureScreenshot", {"clip": {"x": 1}}, "params.clip.height - BINDINGS: mandatory field missing"),
        ("Page.captureScreenshot", {"clip": 5}, "params.clip - CBOR: map start expected"),
        (
            "Page.captureScreenshot",
            {"clip": {"x": 1, "y": 1, "width": "a", "height": 1, "scale": 1}},
            "params.clip.width - BINDINGS: double value expected",
        ),
        ("Fetch.enable", {"patterns": 5}, "params.patterns - CBOR: array start expected"),
        ("Fetch.enable", {"patterns": [5]}, "params.patterns - CBOR: map start expected"),
        (
            "Fetch.enable",
            {"patterns": [{"urlPattern": 5}]},
            "params.patterns.urlPattern - BINDINGS: string value expected",
        ),
        ("Input.dispatchMouseEvent", {"type": "mousePressed", "x": 1}, "params.y - BINDINGS: mandatory field missing"),
        ("Emulation.setDeviceMetricsOverride", {"width": "a"}, "params.width - BINDINGS: int32 value expected"),
        ("Emulation.setDeviceMetricsOverride", {}, "params.deviceScaleFactor - BINDINGS: mandatory field missing"),
        (
            "Target.setAutoAttach",
            {"autoAttach": True},
            "params.waitForDebuggerOnStart - BINDINGS: mandatory field missing",
        ),
    ],
)
def test_bad_parameters_are_refused_with_the_words_of_chrome(method: str, params: dict[str, Any], data: str) -> None:
    refusal = check_params(method, params)

    assert refusal is not None
    assert (refusal.code, refusal.message) == (-32602, "Invalid parameters")
    assert refusal.data == f"Failed to deserialize {data}"


def test_a_value_outside_an_enum_is_refused_and_the_enum_named() -> None:
    refusal = check_params("Page.captureScreenshot", {"format": "bmp"})

    assert refusal is not None
    assert (refusal.code, refusal.data) == (-32602, "cdp_typed.mock: params.format - none of jpeg, png, webp")


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, math.nan, math.inf, True, "1"])
def test_an_integer_is_one_of_32_bits(value: object) -> None:
    assert check_params("Runtime.evaluate", {"expression": "1", "contextId": value}) is not None


def test_an_unknown_parameter_is_ignored_as_by_chrome() -> None:
    assert check_params("Runtime.evaluate", {"expression": "1", "unknown": 1}) is None


@every("name", TYPES)
def test_every_type_has_a_sample(name: str) -> None:
    sample_type(name)
    sample_type(name, full=True)


def test_a_full_sample_has_every_field() -> None:
    fields = load_schema().commands["Page.captureScreenshot"].parameters

    assert set(sample_params("Page.captureScreenshot", full=True)) == {field.name for field in fields}


FRAME = {**sample_event("Page.frameNavigated")["frame"], "adFrameStatus": {"adFrameType": "none", "surprise": 1}}


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("Page.frameNavigated", {"frame": FRAME}, "frame.adFrameStatus.surprise"),
        (
            "Runtime.consoleAPICalled",
            {"args": [{"type": "string"}, {"type": "string", "surprise": 1}]},
            "args.surprise",
        ),
    ],
)
def test_a_field_that_the_schema_does_not_know_does_not_conform_however_deep(
    method: str, params: dict[str, Any], path: str
) -> None:
    with pytest.raises(NonConforming, match=rf"^{method}: params\.{path}: the schema has no such field"):
        check_event(method, {**sample_event(method), **params})


def test_a_result_with_a_wrong_field_is_named_with_its_path() -> None:
    with pytest.raises(NonConforming) as caught:
        check_result("Page.navigate", {"frameId": 5})

    assert str(caught.value) == "Page.navigate: result.frameId: string value expected"


@pytest.mark.parametrize("ask", [sample_params, sample_result, sample_event, sample_type])
def test_there_is_no_sample_of_what_the_schema_does_not_have(ask: Any) -> None:
    with pytest.raises(NoSuchThing, match=r"Page\.nothing"):
        ask("Page.nothing")


@pytest.mark.parametrize("check", [check_params, check_result, check_event, check_type])
def test_there_is_no_check_of_what_the_schema_does_not_have(check: Any) -> None:
    with pytest.raises(NoSuchThing, match=r"Page\.nothing"):
        check("Page.nothing", {})


def test_a_value_of_a_type_is_checked() -> None:
    check_type("Page.Frame", sample_type("Page.Frame"))
    with pytest.raises(NonConforming, match=r"Page\.Frame: type\.value"):
        check_type("Page.Frame", {})
