"""An input on which a slice fails changes nothing, is counted, and ends its caller's call with an error."""

from __future__ import annotations

import logging
from typing import NoReturn

import pytest
from msgspec.structs import replace

from cdp_typed.mock import Site, ThreadedMockServer
from cdp_typed.protocol import log, runtime
from supervisor import CDPSupervisor, SupervisorError
from supervisor.core.observers import console
from supervisor.core.order import ORDER
from supervisor.core.state.world import RejectedInput, World
from supervisor.core.vocabulary import command_tags, inputs
from supervisor.core.vocabulary.effects import Effects
from tests.support.core.play import PAGE, TOP, attach_frame, evaluate, on, told, value, with_page

CONTEXT = runtime.ExecutionContextId(1)
SAID = on(PAGE, runtime.ConsoleAPICalled(type="log", args=(), execution_context_id=CONTEXT, timestamp=1))
WHY = "TypeError(\"unhashable type: 'list'\")"


def fail(*_: object) -> NoReturn:
    raise TypeError("unhashable type: 'list'")


def break_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.core.step.ORDER", tuple(replace(entry, advance=fail) for entry in ORDER))


def test_an_event_that_a_slice_cannot_take_in_changes_nothing_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    core = with_page()
    before = core.state.world
    break_slices(monkeypatch)

    assert core.play(SAID, SAID, fails=True) == []

    assert core.state.world is before
    assert core.state.rejected == {"Runtime.consoleAPICalled": RejectedInput(2, WHY)}


REPLY = inputs.CommandSucceeded(command_tags.CallReply("call"), value(1))


@pytest.mark.parametrize(
    ("before", "received"), [([], evaluate()), ([evaluate()], REPLY)], ids=["its call", "its reply"]
)
def test_a_caller_is_told_of_what_cannot_be_taken_in(
    monkeypatch: pytest.MonkeyPatch, before: list[inputs.Input], received: inputs.Input
) -> None:
    core = with_page().after(*before)
    break_slices(monkeypatch)

    assert isinstance(told(core.play(received, fails=True))["call"], SupervisorError)


def test_an_event_that_does_not_say_what_it_is_about_changes_nothing() -> None:
    core = with_page()
    before = core.state.world

    core.play(attach_frame("", TOP))

    assert core.state.world is before
    assert [mishap.count for mishap in core.state.rejected.values()] == [1]


def test_the_log_is_told_once_and_the_status_how_often(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail_for_entries(world: World, before: World, received: inputs.Input, now: float) -> tuple[World, Effects]:
        match received:
            case inputs.EventReceived(_, log.EntryAdded()):
                fail()
            case _:
                return console.advance(world, before, received, now)

    entries = tuple(
        replace(entry, advance=fail_for_entries) if entry.advance is console.advance else entry for entry in ORDER
    )
    monkeypatch.setattr("supervisor.core.step.ORDER", entries)
    entry = log.LogEntry(source="other", level="info", text="", timestamp=1)
    with ThreadedMockServer(Site({})) as server, CDPSupervisor(server.url, call_timeout_s=10) as supervisor:
        supervisor.evaluate("1")  # its reply comes behind that of Log.enable
        for _ in range(3):
            server.browser.emit(log.EntryAdded(entry=entry))
        supervisor.evaluate("1")  # its reply comes behind them

        assert supervisor.status().left_out == {"Log.entryAdded": 3}
    messages = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert messages == [f"Log.entryAdded was left out, and is only counted from now on: {WHY}"]
    caplog.clear()
