"""The state at every input: keyframes, and patches between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from cdp_typed.wire.json_text import is_array, is_object
from supervisor.core.snapshot import snapshot
from supervisor.core.state.world import State

from .model import Keyframe, Patch, Timeline
from .moments import Moment
from .patches import applied, difference

__all__ = ["MOST_PATCHES", "States", "state_at"]

MOST_PATCHES = 500
"""A state is never further than so many patches from a keyframe."""

LONGEST = 20_000
"""Characters of a text in a state; a document may have a `data:` URL of megabytes."""


class States:
    """Collects the states. A keyframe comes when the patches since the last one are as long as it is, so that all
    keyframes together are about as long as all patches."""

    def __init__(self, beginning: State) -> None:
        self._snapshot = snapshot(beginning)
        self._keyframes: list[Keyframe] = []
        self._changed: list[int] = []
        self._patches: list[Patch] = []
        self._room = 0
        self._since = 0
        self._add_keyframe(-1)

    def see(self, moment: Moment) -> None:
        """See `Collector`."""
        if moment.after.world is moment.before.world:
            return
        before, self._snapshot = self._snapshot, snapshot(moment.after)
        patch = difference(before, self._snapshot)
        if not patch:
            return
        patch, length = _fitted(patch)
        self._changed.append(moment.index)
        self._patches.append(patch)
        self._room -= length
        self._since += 1
        if self._room < 0 or self._since >= MOST_PATCHES:
            self._add_keyframe(moment.index)

    def _add_keyframe(self, index: int) -> None:
        state, self._room = _fitted(msgspec.to_builtins(self._snapshot))
        self._keyframes.append(Keyframe(input=index, state=state))
        self._since = 0

    def timeline(self) -> Timeline:
        """All that was collected."""
        return Timeline(keyframes=self._keyframes, changed=self._changed, patches=self._patches)


def _fitted(value: Any) -> tuple[Any, int]:
    """The value as JSON has it, with its longest texts cut, and its length."""
    text = json.dumps(value)
    if len(text) <= LONGEST:
        return json.loads(text), len(text)
    fitted = _cut(json.loads(text))
    return fitted, len(json.dumps(fitted))


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
