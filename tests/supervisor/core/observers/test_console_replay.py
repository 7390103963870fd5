"""A session that is new tells again what was said before it came; it is shown once."""

from __future__ import annotations

import pytest

from cdp_typed.protocol import log, runtime
from supervisor.core.vocabulary import command_tags, inputs
from tests.support.core.play import BROWSER, PAGE, TOP, attached, detached, on, with_page

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


ENABLED = inputs.CommandSucceeded(command_tags.LogEnabled(AGAIN), None)
SHOWN: dict[str, tuple[list[inputs.Input], list[str]]] = {
    "what was heard before the connection was lost is not shown twice": (
        [
            *(on(PAGE, says("one", 1.0)), on(PAGE, says("two", 2.0)), *BACK),
            *(on(AGAIN, says("one", 1.0)), on(AGAIN, says("two", 2.0)), on(AGAIN, says("meanwhile", 3.0))),
        ],
        ["one", "two", "meanwhile"],
    ),
    "two messages of the same moment are told apart by their text": (
        [
            *(on(PAGE, says("one", 1.0)), on(PAGE, says("two", 1.0)), *BACK),
            *(on(AGAIN, says("one", 1.0)), on(AGAIN, says("two", 1.0)), on(AGAIN, says("three", 1.0))),
        ],
        ["one", "two", "three"],
    ),
    # `Runtime.enable` repeats before `Log.enable` does: the latter's newer entries come after older ones.
    "what the browser logs is not measured by what the page says": (
        [
            *(on(PAGE, logs("old", 1.0)), *BACK),
            *(on(AGAIN, says("new", 3.0)), on(AGAIN, logs("old", 1.0)), on(AGAIN, logs("missed", 2.0))),
        ],
        ["old", "new", "missed"],
    ),
    "once the repetition is over even a clock that went back hides nothing": (
        [on(PAGE, says("one", 9.0)), *BACK, ENABLED, on(AGAIN, says("two", 1.0))],
        ["one", "two"],
    ),
    "a page's first session repeats nothing that was shown": (
        [on(PAGE, says("one", 9.0)), attached("s-2", "page-2"), on("s-2", says("before we came", 1.0))],
        ["one", "before we came"],
    ),
}


@pytest.mark.parametrize(("received", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_is_shown(received: list[inputs.Input], shown: list[str]) -> None:
    assert [message.text for message in with_page().after(*received).seen.console] == shown


def test_nothing_is_remembered_of_targets_that_are_gone() -> None:
    replay_filter = with_page().after(on(PAGE, says("one", 1.0)), detached(PAGE)).state.world.console.replay_filter

    assert (replay_filter.collected, replay_filter.before) == ({}, {})
