"""Samples of the whole schema: valid ones are accepted and survive a round trip, invalid ones are refused."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from cdp_typed.mock import NonConforming, NoSuchThing, sample
from cdp_typed.mock.samples import samples
from cdp_typed.mock.schema.typed_samples import part_of
from cdp_typed.mock.validate import check_event, check_params, check_result, check_type
from cdp_typed.protocol import page
from cdp_typed.protocol.registry import COMMANDS, DOMAINS, EVENTS, command_class, event_class
from cdp_typed.schema import load_schema
from tests.support.every import every

RESULTS = {method: result for method in COMMANDS if (result := command_class(method).RESULT) is not None}
TYPES = sorted(load_schema().types)
OBJECTS = [name for name, definition in sorted(load_schema().types.items()) if definition.properties is not None]
NAMES = sorted({*COMMANDS, *EVENTS, *TYPES})
# What takes nothing: there is no way to be wrong.
NEVER_WRONG = [
    *(name for name, command in load_schema().commands.items() if not command.parameters),
    *(name for name, event in load_schema().events.items() if not event.parameters),
]

# Of each kind there are hundreds, which all go one way.
IN_SHORT = ("Page", "Target")

# Few of each: there are thousands. What one run does not find, another one will.
FEW = settings(max_examples=3, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])


def type_class(name: str) -> type[Struct]:
    """Return the class of a type that is an object, from its domain's facade."""
    domain, _, short = name.partition(".")
    cls: type[Struct] = getattr(import_module(f"cdp_typed.protocol.{DOMAINS[domain]}"), short)
    return cls


def for_each(strategy: st.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
    @FEW
    @given(strategy)
    def run(value: Any) -> None:
        check(value)

    run()


def survives(value: Struct) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


def refuse(name: str, value: Any) -> None:
    """Assert that the mock refuses it."""
    part = part_of(name)
    if part.kind == "params":
        assert check_params(part.name, value) is not None
        return
    check = check_event if part.kind == "event" else check_type
    with pytest.raises(NonConforming):
        check(part.name, value)


@every("method", COMMANDS, in_short=IN_SHORT)
def test_a_valid_command_is_accepted_and_survives(method: str) -> None:
    def check(command: Struct) -> None:
        assert check_params(method, msgspec.to_builtins(command)) is None
        survives(command)

    for_each(samples(command_class(method)), check)


@every("method", RESULTS, in_short=IN_SHORT)
def test_a_valid_result_conforms_and_survives(method: str) -> None:
    def check(value: Struct) -> None:
        check_result(method, msgspec.to_builtins(value))
        survives(value)

    assert part_of(RESULTS[method]).name == method
    for_each(samples(RESULTS[method]), check)


@every("method", EVENTS, in_short=IN_SHORT)
def test_a_valid_event_conforms_and_survives(method: str) -> None:
    def check(event: Struct) -> None:
        check_event(method, msgspec.to_builtins(event))
        survives(event)

    for_each(samples(event_class(method)), check)


@every("name", TYPES, in_short=IN_SHORT)
def test_a_valid_value_of_a_type_conforms(name: str) -> None:
    for_each(samples(name), lambda value: check_type(name, value))


@every("name", {*NAMES} - {*NEVER_WRONG}, in_short=IN_SHORT)
def test_an_invalid_sample_is_refused(name: str) -> None:
    for_each(samples(name, valid=False), lambda value: refuse(name, value))


@every("method", [method for method, result in RESULTS.items() if result.__struct_fields__], in_short=IN_SHORT)
def test_an_invalid_result_is_refused(method: str) -> None:
    def check(value: dict[str, Any]) -> None:
        with pytest.raises(NonConforming):
            check_result(method, value)

    for_each(samples(RESULTS[method], valid=False), check)


@every("name", NEVER_WRONG, in_short=IN_SHORT)
def test_where_nothing_can_be_wrong_there_are_no_invalid_samples(name: str) -> None:
    with pytest.raises(ValueError, match=f"of {name} are wrong: nothing is required, and nothing has a type"):
        samples(name, valid=False)


def test_invalid_samples_differ_in_what_is_wrong() -> None:
    """A field is missing, of a wrong type, outside its enum, at the top and below: hypothesis finds each."""
    kinds = ("mandatory field missing", "params.clip - CBOR", "params.format - none of", "params.clip.x - BINDINGS")

    def has(kind: str, params: dict[str, Any]) -> bool:
        return kind in data_of(params)

    def data_of(params: dict[str, Any]) -> str:
        refusal = check_params("Page.captureScreenshot", params)
        assert refusal is not None
        return str(refusal.data)

    unshrunk = settings(phases=[Phase.generate], database=None, max_examples=10_000)
    for kind in kinds:
        assert find(samples(page.CaptureScreenshot, valid=False), partial(has, kind), settings=unshrunk)


def test_the_smallest_values_of_all_classes_convert() -> None:
    classes = [
        *(command_class(method) for method in COMMANDS),
        *RESULTS.values(),
        *(event_class(method) for method in EVENTS),
        *(type_class(name) for name in OBJECTS),
    ]

    for cls in classes:
        assert type(sample(cls)) is cls
        assert type(sample(cls, full=True)) is cls


def test_the_smallest_value_has_what_is_required_and_no_more() -> None:
    assert sample(page.Navigate) == page.Navigate(url="text")
    assert sample(page.NavigateResult) == page.NavigateResult(frame_id=page.FrameId("text"))
    assert sample(page.LoadEventFired, full=True) == page.LoadEventFired(timestamp=1.5)


class Stranger(Struct):
    """A class that is not of the bindings."""


@pytest.mark.parametrize("of", [Stranger, "Page.nothing"])
def test_of_what_the_protocol_does_not_have_there_is_no_sample(of: type[Struct] | str) -> None:
    with pytest.raises(
        NoSuchThing, match=r"Stranger is no class of the bindings|no command, event or type Page\.nothing"
    ):
        samples(of)


def test_a_class_that_only_lives_among_the_commands_is_no_result() -> None:
    stranger = type("Stranger", (Struct,), {"__module__": page.Navigate.__module__})

    with pytest.raises(NoSuchThing, match="Stranger is no class of the bindings"):
        part_of(stranger)


def test_without_hypothesis_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, samples.__module__)

    with pytest.raises(
        ModuleNotFoundError, match=r"cdp_typed\.mock\.samples needs hypothesis: pip install 'cdp-typed\[test\]'"
    ):
        import_module(samples.__module__)
