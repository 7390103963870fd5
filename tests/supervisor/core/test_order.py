"""The order in which the slices see an input."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import get_args

import pytest
from msgspec.structs import fields, replace

from supervisor.core.order import ORDER
from supervisor.core.slices import Slice
from supervisor.core.state.world import World
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Effects
from tests.support.core.play import answer, closed, confirmed, opening, with_page

SILENT = frozenset({command_tags.PageClosed})
"""Inputs that concern no slice: nothing follows from them."""

CARRIED = {
    inputs.EventReceived: inputs.CdpEvent,
    inputs.CommandSucceeded: command_tags.Tag,
    inputs.CommandFailed: command_tags.Tag,
    inputs.TimerFired: timers.Timer,
}
"""Inputs that concern a slice by the class of the value that they carry."""

WHERE = (
    "concerns no slice, so `step` ignores it: add it to the inputs of the slice that takes it, in `ORDER` "
    "(supervisor/core/order.py)"
)


def kinds_of(union: object) -> Iterator[type]:
    """The classes by which the members of a union of inputs concern a slice."""
    for member in get_args(union):
        if member in CARRIED:
            yield from get_args(CARRIED[member])
        else:
            yield member


def test_every_field_that_a_slice_follows_or_changes_is_one_of_the_world() -> None:
    names = {field.name for field in fields(World)}

    assert {name for entry in ORDER for name in entry.depends_on} <= names
    assert {name for entry in ORDER for name in entry.changes} == names


@pytest.mark.parametrize("entry", [entry for entry in ORDER if entry.guard], ids=lambda entry: entry.reason)
def test_a_guard_reads_fields_of_the_world_and_does_not_hold_at_the_start(entry: Slice) -> None:
    assert entry.guard
    assert entry.guard.fields

    assert not any(attrgetter(name)(World()) for name in entry.guard.fields)


def test_a_page_that_nobody_navigates_runs_no_slice_for_navigations(monkeypatch: pytest.MonkeyPatch) -> None:
    core = with_page()
    entered = list[str]()

    def noted(entry: Slice) -> Slice:
        def advance(world: World, before: World, received: inputs.Input, now: float) -> tuple[World, Effects]:
            entered.append(entry.advance.__module__.rpartition(".")[2])
            return entry.advance(world, before, received, now)

        return replace(entry, advance=advance)

    monkeypatch.setattr("supervisor.core.step.ORDER", tuple(map(noted, ORDER)))
    core.play(opening(), answer(), closed(), confirmed())

    assert entered.count("dialogs") == 4
    assert not {"navigations", "before_close", "interception", "blockers", "calls", "bridged"} & {*entered}


@pytest.mark.parametrize("kind", sorted({*kinds_of(inputs.Input)} - SILENT, key=repr), ids=lambda kind: kind.__name__)
def test_every_input_concerns_a_slice(kind: type) -> None:
    assert any(kind in entry.inputs for entry in ORDER), f"{kind.__module__}.{kind.__name__} {WHERE}"
