"""The state at every input: keyframes, and patches between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from cdp_typed.conversions import decode
from cdp_typed.wire.json_text import is_array, is_object
from supervisor.core.snapshot import snapshot
from supervisor.core.state.world import State

from .model import Keyframe, Patch, Timeline
from .patches import applied, difference
from .report_events import ReportEvent

MOST_PATCHES = 500
"""A state is never further than so many patches from a keyframe."""

LONGEST = 20_000
"""Characters of a text in a state; a document may have a `data:` URL of megabytes."""


WEIGHT = 8
"""The patches between two keyframes are at most about so many times as long as a keyframe."""


class States:
    """Collects the states."""

    def __init__(self, beginning: State) -> None:
        self._snapshot = snapshot(beginning)
        self._keyframes: list[Keyframe] = []
        self._changed: list[int] = []
        self._patches: list[Patch] = []
        self._room = 0
        self._since = 0
        self._add_keyframe(-1)

    def see(self, moment: ReportEvent) -> None:
        """See `Collector`."""
        if moment.after.world is moment.before.world:
            return
        before = self._snapshot
        self._snapshot = snapshot(moment.after, (moment.before, before))
        changes = difference(before, self._snapshot)
        if not changes:
            return
        patch, length = as_json(changes)
        self._changed.append(moment.index)
        self._patches.append(patch)
        self._room -= length
        self._since += 1
        if self._room < 0 or self._since >= MOST_PATCHES:
            self._add_keyframe(moment.index)

    def _add_keyframe(self, index: int) -> None:
        state, length = as_json(self._snapshot)
        self._keyframes.append(Keyframe(input=index, state=state))
        self._room, self._since = WEIGHT * length, 0

    def timeline(self) -> Timeline:
        """All that was collected."""
        return Timeline(keyframes=self._keyframes, changed=self._changed, patches=self._patches)


def as_json(value: Any) -> tuple[Any, int]:
    """The value as JSON has it, with its longest texts cut, and its length."""
    try:
        text = msgspec.json.encode(value)
        plain = decode(text)
    except ValueError:  # half of a character of two, which Python's own module takes and gives back as it was
        text = json.dumps(msgspec.to_builtins(value)).encode("ascii")
        plain = json.loads(text)
    return (plain if len(text) <= LONGEST else _cut(plain)), len(text)


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}… ({len(value):,} characters)"
    if is_array(value):
        return [_cut(item) for item in value]
    return {_cut(key): _cut(item) for key, item in value.items()} if is_object(value) else value


def state_at(timeline: Timeline, index: int) -> Mapping[str, Any]:
    """The state after this input, as JSON; -1 is before the first one."""
    keyframe = [keyframe for keyframe in timeline.keyframes if keyframe.input <= index][-1]
    state = keyframe.state
    for changed, patch in zip(timeline.changed, timeline.patches, strict=True):
        if keyframe.input < changed <= index:
            state = applied(state, patch)
    return state
