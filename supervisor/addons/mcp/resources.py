"""Dialogs, frames, console and status as resources."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)
from msgspec import Struct

from cdp_typed.errors import CDPError
from supervisor.cli.session_agent import SessionAgent
from supervisor.core.vocabulary.values import ChangeKind, SupervisorSnapshot
from supervisor.status import Status
from supervisor.tools.browser.snapshot import ClosedDialogView, FrameTreeView, closed_view, tree_view
from supervisor.tools.framework.results import BlockerView, DialogView, blocker_view, dialog_view
from supervisor.tools.framework.untrusted_text import PageText, sanitise

DIALOGS, FRAMES, CONSOLE, STATUS = "cdp://dialogs", "cdp://frames", "cdp://console", "cdp://status"


class DialogsView(Struct, frozen=True, kw_only=True):
    """Open and recent dialogs."""

    pending_dialogs: list[DialogView]
    recent_dialogs: list[ClosedDialogView]


class PageView(Struct, frozen=True, kw_only=True):
    """A tab."""

    target_id: str
    url: PageText
    status: str
    is_current: bool


class FramesView(Struct, frozen=True, kw_only=True):
    """The tabs, and the frames of the current one."""

    pages: list[PageView]
    frame_tree: FrameTreeView


class MessageView(Struct, frozen=True, kw_only=True):
    """A line of a console."""

    seq: int
    level: str
    text: PageText
    url: PageText
    frame_id: str | None
    timestamp: float


class ConsoleView(Struct, frozen=True, kw_only=True):
    """The last messages of all consoles."""

    messages: list[MessageView]
    dropped: int


class StatusView(Struct, frozen=True, kw_only=True):
    """The state of the supervisor, and the blockers besides dialogs."""

    status: Status
    blockers: list[BlockerView]


def _dialogs(now: SupervisorSnapshot, status: Status) -> Struct:
    return DialogsView(
        pending_dialogs=[dialog_view(dialog, now) for dialog in now.pending_dialogs],
        recent_dialogs=[closed_view(record) for record in now.recent_dialogs],
    )


def _frames(now: SupervisorSnapshot, status: Status) -> Struct:
    return FramesView(pages=[_view(PageView, page) for page in now.pages], frame_tree=tree_view(now.frame_tree))


def _console(now: SupervisorSnapshot, status: Status) -> Struct:
    return ConsoleView(messages=[_view(MessageView, message) for message in now.console], dropped=now.console_dropped)


def _status(now: SupervisorSnapshot, status: Status) -> Struct:
    return StatusView(status=status, blockers=[blocker_view(blocker, now) for blocker in now.blockers])


def _view(kind: Any, value: Struct) -> Any:
    return kind(**{name: getattr(value, name) for name in kind.__struct_fields__})


_RESOURCES: Mapping[str, tuple[str, str, Callable[[SupervisorSnapshot, Status], Struct]]] = {
    DIALOGS: ("dialogs", "Open JavaScript dialogs, and the last twenty that were closed.", _dialogs),
    FRAMES: ("frames", "The tabs, and the frames of the current one.", _frames),
    CONSOLE: ("console", "The last messages of all consoles.", _console),
    STATUS: ("status", "The connection to the browser, and what blocks pages besides dialogs.", _status),
}

ALL = tuple(_RESOURCES)

_BY_KIND: Mapping[ChangeKind, tuple[str, ...]] = {
    "link": (STATUS,),
    "page_opened": (FRAMES,),
    "page_closed": (FRAMES,),
    "page_status": (FRAMES, STATUS),
    "frame_attached": (FRAMES,),
    "frame_navigated": (FRAMES,),
    "frame_detached": (FRAMES,),
    "dialog_opened": (DIALOGS,),
    "dialog_closed": (DIALOGS,),
    "blocker_opened": (STATUS,),
    "blocker_closed": (STATUS,),
    "console": (CONSOLE,),
}


def touched_by(kind: ChangeKind) -> tuple[str, ...]:
    """The resources that a change of this kind makes different."""
    return _BY_KIND.get(kind, ())


def list_resources() -> ListResourcesResult:
    """All of them, always: without a connection they say so."""
    return ListResourcesResult(
        resources=[
            Resource(uri=uri, name=name, description=description, mime_type="application/json")
            for uri, (name, description, _) in _RESOURCES.items()
        ],
        cache_scope="private",
        ttl_ms=0,
    )


def check_uri(uri: str) -> None:
    """Raise `MCPError` for a resource that there is not."""
    if uri not in _RESOURCES:
        raise MCPError(INVALID_PARAMS, f"there is no such resource; there are: {', '.join(_RESOURCES)}")


async def read_resource(agent: SessionAgent, uri: str) -> ReadResourceResult:
    """A resource as JSON. What comes from pages is shown safely, and named under `untrusted`. Raises `MCPError`."""
    check_uri(uri)
    try:
        now = await agent.snapshot()
        status = await agent.status()
    except CDPError as error:
        raise MCPError(INTERNAL_ERROR, str(agent.without_secrets(str(error)))) from None
    if now is None:
        reported: Any = {"state": "not connected to a browser"}
    else:
        view = _RESOURCES[uri][2](now, status)
        clean, untrusted = sanitise(msgspec.to_builtins(view), type(view))
        reported = {**clean, "untrusted": list(untrusted)} if untrusted else clean
    text = json.dumps(agent.without_secrets(reported), ensure_ascii=True)
    contents: list[Any] = [TextResourceContents(uri=uri, mime_type="application/json", text=text)]
    return ReadResourceResult(contents=contents, cache_scope="private", ttl_ms=0)
