"""Methods by their class or by their name on the wire; the error for an unknown name has the nearest ones."""

from __future__ import annotations

from typing import Any

from cdp_typed._base import Command, Event
from cdp_typed.mock.errors import NoSuchThing
from cdp_typed.schema import load_schema
from cdp_typed.spelling import did_you_mean


def command_name(command: type[Command[Any]] | str) -> str:
    """Return the method of a command. Raises `NoSuchThing` for the name of none, also for that of an event."""
    name = command if isinstance(command, str) else command.METHOD
    if name in load_schema().commands:
        return name
    if name in load_schema().events:
        raise NoSuchThing(f"{name} is an event: a test sends it with `emit` and spoils it with `fault`")
    raise NoSuchThing(f"the schema has no command {name}{did_you_mean(name, load_schema().commands)}")


def message_name(message: type[Command[Any]] | type[Event] | str) -> str:
    """Return the method of a command or an event. Raises `NoSuchThing` for a name that is neither."""
    name = message if isinstance(message, str) else message.METHOD
    schema = load_schema()
    if name in schema.commands or name in schema.events:
        return name
    raise NoSuchThing(
        f"the schema has no command or event {name}{did_you_mean(name, (*schema.commands, *schema.events))}"
    )
