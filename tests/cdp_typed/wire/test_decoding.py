"""Messages that do not match the bindings are delivered, and every difference is recorded."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cdp_typed._base import Event
from cdp_typed.errors import SchemaMismatch
from cdp_typed.protocol import dom, network, page, runtime
from cdp_typed.wire.decoding import SchemaDrift, decode, decode_any

OPENING = {"url": "u", "frameId": "F", "message": "m", "type": "alert", "hasBrowserHandler": True, "defaultPrompt": ""}


class _Loose(msgspec.Struct):
    anything: Any
    number: int


def _no_drift(drift: SchemaDrift) -> None:
    raise AssertionError(drift)


def _opening(**changes: Any) -> tuple[page.JavascriptDialogOpening, list[SchemaDrift]]:
    drift: list[SchemaDrift] = []
    given = {key: value for key, value in {**OPENING, **changes}.items() if value is not ...}
    raw = msgspec.json.encode(given)
    return decode(page.JavascriptDialogOpening, raw, method="M", drift=drift.append), drift


def test_a_message_of_the_bindings_is_read_without_drift() -> None:
    event, drift = _opening()

    assert event == page.JavascriptDialogOpening(
        url="u", frame_id=page.FrameId("F"), message="m", type="alert", has_browser_handler=True, default_prompt=""
    )
    assert drift == []


@pytest.mark.parametrize(
    ("changes", "fields", "differences"),
    [
        (
            {"type": "biometric"},
            {"type": "biometric"},
            [("type", "one of alert, beforeunload, confirm, prompt", "'biometric'")],
        ),
        (
            {"message": ..., "hasBrowserHandler": ...},
            {"message": "", "has_browser_handler": False},
            [("message", "string", "nothing"), ("hasBrowserHandler", "boolean", "nothing")],
        ),
        (
            {"message": None, "type": None},
            {"message": "", "type": ""},
            [("message", "string", "null"), ("type", "one of alert, beforeunload, confirm, prompt", "null")],
        ),
        (
            {"message": 7, "hasBrowserHandler": "yes"},
            {"message": "7", "has_browser_handler": False},
            [("message", "string", "7"), ("hasBrowserHandler", "boolean", "'yes'")],
        ),
    ],
)
def test_a_field_that_is_unknown_missing_null_or_of_another_type_is_kept_or_patched(
    changes: dict[str, Any], fields: dict[str, Any], differences: list[tuple[str, str, str]]
) -> None:
    event, drift = _opening(**changes)

    assert {name: getattr(event, name) for name in fields} == fields
    assert drift == [SchemaDrift("M", *difference) for difference in differences]


@pytest.mark.parametrize(
    ("kind", "raw", "shown", "differences"),
    [
        (
            page.LoadEventFired,
            b'{"timestamp":true}',
            "LoadEventFired(timestamp=0.0)",
            [("timestamp", "number", "true")],
        ),
        (page.LoadEventFired, b'{"timestamp":NaN}', "LoadEventFired(timestamp=nan)", [("", "a JSON number", "NaN")]),
        (page.FrameResized, b"null", "FrameResized()", [("", "object", "null")]),
        (page.FrameResized, b"", "FrameResized()", []),
        (
            dom.GetDocumentResult,
            b"{}",
            "GetDocumentResult(root=Node(node_id=0, parent_id=None, backend_node_id=0, node_type=0, node_name='', ",
            [("root", "object", "nothing")],
        ),
        (
            network.DataReceived,
            b'{"requestId":"r","timestamp":null,"dataLength":1,"encodedDataLength":2,"extra":{"a":1}}',
            "DataReceived(request_id='r', timestamp=0.0, data_length=1, encoded_data_length=2, data=None)",
            [("timestamp", "number", "null")],
        ),
        (
            _Loose,
            b'{"anything":{"a":[1]},"number":"7"}',
            "_Loose(anything={'a': [1]}, number=",
            [("number", "integer", "'7'")],
        ),
    ],
)
def test_what_comes_instead_is_delivered_and_recorded(
    kind: type[msgspec.Struct], raw: bytes, shown: str, differences: list[tuple[str, str, str]]
) -> None:
    drift: list[SchemaDrift] = []

    delivered = decode(kind, raw, method="M", drift=drift.append)

    assert repr(delivered).startswith(shown)
    assert drift == [SchemaDrift("M", *difference) for difference in differences]


def test_differences_are_found_at_any_depth_and_the_rest_is_kept() -> None:
    frames = [{"functionName": "f", "scriptId": "1", "url": "u", "lineNumber": 1.0, "columnNumber": "x"}]
    raw = msgspec.json.encode(
        {
            "type": "martian",
            "args": [{"type": "x"}],
            "executionContextId": 1,
            "timestamp": 1,
            "stackTrace": {"callFrames": frames, "parent": {"callFrames": 5}},
        }
    )
    drift: list[SchemaDrift] = []

    event = decode(runtime.ConsoleAPICalled, raw, method="M", drift=drift.append)

    assert event.type == "martian"
    assert event.args[0].type == "x"
    assert event.stack_trace is not None
    frame = event.stack_trace.call_frames[0]
    assert (frame.function_name, frame.line_number, frame.column_number) == ("f", 1, 0)
    assert isinstance(frame.line_number, int)
    assert event.stack_trace.parent is not None
    assert event.stack_trace.parent.call_frames == ()
    assert [difference.path for difference in drift] == [
        "type",
        "args[0].type",
        "stackTrace.callFrames[0].lineNumber",
        "stackTrace.callFrames[0].columnNumber",
        "stackTrace.parent.callFrames",
    ]


def test_an_array_is_the_same_after_drift_as_without() -> None:
    """A tuple where only the browser writes it, and a list in it, as quads also go the other way."""
    drift: list[SchemaDrift] = []

    patched = decode(dom.GetContentQuadsResult, b'{"quads":[[1,"2"],null,[]]}', method="M", drift=drift.append)
    missing = decode(dom.GetContentQuadsResult, b"{}", method="M", drift=drift.append)

    assert patched == dom.GetContentQuadsResult(quads=([1, 0.0], [], []))
    assert missing == decode(dom.GetContentQuadsResult, b'{"quads":[]}', method="M", drift=_no_drift)
    assert missing.quads == ()
    assert drift == [
        SchemaDrift("M", "quads[0][1]", "number", "'2'"),
        SchemaDrift("M", "quads[1]", "array", "null"),
        SchemaDrift("M", "quads", "array", "nothing"),
    ]


class _Odd(Event, frozen=True, kw_only=True):
    """An event written by hand, with shapes that generated code does not have."""

    METHOD = "Odd.one"
    by_name: dict[str, int]
    either: int | str


SHAPES: list[tuple[bytes, Any, list[str]]] = [
    (b'{"by_name":{"a":1,"b":"x"},"either":1}', ({"a": 1, "b": 0}, 1), ["by_name.b"]),
    (b'{"by_name":{"a":null},"either":"e"}', ({"a": 0}, "e"), ["by_name.a"]),
    (b'{"by_name":[],"either":[1]}', ({}, [1]), ["by_name", "either"]),
    (b"{}", ({}, None), ["by_name", "either"]),
]


@pytest.mark.parametrize(("raw", "expected", "paths"), SHAPES)
def test_shapes_beyond_the_generated_ones_are_kept_or_patched(raw: bytes, expected: Any, paths: list[str]) -> None:
    drift: list[SchemaDrift] = []

    event = decode(_Odd, raw, method="M", drift=drift.append)

    kept: Any = (event.by_name, event.either)
    assert kept == expected
    assert [difference.path for difference in drift] == paths


def test_lone_surrogates_become_visible_and_are_no_drift() -> None:
    raw = b'{"url":"u","frameId":"F","message":"a\\ud800b","type":"alert","hasBrowserHandler":true,"defaultPrompt":""}'

    for strict in (False, True):
        event = decode(page.JavascriptDialogOpening, raw, method="M", drift=_no_drift, strict=strict)
        assert event.message.encode() == b"a\\ud800b"


def test_f19_bytes_that_are_not_utf8_are_replaced_and_recorded_once() -> None:
    drift: list[SchemaDrift] = []
    raw = msgspec.json.encode({**OPENING, "message": "m?", "type": "biometric"}).replace(b"?", b"\xff")
    event = decode(page.JavascriptDialogOpening, raw, method="M", drift=drift.append)

    strictly = msgspec.json.encode(OPENING).replace(b'"m"', b'"\xff"')
    with pytest.raises(SchemaMismatch, match=r"^M: text that is not UTF-8$"):
        decode(page.JavascriptDialogOpening, strictly, method="M", drift=_no_drift, strict=True)

    assert (event.message, event.type) == ("m\ufffd", "biometric")
    assert drift == [
        SchemaDrift("M", "type", "one of alert, beforeunload, confirm, prompt", "'biometric'"),
        SchemaDrift("M", "", "text in UTF-8", "bytes that are not"),
    ]


def test_long_values_are_shortened_in_the_record() -> None:
    _, drift = _opening(type="x" * 10_000)

    assert len(drift[0].got) == 80


@pytest.mark.parametrize("raw", [b"[]", b"5", b'"text"', b"{", b'{"timestamp":' + b"[" * 100_000])
@pytest.mark.parametrize("strict", [False, True])
def test_what_cannot_be_delivered_raises_and_records_nothing(raw: bytes, strict: bool) -> None:
    with pytest.raises(SchemaMismatch, match=r"^Page\.loadEventFired: "):
        decode(page.LoadEventFired, raw, method="Page.loadEventFired", drift=_no_drift, strict=strict)


@pytest.mark.parametrize("change", [{"type": "biometric"}, {"message": None}, {"url": 1}])
def test_strict_mode_raises_at_any_difference(change: dict[str, Any]) -> None:
    raw = msgspec.json.encode(OPENING | change)

    with pytest.raises(SchemaMismatch, match=r"^M: "):
        decode(page.JavascriptDialogOpening, raw, method="M", drift=_no_drift, strict=True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


# The first draw builds tables of Unicode, which takes long on a busy machine.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from([*OPENING, "unheardOf"]), JSON))
def test_any_object_at_all_is_delivered(params: dict[str, Any]) -> None:
    event = decode(page.JavascriptDialogOpening, json.dumps(params).encode(), method="M", drift=lambda _: None)

    assert isinstance(event, page.JavascriptDialogOpening)


def test_plain_values_are_objects_or_an_error() -> None:
    assert decode_any(b"", method="New.method") == {}
    assert decode_any(b'{"a":NaN,"b":"\\ud800"}', method="New.method")["b"] == "\\ud800"
    with pytest.raises(SchemaMismatch, match=r"^New\.method: "):
        decode_any(b"[" * 100_000, method="New.method")
    with pytest.raises(SchemaMismatch, match=r"^New\.method: expected an object, got null$"):
        decode_any(b"null", method="New.method")
