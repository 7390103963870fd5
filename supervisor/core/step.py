"""The one door into the core: an input and the time go in, the next state and the effects come out."""

from __future__ import annotations

from msgspec.structs import replace

from .connection import lifecycle
from .order import FIRST_FOLLOWER, ORDER, concerned
from .pages import ownership
from .state.world import Mishap, State
from .vocabulary.effects import Effect, Effects, Tell
from .vocabulary.errors import SupervisorError
from .vocabulary.identity import is_about_something
from .vocabulary.inputs import AllAnnounced, Answered, EventReceived, Input, Refused, TimerFired

NAMELESS = "it does not say what it is about"


def step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """What follows from an input: the next state, and what is to be done. `now` is in seconds since the epoch.

    An event that says nothing of what it is about, and one that a slice cannot take in, are counted and change nothing:
    a browser gone wrong on one tab must not keep the others from being served. Who asked for something that fails so is
    told.
    """
    if isinstance(received, EventReceived) and not is_about_something(received):
        return _leave_out(state, received, NAMELESS), ()
    try:
        return _step(state, received, now)
    except Exception as error:
        call_id = _caller(received)
        failed = SupervisorError(f"an error of the supervisor itself: {error!r}")
        told: Effects = (Tell(call_id, failed),) if call_id else ()
        return _leave_out(state, received, repr(error)), told


def _leave_out(state: State, received: Input, reason: str) -> State:
    name = received.event.METHOD if isinstance(received, EventReceived) else type(received).__name__
    before = state.mishaps.get(name, Mishap(0, reason))
    return replace(state, mishaps={**state.mishaps, name: replace(before, count=before.count + 1)})


def _caller(received: Input) -> str | None:
    """Who waits for what becomes of an input."""
    match received:
        case Answered(tag) | Refused(tag):
            return getattr(tag, "call_id", None)
        case _:
            return getattr(received, "call_id", None)


def _step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Have the order see what of an input is ours: nothing, itself, or with it what was held."""
    old = state.world
    if not old.link.hears(received):
        return state, ()
    tabs, admitted, effects = ownership.admit(old.tabs, received, old.targets)
    link = lifecycle.tick_off(old.link, received)
    if tabs is not old.tabs or link is not old.link:
        changed = {"tabs"} if tabs is not old.tabs else set[str]()
        changed |= {"link"} if link is not old.link else set[str]()
        state = replace(state, world=replace(old, tabs=tabs, link=link), unseen=state.unseen | changed)
    for one in admitted:
        state, more = _advance(state, one, now)
        effects = (*effects, *more)
    if state.world.link.completes:
        state, more = _advance(state, AllAnnounced(), now)
        effects = (*effects, *more)
    return state, effects


def _advance(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Every slice that is concerned, in its turn, sees those before it as they are after this input."""
    before = world = state.world
    changed, unseen, effects = set(state.unseen), set[str](), list[Effect]()
    for place, is_heard in concerned(_kind(received), state.unseen):
        entry = ORDER[place]
        if not is_heard and entry.follows.isdisjoint(changed):
            continue
        after, more = entry.advance(world, before, received, now)
        effects.extend(more)
        for name in entry.changes:
            if getattr(after, name) is not getattr(world, name):
                changed.add(name)
                if FIRST_FOLLOWER[name] <= place:
                    unseen.add(name)
        world = after
    return replace(state, world=world, unseen=frozenset(unseen)), tuple(effects)


def _kind(received: Input) -> type:
    """What an input is about: the class of an event, of a timer, of the tag of a reply, or its own."""
    match received:
        case EventReceived(_, event):
            return type(event)
        case Answered(tag) | Refused(tag):
            return type(tag)
        case TimerFired(timer):
            return type(timer)
        case _:
            return type(received)
