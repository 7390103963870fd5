"""A supervisor that meets a browser, and what the browser says of its pages."""

from __future__ import annotations

from typing import Any

from cdp_typed.protocol import runtime, target
from supervisor.core.state.pages import PageOwnership
from supervisor.core.vocabulary import command_tags, inputs
from supervisor.core.vocabulary.effects import Effect, Send
from tests.support.core.play import Core


def begin(**settings: Any) -> Core:
    """A supervisor that has just met its browser."""
    return Core().having(page_ownership=PageOwnership(**settings)).after(inputs.Connected())


def announced(core: Core) -> list[Effect]:
    """Have the browser say that it has announced all pages."""
    return core.play(inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None))


def created(target_id: str, tag: command_tags.Tag) -> inputs.CommandSucceeded:
    """The reply that a page was opened."""
    return inputs.CommandSucceeded(tag, target.CreateTargetResult(target_id=target.TargetID(target_id)))


def pages(core: Core) -> list[str]:
    """The pages that a snapshot shows."""
    return [page_info.target_id for page_info in core.seen.pages]


def left(session_id: str) -> list[Effect]:
    """The commands for a page outside the scope."""
    return [
        Send(command=runtime.RunIfWaitingForDebugger(), session_id=session_id),
        Send(command=target.DetachFromTarget(session_id=target.SessionID(session_id)), session_id=None),
    ]
