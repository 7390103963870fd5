"""Keeps our own worlds of documents, and for the length of an action the objects of elements.

An action calls many functions on one element. Without this, each call takes three more commands: one for the world,
one for the object, and one to release it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from cdp_typed.errors import CDPError, CommandError
from cdp_typed.protocol import runtime
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.chromium import NO_SUCH_CONTEXT, NO_SUCH_OBJECT

from .refs import Document

RELEASED_S = 0.5
"""How long an action waits until a page has released its objects. A busy page does so later."""

_groups = itertools.count(1)


class ObjectGroup:
    """The objects of one action."""

    def __init__(self) -> None:
        self.name: str = f"cdp-typed-{next(_groups)}"
        """The group of the objects, by which they are released."""
        self.nodes: dict[tuple[Document, int], runtime.RemoteObjectId] = {}
        """By document and backend node id."""
        self.frame_ids: set[str] = set()
        """The frames that objects were made in."""
        self.in_front: set[str] = set()
        """The frames whose page was in front as the action began."""


_WORLDS: WeakKeyDictionary[AsyncSupervisor, dict[Document, runtime.ExecutionContextId]] = WeakKeyDictionary()


def worlds_of(supervisor: AsyncSupervisor) -> dict[Document, runtime.ExecutionContextId]:
    """Our own worlds, to be changed in place. Each lives as long as its document."""
    return _WORLDS.setdefault(supervisor, {})


def forget_after(error: CommandError, supervisor: AsyncSupervisor, held: ObjectGroup, frame_id: str) -> bool:
    """Return whether an error says that what was held of a frame is gone, so that nothing ran; then forget it."""
    if error.message not in NO_SUCH_CONTEXT | NO_SUCH_OBJECT:
        return False
    worlds = worlds_of(supervisor)
    for document in [document for document in worlds if document[0] == frame_id]:
        del worlds[document]
    held.nodes = {key: node for key, node in held.nodes.items() if key[0][0] != frame_id}
    return True


_HELD: ContextVar[ObjectGroup | None] = ContextVar("object_group", default=None)


@asynccontextmanager
async def holding(supervisor: AsyncSupervisor) -> AsyncGenerator[ObjectGroup]:
    """Hold objects until the end of the block, which releases them (`Runtime.releaseObjectGroup`).

    A block within another one holds what that one holds.
    """
    outer = _HELD.get()
    if outer is not None:
        yield outer
        return
    held = ObjectGroup()
    token = _HELD.set(held)
    try:
        yield held
    finally:
        _HELD.reset(token)
        await _release_all(supervisor, held)


async def release_held(supervisor: AsyncSupervisor) -> None:
    """Release the objects of the action that runs, which needs them no more."""
    held = _HELD.get()
    if held is not None:
        await _release_all(supervisor, held)


async def _release_all(supervisor: AsyncSupervisor, held: ObjectGroup) -> None:
    frame_ids, held.frame_ids = held.frame_ids, set()
    held.nodes.clear()
    group = runtime.ReleaseObjectGroup(object_group=held.name)
    await asyncio.gather(*(release(supervisor, group, frame_id) for frame_id in frame_ids))


def note_in_front(frame_id: str) -> None:
    """Note for the action that begins that the page of a frame is in front."""
    held = _HELD.get()
    if held is not None:
        held.in_front.add(frame_id)


def began_in_front(frame_id: str) -> bool:
    """Whether `note_in_front` named this frame. Only the first caller gets True: the action may change it."""
    held = _HELD.get()
    if held is None or frame_id not in held.in_front:
        return False
    held.in_front.clear()
    return True


async def release(
    supervisor: AsyncSupervisor, command: runtime.ReleaseObject | runtime.ReleaseObjectGroup, frame_id: str
) -> None:
    """Release objects of a frame, and wait `RELEASED_S` for it at most. Never raises."""
    # A document that is gone has no objects any more. A page under a dialog keeps them until it goes away.
    with contextlib.suppress(CDPError, TimeoutError):
        async with asyncio.timeout(RELEASED_S):
            await supervisor.send(command, frame_id)
