"""Pages that a person gives to the agent, and takes back.

A given page is within the scope and managed. With the scopes `tab` and `own` the supervisor attaches to it, and
detaches when the person takes it back: Chromium undoes the settings of a session that ends.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from cdp_typed.protocol import target
from supervisor.core.state.connection import ConnectionState
from supervisor.core.state.pages import PageOwnership, Targets
from supervisor.core.vocabulary.command_tags import PageGiven, PageSought
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effects, Send
from supervisor.core.vocabulary.errors import NotRunning, UnknownPage
from supervisor.core.vocabulary.inputs import CommandFailed, CommandSucceeded, Input
from supervisor.core.vocabulary.requests import GiveRequested, TakeBackRequested

Step: TypeAlias = tuple[PageOwnership, Targets, Effects]


def advance(ownership: PageOwnership, received: Input, targets: Targets, connection: ConnectionState) -> Step:
    """Give a page or take it back. `targets` is the slice after this input."""
    match received:
        case GiveRequested(call_id) | TakeBackRequested(call_id) if not connection.is_up:
            return ownership, targets, (CompleteCall(call_id, connection.end or NotRunning(connection.state)),)
        case GiveRequested(call_id, target_id) if targets.page(target_id) is not None:
            given = replace(ownership, given=ownership.given | {target_id})
            return given, targets, (CompleteCall(call_id, CommandResult(None)),)
        case GiveRequested(call_id, target_id):
            sought = target.GetTargetInfo(target_id=target.TargetID(target_id))
            giving = replace(ownership, giving={**ownership.giving, call_id: target_id})
            return giving, targets, (Send(command=sought, session_id=None, tag=PageSought(call_id)),)
        case CommandSucceeded(PageSought(call_id), target.GetTargetInfoResult(target_info=info)) if (
            info.type == "page" and call_id in ownership.giving and info.target_id not in ownership.given
        ):
            attach = target.AttachToTarget(target_id=info.target_id, flatten=True)
            given = replace(ownership, given=ownership.given | {info.target_id})
            return given, targets, (Send(command=attach, session_id=None, tag=PageGiven(call_id)),)
        case CommandSucceeded(PageSought(call_id) | PageGiven(call_id)) | CommandFailed(
            PageSought(call_id) | PageGiven(call_id)
        ) if call_id in ownership.giving:
            return _end(ownership, call_id, targets)
        case TakeBackRequested(call_id, target_id):
            return _take_back(ownership, call_id, target_id, targets)
        case _:
            return ownership, targets, ()


def _end(ownership: PageOwnership, call_id: str, targets: Targets) -> Step:
    """End a call that gives a page: it is there, or it is none."""
    target_id = ownership.giving[call_id]
    left = {key: given for key, given in ownership.giving.items() if key != call_id}
    ownership = replace(ownership, giving=left)
    if targets.page(target_id) is not None:
        return ownership, targets, (CompleteCall(call_id, CommandResult(None)),)
    if target_id not in left.values():
        ownership = replace(ownership, given=ownership.given - {target_id})
    return ownership, targets, (CompleteCall(call_id, UnknownPage(target_id)),)


def _take_back(ownership: PageOwnership, call_id: str, target_id: str, targets: Targets) -> Step:
    """Leave a given page alone: its sessions end, or with every page in the scope it is only watched."""
    if target_id not in ownership.given:
        return ownership, targets, (CompleteCall(call_id, UnknownPage(target_id)),)
    ownership = replace(ownership, given=ownership.given - {target_id}, adopted=ownership.adopted - {target_id})
    done = CompleteCall(call_id, CommandResult(None))
    if ownership.covers_all:
        if targets.current == target_id:
            managed = [page.target_id for page in targets.pages() if ownership.manages(page.target_id)]
            targets = replace(targets, current=managed[-1] if managed else None)
        return ownership, targets, (done,)
    session = targets.page(target_id)
    # The spare sessions end first: each would take the place of the one that ends.
    spares = [key for key, spare in targets.spares.items() if spare.target_info.target_id == target_id]
    ending = (*spares, *([session.session_id] if session is not None else ()))
    return ownership, targets, (*(detach(key) for key in ending), done)


def detach(session_id: str) -> Send:
    """The command that ends a session of the browser's own connection."""
    return Send(command=target.DetachFromTarget(session_id=target.SessionID(session_id)), session_id=None)
