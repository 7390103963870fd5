"""`step`, the entry point of the core: a state, an input and the time give the next state and the effects."""

from __future__ import annotations

from msgspec.structs import replace

from .connection import lifecycle
from .order import FIRST_FOLLOWER, ORDER, concerned
from .pages import ownership
from .state.world import RejectedInput, State
from .vocabulary.effects import CompleteCall, Effect, Effects
from .vocabulary.errors import SupervisorError
from .vocabulary.identity import has_identity
from .vocabulary.inputs import AllAnnounced, CommandFailed, CommandSucceeded, EventReceived, Input, TimerFired

NO_IDENTITY = "it does not say what it is about"
_NOTHING: Effects = ()


def step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Return the next state and the effects of an input. `now` is in seconds since the epoch.

    An event without an identity, and an input on which a slice raises, are counted and change nothing: faulty events of
    one tab must not stop the supervision of others. A caller whose request or reply fails this way gets the error.
    """
    if isinstance(received, EventReceived) and not has_identity(received):
        return _leave_out(state, received, NO_IDENTITY), ()
    try:
        return _step(state, received, now)
    except Exception as error:
        call_id = _call_id(received)
        failed = SupervisorError(f"an error of the supervisor itself: {error!r}")
        completing: Effects = (CompleteCall(call_id, failed),) if call_id else ()
        return _leave_out(state, received, repr(error)), completing


def _leave_out(state: State, received: Input, reason: str) -> State:
    name = received.event.METHOD if isinstance(received, EventReceived) else type(received).__name__
    before = state.rejected.get(name, RejectedInput(0, reason))
    return replace(state, rejected={**state.rejected, name: replace(before, count=before.count + 1)})


def _call_id(received: Input) -> str | None:
    """Return the id of the call that waits for the outcome of an input."""
    match received:
        case CommandSucceeded(tag) | CommandFailed(tag):
            return getattr(tag, "call_id", None)
        case _:
            return getattr(received, "call_id", None)


def _step(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Feed the slices the selected part of an input: nothing, the input, or also events that were held back."""
    old = state.world
    if old.connection.state != "ready" and not old.connection.accepts(received):
        return state, ()
    selected: tuple[Input, ...] = (received,)
    page_ownership, connection, effects = old.page_ownership, old.connection, _NOTHING
    if kind_of(received) in ownership.SELECTED:
        page_ownership, selected, effects = ownership.select(page_ownership, received, old.targets)
        connection = lifecycle.note_announced(connection, received)
    if page_ownership is not old.page_ownership or connection is not old.connection:
        changed = {"page_ownership"} if page_ownership is not old.page_ownership else set[str]()
        changed |= {"connection"} if connection is not old.connection else set[str]()
        world = replace(old, page_ownership=page_ownership, connection=connection)
        state = replace(state, world=world, pending_changes=state.pending_changes | changed)
    for selected_input in selected:
        state, more = _advance(state, selected_input, now)
        effects = (*effects, *more)
    if not state.world.connection.is_complete and state.world.connection.has_all_announced:
        state, more = _advance(state, AllAnnounced(), now)
        effects = (*effects, *more)
    return state, effects


def _advance(state: State, received: Input, now: float) -> tuple[State, Effects]:
    """Call every slice that the input or a change concerns, each with the world that the slices before it have left."""
    before = world = state.world
    changed, pending_changes, effects = set(state.pending_changes), set[str](), list[Effect]()
    kind = kind_of(received)
    for position, is_by_input in concerned(kind, state.pending_changes):
        entry = ORDER[position]
        if not is_by_input and entry.depends_on.isdisjoint(changed):
            continue
        guard = entry.guard
        if guard is not None and kind not in entry.wakes_on:
            for read in guard.readers:
                if read(world):
                    break
            else:
                continue  # it would change nothing
        after, more = entry.advance(world, before, received, now)
        effects.extend(more)
        for name in entry.changes if after is not world else ():
            if getattr(after, name) is not getattr(world, name):
                changed.add(name)
                if FIRST_FOLLOWER[name] <= position:
                    pending_changes.add(name)
        world = after
    return replace(state, world=world, pending_changes=frozenset(pending_changes)), tuple(effects)


def kind_of(received: Input) -> type:
    """Return the key of an input in the table of `order`: the class of its event, timer or tag, or its own."""
    match received:
        case EventReceived(_, event):
            return type(event)
        case CommandSucceeded(tag) | CommandFailed(tag):
            return type(tag)
        case TimerFired(timer):
            return type(timer)
        case _:
            return type(received)
