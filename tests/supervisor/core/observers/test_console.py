"""Console messages, in a bounded ring; what a new session tells again is shown once."""

from __future__ import annotations

from typing import Literal

import pytest

from cdp_typed import UnlistedValue
from cdp_typed.protocol import log, runtime
from supervisor import StackFrame
from supervisor.core.observers.console import MAX_LEVELS
from supervisor.core.vocabulary import command_tags, inputs
from tests.support.core.play import BROWSER, INNER, OOPIF, PAGE, TOP, attached, detached, on, with_oopif, with_page


def says(
    *arguments: runtime.RemoteObject,
    level: runtime.ConsoleAPICalledType | UnlistedValue = "log",
    line: int | None = None,
    at: float = 5.0,
) -> runtime.ConsoleAPICalled:
    stack = None
    if line is not None:
        where = runtime.CallFrame(
            function_name="f",
            script_id=runtime.ScriptId("1"),
            url="http://a.test/app.js",
            line_number=line,
            column_number=1,
        )
        stack = runtime.StackTrace(call_frames=(where,))
    return runtime.ConsoleAPICalled(
        type=level, args=arguments, execution_context_id=runtime.ExecutionContextId(1), timestamp=at, stack_trace=stack
    )


def text(value: str) -> runtime.RemoteObject:
    return runtime.RemoteObject(type="string", value=value)


def test_a_console_message_has_its_level_text_place_and_session() -> None:
    core = with_oopif().after(on(OOPIF, says(text("a"), text("b"), level="error", line=7)))

    (message,) = core.seen.console
    assert (message.level, message.text, message.session_id, message.timestamp) == ("error", "a b", OOPIF, 5.0)
    assert (message.url, message.line, message.column) == ("http://a.test/app.js", 7, 1)
    assert message.stack == (StackFrame(function="f", url="http://a.test/app.js", line=7, column=1),)


def previewed(description: str, subtype: Literal["array"] | None = None, *, more: bool = False) -> runtime.RemoteObject:
    """An object with two properties that are shown, and perhaps more."""
    properties = (
        runtime.PropertyPreview(name="a", type="number", value="1"),
        runtime.PropertyPreview(name="b", type="string", value="two"),
    )
    preview = runtime.ObjectPreview(
        type="object", subtype=subtype, description=description, overflow=more, properties=properties
    )
    return runtime.RemoteObject(type="object", subtype=subtype, description=description, preview=preview)


NAN = runtime.UnserializableValue("NaN")


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (text("plain"), "plain"),
        (runtime.RemoteObject(type="number", value=1.5, description="1.5"), "1.5"),
        (runtime.RemoteObject(type="number", unserializable_value=NAN, description="NaN"), "NaN"),
        (runtime.RemoteObject(type="undefined"), "undefined"),
        (runtime.RemoteObject(type="object", subtype="null"), "null"),
        (runtime.RemoteObject(type="boolean", value=False), "false"),
        (runtime.RemoteObject(type="object", description="Array(2)"), "Array(2)"),
        (runtime.RemoteObject(type="object", value={"a": [1, None]}), '{"a": [1, null]}'),
        (previewed("Object"), "{a: 1, b: two}"),
        (previewed("Point", more=True), "Point {a: 1, b: two, ...}"),
        (previewed("Array(2)", "array"), "[1, two]"),
    ],
)
def test_an_argument_reads_as_in_the_developer_tools(argument: runtime.RemoteObject, expected: str) -> None:
    assert [message.text for message in with_page().after(on(PAGE, says(argument))).seen.console] == [expected]


@pytest.mark.parametrize(
    ("thrown", "expected"),
    [
        (runtime.RemoteObject(type="object", description="Error: boom\n    at f"), "Error: boom\n    at f"),
        (text("just a string"), "Uncaught just a string"),
        (None, "Uncaught"),
    ],
)
def test_an_uncaught_exception_is_kept_with_its_real_message(
    thrown: runtime.RemoteObject | None, expected: str
) -> None:
    details = runtime.ExceptionDetails(
        exception_id=1, text="Uncaught", line_number=3, column_number=0, exception=thrown
    )

    core = with_page().after(on(PAGE, runtime.ExceptionThrown(timestamp=6.0, exception_details=details)))

    (message,) = core.seen.console
    assert (message.level, message.text, message.line) == ("exception", expected, 3)


def test_what_the_browser_logs_about_a_page_is_kept_too() -> None:
    url = "http://a.test/x.png"
    entry = log.LogEntry(source="network", level="error", text="404 (Not Found)", timestamp=7.0, url=url)

    (message,) = with_page().after(on(PAGE, log.EntryAdded(entry=entry))).seen.console

    assert (message.level, message.text, message.url) == ("error", "404 (Not Found)", url)


@pytest.mark.parametrize(
    ("arguments", "shown", "length"),
    [
        (["x" * 100_000], "x" * 2_000, 100_000),
        (["a", "b" * 3_000, "c" * 5], "a " + "b" * 1_998, 1 + 1 + 3_000 + 1 + 5),
    ],
    ids=["one", "several"],
)
def test_a_long_text_is_cut_and_its_length_kept(arguments: list[str], shown: str, length: int) -> None:
    (message,) = with_page().after(on(PAGE, says(*map(text, arguments)))).seen.console

    assert (message.text, message.text_length) == (shown, length)


def test_the_newest_fifty_are_kept_numbered_counted_by_level_and_read_from_a_cursor() -> None:
    core = with_page().after(*[on(PAGE, says(text(str(number)))) for number in range(60)])
    assert [message.text for message in core.seen.console] == [str(number) for number in range(10, 60)]
    assert core.seen.console_dropped == 10

    console = core.after(on(PAGE, says(text("e"), level="error"))).state.world.console

    assert core.seen.console_counts == {"log": 60, "error": 1}
    assert [message.seq for message in console.since(58).messages] == [59, 60, 61]
    assert (console.since(58).missed, console.since(58).cursor) == (0, 61)
    assert (len(console.since(1).messages), console.since(1).missed) == (50, 10)


def test_arguments_are_kept_each_for_itself_and_bounded() -> None:
    number = runtime.RemoteObject(type="number", value=42, description="42")
    failure = runtime.RemoteObject(type="object", subtype="error", description="Error: no")
    said = says(text("hello"), number, failure, text("x" * 501), *[text("more")] * 20)

    (message,) = with_page().after(on(PAGE, said)).seen.console

    assert len(message.arguments) == 10
    shown = [(one.type, one.text[:9], len(one.text), one.value) for one in message.arguments[:4]]
    assert shown == [
        ("string", "hello", 5, "hello"),
        ("number", "42", 2, 42),
        ("error", "Error: no", 9, None),
        ("string", "xxxxxxxxx", 500, None),
    ]


def test_a_message_names_the_frame_whose_script_said_it() -> None:
    core = with_oopif().after(
        on(OOPIF, says(text("a"))), detached(OOPIF, PAGE), on(PAGE, says(text("b"))), on("gone", says(text("c")))
    )

    assert [message.frame_id for message in core.seen.console] == [INNER, TOP, None]


def test_levels_without_end_are_counted_together() -> None:
    core = with_page().after(
        *[on(PAGE, says(text("x"), level=UnlistedValue(f"level-{number}"))) for number in range(40)]
    )

    assert len(core.seen.console_counts) == MAX_LEVELS + 1
    assert core.seen.console_counts["other"] == 10


AGAIN = "session-page-again"
BACK = (
    inputs.Disconnected("reset"),
    inputs.Connected(BROWSER),
    attached(AGAIN, TOP),
    inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), 0),
)


def told(said: str, at: float, session: str = PAGE) -> inputs.EventReceived:
    return on(session, says(text(said), at=at))


def logs(text: str, at: float) -> log.EntryAdded:
    return log.EntryAdded(entry=log.LogEntry(source="network", level="error", text=text, timestamp=at))


ENABLED = inputs.CommandSucceeded(command_tags.LogEnabled(AGAIN), None)
SHOWN: dict[str, tuple[list[inputs.Input], list[inputs.Input], list[str]]] = {
    "what was heard before the connection was lost is not shown twice": (
        [told("one", 1.0), told("two", 2.0), *BACK],
        [told("one", 1.0, AGAIN), told("two", 2.0, AGAIN), told("meanwhile", 3.0, AGAIN)],
        ["one", "two", "meanwhile"],
    ),
    "two messages of the same moment are told apart by their text": (
        [told("one", 1.0), told("two", 1.0), *BACK],
        [told("one", 1.0, AGAIN), told("two", 1.0, AGAIN), told("three", 1.0, AGAIN)],
        ["one", "two", "three"],
    ),
    # `Runtime.enable` repeats before `Log.enable` does: the latter's newer entries come after older ones.
    "what the browser logs is not measured by what the page says": (
        [on(PAGE, logs("old", 1.0)), *BACK],
        [told("new", 3.0, AGAIN), on(AGAIN, logs("old", 1.0)), on(AGAIN, logs("missed", 2.0))],
        ["old", "new", "missed"],
    ),
    "once the repetition is over even a clock that went back hides nothing": (
        [told("one", 9.0), *BACK, ENABLED],
        [told("two", 1.0, AGAIN)],
        ["one", "two"],
    ),
    "a page's first session repeats nothing that was shown": (
        [told("one", 9.0), attached("s-2", "page-2")],
        [told("before we came", 1.0, "s-2")],
        ["one", "before we came"],
    ),
}


@pytest.mark.parametrize(("before", "again", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_a_session_tells_again_is_shown_once(
    before: list[inputs.Input], again: list[inputs.Input], shown: list[str]
) -> None:
    assert [message.text for message in with_page().after(*before, *again).seen.console] == shown


def test_nothing_is_remembered_of_targets_that_are_gone() -> None:
    replay_filter = with_page().after(told("one", 1.0), detached(PAGE)).state.world.console.replay_filter

    assert (replay_filter.collected, replay_filter.before) == ({}, {})
