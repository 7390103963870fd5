"""The bridge, its dialogs and what the browser holds for them, in the order in which one follows from the other."""

from __future__ import annotations

from .bridge import bridge, interception
from .dialogs import bridged, dialogs
from .state.bridge import Bridge, Fetching
from .state.connection import Link
from .state.dialogs import Dialogs, Rescues
from .state.frames import Frames
from .state.pages import Tabs, Targets
from .state.world import World
from .vocabulary.effects import Effects
from .vocabulary.inputs import Input


def reduce(
    old: World,
    received: Input,
    link: Link,
    targets: Targets,
    tabs: Tabs,
    frames: Frames,
    rescues: Rescues,
    after: Dialogs,
    now: float,
) -> tuple[Bridge, Fetching, Dialogs, Effects]:
    """`old` is the world before this input, `after` the dialogs that the browser showed after it; the other slices are
    those after it."""
    learned = bridge.learn(old.bridge, old.dialogs, after, received, tabs)
    new_bridge, effects, asked = bridge.reduce(learned, received, old.dialogs, targets, tabs, frames)
    for session in targets.pages():
        if session.target_id in old.rescues.pages.keys() - rescues.pages.keys() and tabs.manages(session.target_id):
            new_bridge, more = bridge.enter(new_bridge, session)
            effects = (*effects, *more)
    new_dialogs, ending = bridged.reduce(after, received, targets, old.frames, now)
    new_dialogs, more = bridged.hand_over(new_dialogs, new_bridge.sides, now)
    ending = (*ending, *more)
    for one in asked:
        new_dialogs, more = dialogs.open_bridged(new_dialogs, one, targets, frames, now)
        ending = (*ending, *more)
    new_fetching = interception.restrict(old.fetching, received)
    if not link.is_up:
        return new_bridge, new_fetching, new_dialogs, (*effects, *ending)
    new_fetching, holding = interception.reduce(new_fetching, received, targets, tabs, new_bridge)
    return new_bridge, new_fetching, new_dialogs, (*effects, *ending, *holding)


def lose(world: World, reason: str, now: float) -> tuple[Bridge, Fetching, Dialogs, Effects]:
    """The connection is gone."""
    new_bridge, telling = bridge.lose(world.bridge)
    new_dialogs, ending = bridged.lose(world.dialogs, reason, now)
    return new_bridge, interception.lose(world.fetching), new_dialogs, (*telling, *ending)
