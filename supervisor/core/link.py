"""Slice: the connection to the browser, and when the first picture of it is complete."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.errors import ConnectionLost
from cdp_typed.protocol import target

from .effects import CommandResult, Effects, Send, Tell
from .inputs import (
    Answered,
    AutoAttach,
    FirstPage,
    Input,
    LinkLost,
    LinkUp,
    Refused,
    StopRequested,
)
from .targets import PAGES_ONLY, Targets
from .values import LinkState

START = "start"
"""The call id under which the outcome of the start is told."""


class Link(Struct, frozen=True):
    """How far the supervisor has come with its browser."""

    state: LinkState = "connecting"
    reason: str = ""
    announced: bool = False
    """The browser has announced every page that existed when we came."""
    needs_page: bool = False
    """It had none; one is being opened."""

    @property
    def is_up(self) -> bool:
        """Commands can be sent."""
        return self.state in ("attaching", "ready")


def reduce(link: Link, received: Input) -> tuple[Link, Effects]:
    """Follow the connection; ask for every page as soon as it is open."""
    match received:
        case LinkUp() if link.state == "connecting":
            attach = target.SetAutoAttach(
                auto_attach=True, wait_for_debugger_on_start=True, flatten=True, filter=PAGES_ONLY
            )
            return replace(link, state="attaching"), (Send(command=attach, session_id=None, tag=AutoAttach()),)
        case Answered(AutoAttach()):
            return replace(link, announced=True), ()
        case Refused(AutoAttach() | FirstPage(), error) if link.state == "attaching":
            return replace(link, state="lost", reason=str(error)), (Tell(START, error),)
        case LinkLost(reason) if link.state not in ("lost", "stopped"):
            told = (Tell(START, ConnectionLost(reason)),) if link.state != "ready" else ()
            return replace(link, state="lost", reason=reason), told
        case StopRequested(reason):
            return replace(link, state="stopped", reason=reason), ()
        case _:
            return link, ()


def settle(link: Link, targets: Targets) -> tuple[Link, Effects]:
    """Become ready once every announced page has answered, or has been found not to."""
    if link.state != "attaching" or not link.announced:
        return link, ()
    if not targets.sessions:
        if link.needs_page:
            return link, ()
        create = target.CreateTarget(url="about:blank")
        return replace(link, needs_page=True), (Send(command=create, session_id=None, tag=FirstPage()),)
    if not all(session.is_settled for session in targets.sessions.values()):
        return link, ()
    return replace(link, state="ready"), (Tell(START, CommandResult(None)),)
