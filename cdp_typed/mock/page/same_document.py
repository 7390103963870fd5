"""Navigations that stay in their document: fragments, `history.pushState` and steps between such entries."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from cdp_typed.mock.page.history import record
from cdp_typed.mock.state.browser import Frame, Navigation
from cdp_typed.mock.state.step import Turn
from cdp_typed.mock.target.attachment import info_changed

__all__ = ["arrive", "go_to_fragment", "push_state", "stays"]


def stays(frame: Frame, url: str) -> bool:
    """Whether an address differs from the frame's own in its fragment only, and has one."""
    place, mark, _ = url.partition("#")
    return bool(mark) and not frame.unreachable and place == frame.url.partition("#")[0]


def go_to_fragment(turn: Turn, frame: Frame, url: str, *, replaces: bool = False) -> None:
    """A script sets `location` to a fragment of the same document: that has happened when the script goes on."""
    params = {"frameId": frame.id, "delay": 0, "reason": "scriptInitiated", "url": url}
    turn.tell(frame.target, "Page.frameScheduledNavigation", params)
    turn.tell(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    arrive(turn, Navigation(frame.id, url, frame.loader, replaces=replaces, same_document=True, transition="link"))
    turn.tell(frame.target, "Page.frameClearedScheduledNavigation", {"frameId": frame.id})


def push_state(turn: Turn, frame: Frame, url: str, *, replaces: bool = False) -> None:
    """`history.pushState` or `replaceState`: like a fragment, without its schedule."""
    turn.tell(frame.target, "Page.frameStartedLoading", {"frameId": frame.id})
    navigation = Navigation(
        frame.id, url, frame.loader, replaces=replaces, same_document=True, pushes=True, transition="link"
    )
    arrive(turn, navigation, kind="historyApi")


def arrive(turn: Turn, navigation: Navigation, *, kind: Literal["fragment", "historyApi"] = "fragment") -> None:
    """The frame has another address, and the document is what it was."""
    frame = replace(turn.state.frames[navigation.frame], url=navigation.url)
    turn.put_frame(frame)
    if frame.id == frame.page:
        record(turn, frame, navigation)
    if frame.id == frame.target:
        target = replace(turn.state.targets[frame.target], url=frame.url)
        turn.put_target(target)
        info_changed(turn, target)
    params = {"frameId": frame.id, "url": frame.url, "navigationType": kind}
    turn.tell(frame.target, "Page.navigatedWithinDocument", params)
    turn.tell(frame.target, "Page.frameStoppedLoading", {"frameId": frame.id})
