"""The expected outcome of each row for a user of `cdp_typed`: two answers and no trace, unless it is listed."""

from __future__ import annotations

from dataclasses import dataclass

from cdp_typed import Event, SchemaDrift, UnknownEvent, UnlistedValue
from cdp_typed.protocol import browser, inspector, network, page, runtime
from tests.faults.rows import MIB

ANSWERED = "answered"


@dataclass(frozen=True)
class Seen:
    """The outcome of one row for a user: the ends of the two commands, and every trace that the fault left."""

    first: str = ANSWERED
    second: str = ANSWERED
    heard: tuple[Event, ...] = ()
    """Events, except those of the domain Target."""
    counters: tuple[tuple[str, int], ...] = ()
    """The counters that are not 0, except those that count on any connection."""
    drift: tuple[SchemaDrift, ...] = ()
    warnings: tuple[str, ...] = ()


def _lost(reason: str, *, malformed: int = 0) -> Seen:
    text = f"ConnectionLost: {browser.GetVersion.METHOD}: connection lost: {reason}"
    warnings = ("unreadable message: not JSON (5 bytes)",) * malformed
    return Seen(text, text, counters=(("malformed", malformed),) if malformed else (), warnings=warnings)


def _timeout(seconds: float) -> str:
    return f"CommandTimeout: {browser.GetVersion.METHOD}: no reply from the browser within {seconds:g} s"


def _unreadable(reason: str, *, first: str = ANSWERED) -> Seen:
    return Seen(first, counters=(("malformed", 1),), warnings=(f"unreadable message: {reason}",))


def _dialog(message: str = "hello", type: page.DialogType | UnlistedValue = "alert") -> page.JavascriptDialogOpening:
    return page.JavascriptDialogOpening(
        url="https://a.test/", frame_id=page.FrameId("F1"), message=message, type=type, has_browser_handler=True
    )


def _console(text: str, context: int = 1) -> runtime.ConsoleAPICalled:
    return runtime.ConsoleAPICalled(
        type="log",
        args=(runtime.RemoteObject(type="string", value=text),),
        execution_context_id=runtime.ExecutionContextId(context),
        timestamp=1.5,
    )


def _drifted(event: Event, path: str, expected: str, got: str) -> Seen:
    drift = SchemaDrift(event.METHOD, path, expected, got)
    return Seen(heard=(event,), counters=(("drift", 1),), drift=(drift,))


def _patched_reply(*drift: tuple[str, str, str]) -> Seen:
    records = tuple(SchemaDrift(browser.GetVersion.METHOD, *fields) for fields in drift)
    return Seen(counters=(("drift", len(records)),), drift=records)


def _unknown(method: str) -> Seen:
    event = UnknownEvent(method=method, session_id=None, raw=b'{"a":1}')
    return Seen(heard=(event,), counters=(("unknown_events", 1),))


_CLOSED = page.JavascriptDialogClosed(frame_id=page.FrameId(""), result=False, user_input="")
_ALL_BUT_ONE = tuple((name, "string", "nothing") for name in ("product", "revision", "userAgent", "jsVersion"))
_ALL = (("protocolVersion", "string", "nothing"), *_ALL_BUT_ONE)
_GONE = _lost("the browser is gone: the socket closed without a close frame")
_DETACHED = Seen("SessionDetached: Runtime.evaluate: session 6F1B0E2C was detached")
_CRASHED = "TargetCrashed: Runtime.evaluate: the target of session 6F1B0E2C crashed"

EXPECTED = {
    "F07_closed_for_policy": _lost("the browser closed the websocket with code 1008"),
    "F08_reset": _GONE,
    "F08_F55_dropped_mid_command": _GONE,
    "F09_dropped_mid_message": _GONE,
    "F10_half_open": Seen(_timeout(0.2), _timeout(0.6)),
    "F11_goodbye_but_the_socket_stays": Seen(_timeout(0.2), _timeout(0.6)),
    "F12_bigger_than_max_size": _lost(
        f"a message has {2 * MIB} bytes, and max_size is {MIB} bytes; raise max_size in connect()"
    ),
    "F13_F56_never_answered": Seen(_timeout(0.2)),
    "F14_late_reply": Seen(_timeout(0.2), counters=(("late_replies", 1),)),
    "F15_reply_to_an_unknown_id": Seen(counters=(("unknown_ids", 1),)),
    "F15_reply_twice": Seen(counters=(("late_replies", 1),)),
    "F15_reply_whose_id_is_text": _unreadable("neither a reply nor an event"),
    "F16_F53_error_without_id": Seen(
        counters=(("warnings", 1),),
        warnings=("the browser reported an error without an id: JSON: syntax error [-32700]",),
    ),
    "F25_no_such_session": Seen("SessionNotFound: Runtime.evaluate: Session with given id not found. [-32001]"),
    "F27_navigated_while_it_ran": Seen("CommandError: Runtime.evaluate: Inspected target navigated or closed [-32000]"),
    "F54_reply_lacks_a_field": _patched_reply(*_ALL_BUT_ONE),
    "F54_reply_is_null": _patched_reply(("", "object", "null"), *_ALL),
    "F54_neither_result_nor_error": _patched_reply(*_ALL),
    "F17_F51_invalid_json": _unreadable("not JSON (5 bytes)"),
    "F17_invalid_json_a_hundred_times": _lost("100 unreadable messages in a row", malformed=100),
    "F17_empty_text": _unreadable("empty message"),
    "F17_F52_json_array": _unreadable("not a JSON object but list"),
    "F17_json_null": _unreadable("not a JSON object but NoneType"),
    "F17_neither_reply_nor_event": _unreadable("neither a reply nor an event"),
    "F18_F51_binary_garbage": _unreadable("not JSON (3 bytes)"),
    "F19_invalid_utf8": _drifted(_dialog("hell\ufffd"), "", "text in UTF-8", "bytes that are not"),
    "F20_depth_bomb_in_an_event": _unreadable("nested too deeply (200051 bytes)"),
    "F20_depth_bomb_in_a_reply": _unreadable(
        "nested too deeply (200018 bytes)",
        first="SchemaMismatch: Browser.getVersion: unreadable reply: nested too deeply (200018 bytes)",
    ),
    "F20_giant_integer": _drifted(
        page.LoadEventFired(timestamp=network.MonotonicTime(float("inf"))),
        "",
        "a JSON number",
        "an integer of 5000 digits",
    ),
    # Legal JSON, and what any reader makes of it; Python's integers have no end.
    "F20_number_out_of_range": Seen(heard=(page.LoadEventFired(timestamp=network.MonotonicTime(float("inf"))),)),
    "F20_integer_beyond_64_bits": Seen(heard=(_console("x", 10**30),)),
    "F21_F60_lone_surrogate_in_an_event": Seen(heard=(_dialog("hell\\ud800"),)),
    "F22_F47_unknown_event": _unknown("Page.notYetInvented"),
    "F22_F47_unknown_domain": _unknown("Telepathy.thought"),
    "F22_new_field": Seen(heard=(_dialog(),)),
    "F22_F48_unknown_enum_value": _drifted(
        _dialog(type=UnlistedValue("hologram")), "type", "one of alert, beforeunload, confirm, prompt", "'hologram'"
    ),
    "F23_F49_missing_field": _drifted(_dialog(""), "message", "string", "nothing"),
    "F23_F49_null_field": _drifted(_dialog(""), "message", "string", "null"),
    "F50_event_without_params": Seen(
        heard=(_CLOSED,),
        counters=(("drift", 3),),
        drift=(
            SchemaDrift(_CLOSED.METHOD, "frameId", "string", "nothing"),
            SchemaDrift(_CLOSED.METHOD, "result", "boolean", "nothing"),
            SchemaDrift(_CLOSED.METHOD, "userInput", "string", "nothing"),
        ),
    ),
    "F24_session_detached": _DETACHED,
    "F26_frame_changes_its_process": _DETACHED,
    "F28_renderer_crashed": Seen(_CRASHED, heard=(inspector.TargetCrashed(),)),
    "F28_renderer_crashed_as_the_browser_tells_it": Seen(_CRASHED),
    "F37_console_flood": Seen(heard=(_console("x"),) * 10_000),
    "F37_event_of_100_mib": Seen(heard=(_console("x" * (100 * MIB)),)),
}

_PIPE_CLOSED = _lost("the browser is gone: the pipe closed")

ON_A_PIPE = {
    "F08_F55_dropped_mid_command": _PIPE_CLOSED,
    "F09_dropped_mid_message": _PIPE_CLOSED,
    "F12_bigger_than_max_size": _lost(
        f"a message has some bytes so far, and max_size is {MIB} bytes; raise max_size in connect()"
    ),
}
"""The outcomes on a pipe that differ from those on a websocket."""
