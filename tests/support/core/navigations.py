"""Requests to leave a page, and what comes of them, as inputs of the core."""

from __future__ import annotations

from typing import Any

from cdp_typed import Command
from cdp_typed.protocol import network, page
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.effects import CommandResult
from tests.support.core.play import PAGE, TOP, Core, frame, on, sent

REPLY = command_tags.NavigationReply("leave")
DEADLINE = timers.NavigationDeadline("leave")
URL = "http://c.test/"
BLANK = page.Navigate(url="about:blank")
DONE = {"leave": CommandResult(None)}


def leave(
    work: requests.ReloadPage | requests.NavigatePage | requests.ClosePage, page_id: str | None = None
) -> requests.NavigationRequested:
    return requests.NavigationRequested(call_id="leave", page_id=page_id, work=work, timeout_s=30.0)


RELOAD, NAVIGATE, CLOSE = leave(requests.ReloadPage()), leave(requests.NavigatePage(URL)), leave(requests.ClosePage())


def shows(loader: str, url: str = URL) -> inputs.EventReceived:
    """The page's top frame shows another document."""
    return on(PAGE, page.FrameNavigated(frame=frame(TOP, url, loader=loader), type="Navigation"))


def starts(loader: str, url: str = URL) -> inputs.EventReceived:
    """The page's top frame begins to navigate."""
    event = page.FrameStartedNavigating(
        frame_id=page.FrameId(TOP), url=url, loader_id=network.LoaderId(loader), navigation_type="reload"
    )
    return on(PAGE, event)


def commands(core: Core, *received: inputs.Input) -> list[Command[Any]]:
    return [send.command for send in sent(core.play(*received))]
