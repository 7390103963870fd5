"""The one door into the core: an input and the time go in, the next state and the effects come out."""

from __future__ import annotations

from msgspec import Struct

from . import blockers, calls, console, dialogs, feed, frames, link, requests, targets
from .calls import Calls
from .effects import Effects
from .feed import Feed
from .inputs import Input
from .world import World


class State(Struct, frozen=True):
    """Everything a supervisor knows. The first one has its settings in the slices, and has seen nothing yet."""

    world: World = World()
    calls: Calls = Calls()
    feed: Feed = Feed()


def step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Every slice in turn, each seeing those before it as they are after this input.

    `now` is in seconds since the epoch.
    """
    old = state.world
    new_link, connecting = link.reduce(old.link, received)
    new_targets, attaching = targets.reduce(old.targets, received, now)
    new_frames, following = frames.reduce(old.frames, received, new_targets)
    new_dialogs, answering = dialogs.reduce(old.dialogs, received, new_targets, now)
    new_blockers, watching = blockers.reduce(old.blockers, received, new_link, new_targets, new_frames, now)
    new_requests, listening = requests.reduce(old.requests, received, new_targets, now)
    new_link, settling = link.settle(new_link, new_targets)
    world = World(
        link=new_link,
        targets=new_targets,
        frames=new_frames,
        dialogs=new_dialogs,
        blockers=new_blockers,
        requests=new_requests,
        console=console.reduce(old.console, received, new_frames),
    )
    new_calls, calling = calls.reduce(state.calls, received, world)
    attaching = (*attaching, *watching, *listening, *targets.release(received, new_targets))
    effects = (*connecting, *attaching, *following, *answering, *settling, *calling)
    return State(world, new_calls, feed.reduce(state.feed, old, world, now)), effects
