"""Every command, result and event survives: sample from the schema, decode, encode, decode, equal.

The samples are made from `protocol.json` and know nothing of the classes, so a wrong wire name, a field that is not
there or a type that is too narrow fails here.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Struct

from cdp_typed.mock.schema.json_samples import sample_event, sample_params, sample_result
from cdp_typed.protocol import page
from cdp_typed.protocol.registry import COMMANDS, EVENTS, command_class, event_class
from tests.support.every import every

VARIANTS = [pytest.param(False, id="smallest"), pytest.param(True, id="full")]


def round_trip(cls: type[Struct], sample: dict[str, Any]) -> None:
    """Asserts that nothing of the sample is lost or added on the way through the class."""
    value = msgspec.json.decode(msgspec.json.encode(sample), type=cls)
    text = msgspec.json.encode(value)

    assert msgspec.json.decode(text) == sample
    assert msgspec.json.decode(text, type=cls) == value


@pytest.mark.parametrize("full", VARIANTS)
@every("method", COMMANDS)
def test_a_command_survives(method: str, full: bool) -> None:
    round_trip(command_class(method), sample_params(method, full=full))


@pytest.mark.parametrize("full", VARIANTS)
@every("method", [method for method in COMMANDS if command_class(method).RESULT is not None])
def test_a_result_survives(method: str, full: bool) -> None:
    cls = command_class(method).RESULT
    assert cls is not None

    round_trip(cls, sample_result(method, full=full))


@pytest.mark.parametrize("full", VARIANTS)
@every("method", EVENTS)
def test_an_event_survives(method: str, full: bool) -> None:
    round_trip(event_class(method), sample_event(method, full=full))


@every("method", EVENTS)
def test_a_missing_required_field_is_noticed(method: str) -> None:
    cls = event_class(method)
    for field in msgspec.structs.fields(cls):
        if field.required:
            sample = sample_event(method)
            del sample[field.encode_name]
            with pytest.raises(msgspec.ValidationError, match=f"missing required field `{field.encode_name}`"):
                msgspec.convert(sample, cls)


def test_an_integer_is_a_number_and_an_unknown_field_is_ignored() -> None:
    """Chrome writes a whole float without a fraction."""
    event = msgspec.json.decode(b'{"timestamp": 5, "later": {}}', type=page.LoadEventFired)

    assert (event, type(event.timestamp)) == (page.LoadEventFired(timestamp=5.0), float)


def test_an_unknown_enum_value_leaves_the_fast_path() -> None:
    """At run time an open enum is closed, so that drift is noticed; `wire.decoding` then delivers the value."""
    with pytest.raises(msgspec.ValidationError, match=r"Invalid enum value 'teleport' - at `\$\.reason`"):
        msgspec.json.decode(b'{"frameId": "f", "reason": "teleport"}', type=page.FrameDetached)
