"""The messages of all connections that this process opens, in the order in which it sends and receives them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct

from cdp_typed import Connection
from cdp_typed.client.connect import Opening
from cdp_typed.endpoint import Resolved
from cdp_typed.recording.taps import Direction
from cdp_typed.transport import Transport


class Message(Struct, frozen=True):
    """A message of one of the connections, which are numbered."""

    connection: int
    direction: Direction
    content: dict[str, Any]

    @property
    def method(self) -> str:
        """The method of a command or an event; "" for a reply."""
        return str(self.content.get("method", ""))


def note_traffic(patch: pytest.MonkeyPatch) -> list[Message]:
    """Return a list to which every message of a later connection is added, from its first one on."""
    seen: list[Message] = []
    opened: list[Connection] = []
    over = Opening.over

    def tapped(opening: Opening, transport: Transport, resolved: Resolved) -> Connection:
        connection, number = over(opening, transport, resolved), len(opened)
        opened.append(connection)
        connection.tap(lambda direction, data: seen.append(Message(number, direction, json.loads(data))))
        return connection

    patch.setattr(Opening, "over", tapped)
    return seen
