"""What scripts have made of a document, as a frozen value; `FrameNode` holds it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cdp_typed.mock.js.values import HostObject


class DomState(Struct, frozen=True):
    """The elements that were appended to the body, and background colours by the key of their element.

    The document `started` on the clock of the step. `counts` are the ids of its timers and animation frames so far. It
    `listens` if a script waits for an event of the mouse.
    """

    started: float = 0
    children: tuple[HostObject, ...] = ()
    colors: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    listens: bool = False
