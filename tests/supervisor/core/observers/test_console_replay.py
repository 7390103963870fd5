"""A session that is new tells again what was said before it came; it is shown once."""

from __future__ import annotations

from cdp_typed.protocol import log, runtime
from supervisor.core.vocabulary import command_tags, inputs
from tests.support.core.play import BROWSER, PAGE, TOP, Core, attached, detached, on, with_page

AGAIN = "session-page-again"
BACK = (
    inputs.Disconnected("reset"),
    inputs.Connected(BROWSER),
    attached(AGAIN, TOP),
    inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), 0),
)


def says(text: str, at: float) -> runtime.ConsoleAPICalled:
    return runtime.ConsoleAPICalled(
        type="log",
        args=(runtime.RemoteObject(type="string", value=text),),
        execution_context_id=runtime.ExecutionContextId(1),
        timestamp=at,
    )


def logs(text: str, at: float) -> log.EntryAdded:
    return log.EntryAdded(entry=log.LogEntry(source="network", level="error", text=text, timestamp=at))


def lines(core: Core) -> list[str]:
    return [message.text for message in core.seen.console]


def test_what_was_heard_before_the_connection_was_lost_is_not_shown_twice() -> None:
    core = with_page().after(on(PAGE, says("one", 1.0)), on(PAGE, says("two", 2.0)), *BACK)

    core.play(*(on(AGAIN, says(text, at)) for text, at in [("one", 1.0), ("two", 2.0), ("meanwhile", 3.0)]))

    assert lines(core) == ["one", "two", "meanwhile"]


def test_two_messages_of_the_same_moment_are_told_apart_by_their_text() -> None:
    core = with_page().after(on(PAGE, says("one", 1.0)), on(PAGE, says("two", 1.0)), *BACK)

    core.play(*(on(AGAIN, says(text, 1.0)) for text in ("one", "two", "three")))

    assert lines(core) == ["one", "two", "three"]


def test_what_the_browser_logs_is_not_measured_by_what_the_page_says() -> None:
    """`Runtime.enable` repeats before `Log.enable` does: the latter's newer entries come after older ones."""
    core = with_page().after(on(PAGE, logs("old", 1.0)), *BACK)

    core.play(on(AGAIN, says("new", 3.0)), on(AGAIN, logs("old", 1.0)), on(AGAIN, logs("missed", 2.0)))

    assert lines(core) == ["old", "new", "missed"]


def test_once_the_repetition_is_over_even_a_clock_that_went_back_hides_nothing() -> None:
    core = with_page().after(
        on(PAGE, says("one", 9.0)), *BACK, inputs.CommandSucceeded(command_tags.LogEnabled(AGAIN), None)
    )

    core.play(on(AGAIN, says("two", 1.0)))

    assert lines(core) == ["one", "two"]


def test_a_page_s_first_session_repeats_nothing_that_was_shown() -> None:
    core = with_page().after(on(PAGE, says("one", 9.0)), attached("s-2", "page-2"))

    core.play(on("s-2", says("before we came", 1.0)))

    assert lines(core) == ["one", "before we came"]


def test_nothing_is_remembered_of_targets_that_are_gone() -> None:
    core = with_page().after(on(PAGE, says("one", 1.0)), detached(PAGE))

    replay_filter = core.state.world.console.replay_filter
    assert (replay_filter.collected, replay_filter.before) == ({}, {})
