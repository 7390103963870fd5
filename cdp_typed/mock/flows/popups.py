"""Pages that scripts open: who hears of them, whom they keep waiting, and what one may do to the other."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cdp_typed.mock.js.effects import Opens
from cdp_typed.mock.js.values import Window
from cdp_typed.mock.page.dialogs import cancel_all
from cdp_typed.mock.page.history import begin_history
from cdp_typed.mock.page.same_document import go_to_fragment, stays
from cdp_typed.mock.runtime.execution_contexts import add_context
from cdp_typed.mock.site import BLANK_URL, origin_of
from cdp_typed.mock.state.browser import Frame, Job, Navigation, Opening, Stage, Target
from cdp_typed.mock.state.step import Turn, home_of
from cdp_typed.mock.target.attachment import auto_attach_new, discoverers, info

__all__ = ["open_popup", "show_popup", "steer_page", "windows_of"]

_PLAIN_WINDOW = ("menubar", "toolbar", "status", "scrollbars", "resizable")


def windows_of(turn: Turn, frame: Frame) -> dict[str, bool]:
    """The pages that a script of the frame knows by their openers, and whether it may touch them."""
    mine = origin_of(home_of(frame))
    return {
        target.id: mine != "://" and origin_of(home_of(turn.state.frames[target.id])) == mine
        for target in turn.windows(frame.page)
    }


def open_popup(turn: Turn, frame: Frame, job: Job, opens: Opens) -> None:
    """`window.open`: without a gesture of the user, Chrome's popup blocker gives the script nothing."""
    gesture = frame.touched or (job.reply is not None and job.reply.user_gesture)
    words = [word.strip() for word in opens.features.split(",") if word.strip()]
    params = {
        "url": opens.url or BLANK_URL,
        "windowName": opens.name,
        "windowFeatures": _features(words),
        "userGesture": gesture,
    }
    turn.tell(frame.target, "Page.windowOpen", params)
    named = [target for target in turn.windows(frame.page) if target.window == opens.name != "_blank"]
    if named:
        if opens.url:
            steer_page(turn, named[0].id, opens.url)
        _answer(turn, job, Window(named[0].id))
    elif gesture:
        _open(turn, frame, job, opens, noopener="noopener" in words)
    else:
        _answer(turn, job, None)


def _features(words: list[str]) -> list[str]:
    sized = [word for word in words if "=" in word]
    return [*sized, "resizable"] if sized else [*_PLAIN_WINDOW, *words]


def _answer(turn: Turn, job: Job, window: Window | None) -> None:
    turn.next(replace(job, answers=(*job.answers, window)))


def _open(turn: Turn, frame: Frame, job: Job, opens: Opens, *, noopener: bool) -> None:
    opener = turn.state.targets[frame.page]
    page, tab = turn.new_id(), Target(turn.new_id(), "tab", "", context=opener.context)
    turn.put_target(tab)
    turn.emit(discoverers(turn, tab), "Target.targetCreated", {"targetInfo": info(turn, tab)})
    auto_attach_new(turn, tab, None)
    turn.put_target(replace(turn.state.targets[tab.id], page=page))
    if not noopener:
        turn.state = replace(turn.state, groups={**turn.state.groups, page: turn.group(frame.page)})
    home = "" if noopener else home_of(frame)
    empty = Frame(page, None, page, page, loader=turn.new_id(), inherits=home, loading="committing")
    turn.put_frame(empty)
    add_context(turn, empty)
    begin_history(turn, empty)
    target = Target(
        page, "page", page, opener=opener.id, opener_frame=frame.id, can_access_opener=not noopener,
        window="" if noopener else opens.name, context=opener.context,
    )  # fmt: skip
    turn.put_target(target)
    url = opens.url or BLANK_URL
    navigation = Navigation(page, url, turn.new_id(), replaces=True, transition="link")
    opening = Opening(navigation, None if noopener else job)
    turn.state = replace(turn.state, openings={**turn.state.openings, page: opening})
    auto_attach_new(turn, target, None)
    turn.emit(discoverers(turn, target), "Target.targetCreated", {"targetInfo": info(turn, target)})
    if noopener:
        _answer(turn, job, None)
    if not turn.state.targets[page].waiting:
        turn.then(Stage(page, empty.loader, "committing"))


def show_popup(turn: Turn, frame: Frame) -> None:
    """Nobody holds the page any more: the script that opened it goes on, and then its document arrives."""
    opening = turn.state.openings[frame.id]
    openings = {page: item for page, item in turn.state.openings.items() if page != frame.id}
    turn.state = replace(turn.state, openings=openings)
    navigation = opening.navigation
    if opening.job is not None:
        blank = navigation.url == BLANK_URL
        params: dict[str, Any] = {"frameId": frame.id, "reason": "other", "url": "" if blank else navigation.url}
        turn.tell(frame.id, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
        if not blank:
            _tell_start(turn, navigation)
        _answer(turn, opening.job, Window(frame.id))
    turn.then(navigation)


def _tell_start(turn: Turn, navigation: Navigation) -> None:
    params = {
        "frameId": navigation.frame,
        "url": navigation.url,
        "loaderId": navigation.loader,
        "navigationType": "differentDocument",
    }
    turn.tell(navigation.frame, "Page.frameStartedNavigating", params)
    turn.tell(navigation.frame, "Page.frameStartedLoading", {"frameId": navigation.frame})


def steer_page(turn: Turn, page: str, url: str) -> None:
    """A script gives another page of its group an address."""
    frame = turn.state.frames[page]
    if stays(frame, url):
        go_to_fragment(turn, frame, url)
        return
    params = {"frameId": page, "reason": "scriptInitiated", "url": url}
    turn.tell(page, "Page.frameScheduledNavigation", {**params, "delay": 0})
    turn.tell(page, "Page.frameRequestedNavigation", {**params, "disposition": "currentTab"})
    navigation = Navigation(page, url, turn.new_id(), transition="link")
    _tell_start(turn, navigation)
    turn.tell(page, "Page.frameClearedScheduledNavigation", {"frameId": page})
    cancel_all(turn, page)
    turn.then(navigation)
