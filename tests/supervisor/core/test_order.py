"""The order in which the slices see an input."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import fields

from supervisor.core.order import ORDER
from supervisor.core.state.world import World
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from tests.support.order_table import drawn, written


def test_the_table_of_the_architecture_is_drawn_from_the_order() -> None:
    assert written() == drawn()


def test_every_field_that_a_slice_follows_or_changes_is_one_of_the_world() -> None:
    names = {field.name for field in fields(World)}

    assert {name for entry in ORDER for name in entry.follows} <= names
    assert {name for entry in ORDER for name in entry.changes} == names


def test_every_event_that_is_listened_to_concerns_a_slice() -> None:
    heard = frozenset[type]().union(*(entry.inputs for entry in ORDER))

    assert set(get_args(inputs.CdpEvent)) <= heard
    assert set(get_args(requests.Request)) <= heard
    assert set(get_args(timers.Timer)) <= heard
    silent = {command_tags.PageClosed}
    assert set(get_args(command_tags.Tag)) - silent <= heard
