"""What the scripts of a page do to where it is: addresses, fragments, steps of its history."""

from __future__ import annotations

from cdp_typed.mock.flows.navigation import travel
from cdp_typed.mock.js.effects import Goes, Pushes, Reloads, Travels
from cdp_typed.mock.page.history import entry_at
from cdp_typed.mock.page.same_document import go_to_fragment, push_state, stays
from cdp_typed.mock.state.browser import Departure, Frame, Place
from cdp_typed.mock.state.step import Turn

__all__ = ["move", "place_of"]


def place_of(turn: Turn, frame: Frame) -> Place:
    """Where a script of the frame begins."""
    history = turn.state.histories.get(frame.page)
    return Place(frame.url, frame.title, (0, 1) if history is None else (history.index, len(history.entries)))


def move(turn: Turn, frame: Frame, effect: Goes | Reloads | Pushes | Travels) -> None:
    """A script goes elsewhere: within the document at once, otherwise when the script has ended."""
    match effect:
        case Goes(url, replaces) if stays(frame, url):
            go_to_fragment(turn, frame, url, replaces=replaces)
        case Goes(url, replaces):
            _schedule(turn, frame, Departure(frame.id, url, replaces=replaces), "scriptInitiated")
        case Reloads():
            _schedule(turn, frame, Departure(frame.id, frame.url, reload=True), "reload")
        case Pushes(url, replaces):
            push_state(turn, frame, url, replaces=replaces)
        case _:
            entry = entry_at(turn, frame.page, effect.delta)
            if entry is not None:
                travel(turn, frame.page, entry)


def _schedule(turn: Turn, frame: Frame, departure: Departure, reason: str) -> None:
    params = {"frameId": frame.id, "reason": reason, "url": departure.url}
    turn.tell(frame.target, "Page.frameScheduledNavigation", {**params, "delay": 0})
    turn.tell(frame.target, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    turn.tell(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})
    turn.then(departure)
