"""The one door into the core: an input and the time go in, the next state and the effects come out."""

from __future__ import annotations

from msgspec import Struct

from . import calls, console, dialogs, frames, link, targets
from .calls import Calls
from .dialogs import Dialogs
from .effects import Effects
from .inputs import Input
from .values import DialogPolicy
from .world import World


class State(Struct, frozen=True):
    """Everything a supervisor knows."""

    world: World = World()
    calls: Calls = Calls()


def initial(policy: DialogPolicy, dialog_timeout_s: float) -> State:
    """The state of a supervisor that has seen nothing yet."""
    return State(World(dialogs=Dialogs(policy=policy, timeout_s=dialog_timeout_s)))


def step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Every slice in turn, each seeing those before it as they are after this input.

    `now` is in seconds since the epoch.
    """
    old = state.world
    new_link, connecting = link.reduce(old.link, received)
    new_targets, attaching = targets.reduce(old.targets, received)
    new_frames, following = frames.reduce(old.frames, received, new_targets)
    new_dialogs, answering = dialogs.reduce(old.dialogs, received, new_targets, now)
    new_link, settling = link.settle(new_link, new_targets)
    world = World(new_link, new_targets, new_frames, new_dialogs, console.reduce(old.console, received, new_frames))
    new_calls, calling = calls.reduce(state.calls, received, world)
    return State(world, new_calls), (*connecting, *attaching, *following, *answering, *settling, *calling)
