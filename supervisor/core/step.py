"""The one door into the core: an input and the time go in, the next state and the effects come out."""

from __future__ import annotations

from msgspec.structs import replace

from . import bridging
from .calls import calls, leave_page, responsiveness
from .connection import capabilities, lifecycle
from .dialogs import before_close, detached_frames, reconnect
from .dialogs import dialogs as dialog_lifecycle
from .observers import blockers, change_feed, console, failed_requests
from .pages import frames, ownership, session_settings, sessions
from .state.calls import Calls, Departures
from .state.dialogs import Dialogs, Rescues
from .state.world import Mishap, State, World
from .vocabulary.effects import Effects, Tell
from .vocabulary.errors import SupervisorError
from .vocabulary.identity import is_about_something
from .vocabulary.inputs import AllAnnounced, Answered, EventReceived, Input, Refused

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
    """Every slice in turn, each seeing those before it as they are after this input."""
    old = state.world
    if not old.link.hears(received):
        return state, ()
    new_tabs, admitted, effects = ownership.admit(old.tabs, received, old.targets)
    state = replace(state, world=replace(old, tabs=new_tabs, link=lifecycle.tick_off(old.link, received)))
    for one in admitted:
        state, more = _take_in(state, one, now)
        effects = (*effects, *more)
    if state.world.link.completes:
        state, more = _take_in(state, AllAnnounced(), now)
        effects = (*effects, *more)
    return state, effects


def _take_in(state: State, received: Input, now: float) -> tuple[State, Effects]:
    old = state.world
    new_link, connecting = lifecycle.reduce(old.link, received, old.targets, now)
    new_targets, attaching = sessions.reduce(old.targets, received, now)
    new_tabs, new_targets, opening = ownership.reduce(old.tabs, received, new_targets, new_link)
    new_frames, following = frames.reduce(old.frames, received, new_targets)
    orphans = detached_frames.orphans(old.dialogs, received, old.frames)
    in_danger = detached_frames.endangered(old.rescues, old.dialogs, received, old.frames, old.targets)
    in_danger |= frozenset(reconnect.left_behind(old.dialogs, new_frames, new_targets).values())
    new_rescues, rescuing = detached_frames.reduce(old.rescues, received, in_danger, new_targets.listening, new_frames)
    kept = reconnect.inherit(old.dialogs, received, old.targets)
    new_dialogs, answering = dialog_lifecycle.reduce(kept, received, new_targets, new_tabs, new_frames, now, orphans)
    new_bridge, new_fetching, new_dialogs, asking = bridging.reduce(
        old, received, new_link, new_targets, new_tabs, new_frames, new_rescues, new_dialogs, now
    )
    new_settings, switching = session_settings.reduce(
        old.session_settings, new_link, new_targets, new_tabs, old.rescues.pages.keys() - new_rescues.pages.keys()
    )
    new_dialogs, dismissing = _make_way(new_dialogs, state.calls, state.departures)
    new_before_close, staying = before_close.reduce(old.before_close, received, new_targets, new_frames)
    new_blockers, watching = blockers.reduce(old.blockers, received, new_link, new_targets, new_frames, now)
    new_requests, listening = failed_requests.reduce(old.requests, received, new_targets, now)
    world = World(
        link=new_link,
        capabilities=capabilities.reduce(old.capabilities, received),
        tabs=new_tabs,
        targets=new_targets,
        frames=new_frames,
        dialogs=new_dialogs,
        bridge=new_bridge,
        fetching=new_fetching,
        rescues=new_rescues,
        before_close=new_before_close,
        session_settings=new_settings,
        blockers=new_blockers,
        requests=new_requests,
        console=console.reduce(old.console, received, new_targets, new_frames),
    )
    is_lost = old.link.is_up and new_link.state in ("reconnecting", "lost")
    world, settling = _lose(world, now) if is_lost else _settle(world, now)
    served, serving = _serve(state, received, world)
    rescuing = (*rescuing, *_set_up_again(old.rescues, served.world))
    # What depends on `Page.enable` comes after it, and a new page is let run when all that watches it is set up.
    setting_up = (*attaching, *rescuing, *asking, *switching, *watching, *listening)
    setting_up = (*setting_up, *ownership.release(new_tabs, received, new_targets, new_link))
    answering = (*answering, *dismissing, *staying, *settling)
    reached = (*connecting, *setting_up, *opening, *following)  # a page is set up before it is navigated
    served = replace(served, feed=change_feed.reduce(state.feed, old, served.world, now))
    return served, (*reached, *answering, *serving)


def _serve(state: State, received: Input, world: World) -> tuple[State, Effects]:
    """What becomes of the calls of callers, and of the pages that they leave. `world` is as after this input."""
    new_calls, calling = calls.reduce(state.calls, received, world)
    new_hangs, probing = responsiveness.reduce(state.hangs, received, state.calls, new_calls, world.targets)
    new_departures, leaving = leave_page.reduce(state.departures, received, world)
    new_dialogs, clearing = _make_way(world.dialogs, new_calls, new_departures)  # for what this input brought
    ending = (new_calls.ending | new_departures.closing) if world.link.is_up else frozenset[str]()
    new_before_close, evacuating = before_close.leave(world.before_close, world.targets, ending)
    world = replace(world, dialogs=new_dialogs, before_close=new_before_close)
    effects = (*calling, *probing, *leaving, *clearing, *evacuating)
    return replace(state, world=world, calls=new_calls, hangs=new_hangs, departures=new_departures), effects


def _make_way(dialogs: Dialogs, calls: Calls, leaving: Departures) -> tuple[Dialogs, Effects]:
    """Dismiss the dialogs that stand in the way of a page's end."""
    dialogs, first = before_close.dismiss(dialogs, calls.ending | leaving.closing)
    dialogs, then = leave_page.dismiss(leaving, dialogs)
    return dialogs, (*first, *then)


def _set_up_again(old: Rescues, world: World) -> Effects:
    """A page that is rid of its dialog is watched as when it was attached: `Page.disable` has ended all of that. Its
    iframes are asked whether they live: what they opened meanwhile, nobody saw."""
    again = old.pages.keys() - world.rescues.pages.keys()
    effects = sessions.listen(world.targets, again)
    for session in world.targets.sessions.values():
        if session.target_id in again:
            effects = (*effects, *sessions.set_up(session))
        elif session.page_id in again:
            effects = (*effects, *sessions.ask(session))
    return effects


def _lose(world: World, now: float) -> tuple[World, Effects]:
    """The connection is gone: keep what may be there when it comes back, and end what cannot."""
    reason = world.link.reason
    new_targets, disarming = sessions.lose(world.targets)
    new_bridge, new_fetching, new_dialogs, handing_over = bridging.lose(world, reason, now)
    new_dialogs, freezing = reconnect.lose(new_dialogs, reason, now)
    new_rescues, pausing = detached_frames.pause(world.rescues)
    new_before_close, staying = before_close.lose(world.before_close)
    new_blockers, telling = blockers.lose(world.blockers, reason)
    new_tabs, refusing = ownership.lose(world.tabs, reason)
    new_frames, settling = frames.lose(world.frames)
    world = replace(
        world,
        tabs=new_tabs,
        targets=new_targets,
        frames=new_frames,
        dialogs=new_dialogs,
        bridge=new_bridge,
        fetching=new_fetching,
        rescues=new_rescues,
        before_close=new_before_close,
        session_settings=session_settings.lose(world.session_settings),
        blockers=new_blockers,
        requests=failed_requests.lose(world.requests),
    )
    return world, (*disarming, *freezing, *handing_over, *pausing, *staying, *telling, *refusing, *settling)


def _settle(world: World, now: float) -> tuple[World, Effects]:
    """What follows from several slices together."""
    new_dialogs, closing = reconnect.reconcile(world.dialogs, world.frames, world.targets, now)
    get_page = () if world.targets.sessions else ownership.open_first(world.tabs)
    new_link, settling = lifecycle.settle(world.link, world.targets, get_page)
    opens_first = world.tabs.opens_first or (new_link.needs_page and not world.link.needs_page)
    new_tabs = replace(world.tabs, opens_first=opens_first)
    world = replace(world, link=new_link, tabs=new_tabs, dialogs=new_dialogs)
    return world, (*closing, *settling)
