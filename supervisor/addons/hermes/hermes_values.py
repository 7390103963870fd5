"""The values of Hermes Agent's supervisor, made from this package's values."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.core.vocabulary.values import DialogRecord, FrameInfo, FrameTree, PendingDialog, SupervisorSnapshot
from supervisor.tools import shown


class _AnyDialog(Struct, frozen=True, kw_only=True):
    """The fields that open and closed dialogs share."""

    id: str
    type: str
    message: str
    opened_at: float
    frame_id: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields that a model is shown."""
        return {
            "id": self.id,
            "type": self.type,
            "message": shown(self.message),
            "opened_at": self.opened_at,
            "frame_id": self.frame_id,
        }


class HermesDialog(_AnyDialog, frozen=True, kw_only=True):
    """A dialog that is open."""

    default_prompt: str
    cdp_session_id: str

    def to_dict(self) -> dict[str, Any]:
        """The fields that a model is shown."""
        return {**super().to_dict(), "default_prompt": shown(self.default_prompt)}


class HermesDialogRecord(_AnyDialog, frozen=True, kw_only=True):
    """A dialog that is closed."""

    closed_at: float
    closed_by: str

    def to_dict(self) -> dict[str, Any]:
        """The fields that a model is shown."""
        return {**super().to_dict(), "closed_at": self.closed_at, "closed_by": self.closed_by}


class HermesConsoleEvent(Struct, frozen=True, kw_only=True):
    """A console message or an uncaught exception."""

    ts: float
    """Seconds since the epoch."""
    level: str
    text: str
    url: str | None


class HermesSnapshot(Struct, frozen=True, kw_only=True):
    """The state of the supervisor."""

    pending_dialogs: tuple[HermesDialog, ...]
    recent_dialogs: tuple[HermesDialogRecord, ...]
    frame_tree: dict[str, Any]
    console_errors: tuple[HermesConsoleEvent, ...]
    active: bool
    """False when it is stopped, or has lost its browser for good."""
    cdp_url: str
    task_id: str
    page_target_id: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields that are merged into the result of `browser_snapshot`."""
        merged: dict[str, Any] = {
            "pending_dialogs": [dialog.to_dict() for dialog in self.pending_dialogs],
            "frame_tree": self.frame_tree,
        }
        if self.recent_dialogs:
            merged["recent_dialogs"] = [dialog.to_dict() for dialog in self.recent_dialogs]
        if self.page_target_id:
            merged["page_target_id"] = self.page_target_id
        return merged

    def __repr__(self) -> str:
        return f"<HermesSnapshot of task {self.task_id!r}, {len(self.pending_dialogs)} dialogs>"


class HermesFrame(Struct, frozen=True):
    """A frame of the page."""

    frame: FrameInfo

    def to_dict(self) -> dict[str, Any]:
        """The fields that a model is shown; `session_id` only for a frame in its own process."""
        fields: dict[str, Any] = {
            "frame_id": self.frame.frame_id,
            "url": shown(self.frame.url),
            "origin": shown(self.frame.origin),
            "is_oopif": self.frame.is_oopif,
        }
        if self.frame.is_oopif:
            fields["session_id"] = self.frame.session_id
        if self.frame.parent_id:
            fields["parent_frame_id"] = self.frame.parent_id
        if self.frame.name:
            fields["name"] = shown(self.frame.name)
        return fields


def dialog_of(dialog: PendingDialog) -> HermesDialog:
    """Return a dialog in Hermes' shape."""
    return HermesDialog(
        id=dialog.id,
        type=dialog.type,
        message=dialog.message,
        default_prompt=dialog.default_prompt,
        opened_at=dialog.opened_at,
        cdp_session_id=dialog.session_id,
        frame_id=dialog.frame_id,
    )


def snapshot_of(now: SupervisorSnapshot | None, task_id: str, cdp_url: str, active: bool) -> HermesSnapshot:
    """Return a snapshot in Hermes' shape; of a supervisor that was never started, an empty one."""
    current = [page.target_id for page in now.pages if page.is_current] if now else []
    return HermesSnapshot(
        pending_dialogs=tuple(dialog_of(dialog) for dialog in now.pending_dialogs) if now else (),
        recent_dialogs=tuple(_record(record) for record in now.recent_dialogs) if now else (),
        frame_tree=frame_tree_of(now.frame_tree if now else None),
        console_errors=tuple(_event(message) for message in now.console) if now else (),
        active=active,
        cdp_url=cdp_url,
        task_id=task_id,
        page_target_id=current[0] if current else None,
    )


def frame_tree_of(tree: FrameTree | None) -> dict[str, Any]:
    """Return the frames as plain data: `session_id` only for those in their own process."""
    top = tree.top if tree else None
    return {
        "top": HermesFrame(top).to_dict() if top else None,
        "children": [HermesFrame(frame).to_dict() for frame in tree.children] if tree else [],
        "truncated": bool(tree and tree.truncated),
    }


def _record(record: DialogRecord) -> HermesDialogRecord:
    return HermesDialogRecord(**{name: getattr(record, name) for name in HermesDialogRecord.__struct_fields__})


def _event(message: ConsoleMessage) -> HermesConsoleEvent:
    return HermesConsoleEvent(
        ts=message.timestamp / 1000, level=message.level, text=message.text, url=message.url or None
    )
