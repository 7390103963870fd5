"""Open and closed dialogs, the rules and limits for them, and the workarounds under way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from supervisor.core.vocabulary.effects import Disarm, Effects
from supervisor.core.vocabulary.timers import AnswerRetry, BridgeProbe, DialogWatchdog
from supervisor.core.vocabulary.values import (
    ArmedDialogRule,
    ClosedBy,
    DialogPolicy,
    DialogRecord,
    DialogStorm,
    PendingDialog,
)


class DialogRate(Struct, frozen=True):
    """The times of a page's latest dialogs, and the storm while there are too many of them."""

    times: tuple[float, ...] = ()
    storm: DialogStorm | None = None


class DialogRateLimit(Struct, frozen=True, kw_only=True):
    """The limit, and the rate of each page that has opened dialogs lately, by target id."""

    limit: int = 20
    window_s: float = 5.0
    pages: Mapping[str, DialogRate] = {}

    @property
    def storms(self) -> tuple[DialogStorm, ...]:
        """The storms that have not ended."""
        return tuple(rate.storm for rate in self.pages.values() if rate.storm is not None)

    def is_exceeded_by(self, target_id: str) -> bool:
        """True while dialogs of this page are dismissed because there are too many."""
        rate = self.pages.get(target_id)
        return rate is not None and rate.storm is not None


class Rules(Struct, frozen=True, kw_only=True):
    """The dialog rules: those that callers have armed, which take precedence, and those of the settings."""

    armed: tuple[ArmedDialogRule, ...] = ()
    standing: tuple[ArmedDialogRule, ...] = ()
    count: int = 0
    """The number of all rules so far; the source of their ids."""

    @property
    def waiting(self) -> tuple[ArmedDialogRule, ...]:
        """All rules in their order of precedence."""
        return (*self.armed, *self.standing)


class PendingAnswer(Struct, frozen=True, kw_only=True):
    """An answer that was sent and not confirmed yet."""

    by: Literal["agent", "person", "auto_policy", "watchdog"]
    accept: bool
    prompt_text: str | None = None
    text_ignored: bool = False
    call_id: str | None = None
    rule_id: str | None = None
    note: str = ""
    tries: int = 1
    """The number of times that it was sent."""


class HeldRequest(Struct, frozen=True):
    """The held request of a dialog of the bridge, to which the answer is sent as a response."""

    request_id: str
    """The id of the `Fetch.requestPaused` event."""
    proof: str
    """The secret in each response, by which the script recognises the supervisor."""


class Dialog(Struct, frozen=True):
    """An open dialog, and the answer that was sent and is not confirmed, if any."""

    info: PendingDialog
    pending_answer: PendingAnswer | None = None
    held_request: HeldRequest | None = None
    """None for a dialog that the browser shows."""
    is_clients: bool = False
    """The browser shows no dialog and waits for a client's answer, as Chrome's old headless mode does. Measured on
    Chrome 131: a further dialog in the tab takes its answer, and no event tells its end when its document is replaced.
    """

    @property
    def blocks(self) -> bool:
        """It has not been answered: calls that it stops end as blocked."""
        return self.pending_answer is None

    @property
    def ends_with_its_page(self) -> bool:
        """The browser ends it when its page is navigated, as Chromium 156 does with dialogs that it shows.

        Measured on Chrome 131 and QtWebEngine 6.8: a navigation within its process waits for a dialog that only a
        client can answer.
        """
        return self.info.type == "beforeunload" or not (self.is_clients or self.held_request)

    @property
    def is_in_iframe(self) -> bool:
        """The browser shows it for an iframe: its frame id is not the target id of the page."""
        return self.held_request is None and self.info.frame_id != self.info.target_id


class Closed(Struct, frozen=True):
    """A closed dialog. `closed_by` in the record is provisional until the pending answer is confirmed."""

    record: DialogRecord
    pending_answer: PendingAnswer | None = None


class Dialogs(Struct, frozen=True, kw_only=True):
    """Open dialogs in the order of their opening, closed ones in the order of their closing."""

    policy: DialogPolicy = "must_respond"
    timeout_s: float = 300.0
    capacity: int = 20
    """The number of closed dialogs that are kept."""
    open: tuple[Dialog, ...] = ()
    closed: tuple[Closed, ...] = ()
    count: int = 0
    """The number of all dialogs so far; the source of their ids."""
    rules: Rules = Rules()
    rate_limit: DialogRateLimit = DialogRateLimit()

    def find(self, dialog_id: str) -> Dialog | None:
        """The open dialog with this id."""
        return next((dialog for dialog in self.open if dialog.info.id == dialog_id), None)

    def ids(self) -> tuple[str, ...]:
        """The ids of the open dialogs."""
        return tuple(dialog.info.id for dialog in self.open)


def put(dialogs: Dialogs, dialog: Dialog) -> Dialogs:
    """Replace an open dialog by another value of the same id."""
    changed = tuple(dialog if other.info.id == dialog.info.id else other for other in dialogs.open)
    return replace(dialogs, open=changed)


def close(
    dialogs: Dialogs,
    dialog: Dialog,
    now: float,
    *,
    accepted: bool = False,
    user_input: str = "",
    closed_by: ClosedBy | None = None,
    note: str = "",
) -> tuple[Dialogs, Effects]:
    """Move a dialog to the closed ones. Without `closed_by`, the pending answer decides who closed it; a dialog without
    one was closed by another client."""
    info, answer = dialog.info, dialog.pending_answer
    if answer is not None and closed_by is None:
        closed_by, note = answer.by, note or answer.note
    record = DialogRecord(
        id=info.id,
        type=info.type,
        message=info.message,
        url=info.url,
        frame_id=info.frame_id,
        target_id=info.target_id,
        opened_at=info.opened_at,
        closed_at=now,
        closed_by=closed_by or "remote",
        accepted=accepted,
        # Measured on Chromium 156: it echoes the sent text also for a confirm, and for a prompt that was dismissed.
        user_input=user_input if accepted and info.type == "prompt" else "",
        rule_id=answer.rule_id if answer else None,
        bridged=info.bridged,
        note=note or info.note,
    )
    dialogs = replace(
        dialogs,
        open=tuple(other for other in dialogs.open if other.info.id != info.id),
        closed=(*dialogs.closed, Closed(record, answer))[-dialogs.capacity :],
    )
    retry: Effects = (Disarm(AnswerRetry(info.id)),) if answer is not None and answer.tries > 1 else ()
    probe: Effects = (Disarm(BridgeProbe(info.id)),) if dialog.held_request is not None else ()
    return dialogs, (Disarm(DialogWatchdog(info.id)), *retry, *probe)


class DetachedFrameDialog(Struct, frozen=True):
    """A page with a dialog whose iframe was detached: its sessions whose `Page.disable` is not answered yet."""

    watching: frozenset[str]


class DetachedFrameDialogs(Struct, frozen=True, kw_only=True):
    """Pages with a dialog whose iframe was detached, by target id."""

    pages: Mapping[str, DetachedFrameDialog] = {}
    suspects: frozenset[str] = frozenset()
    """Sessions of iframes that were there when Page was enabled again in their page, and have not answered since: an
    unannounced dialog may stop them."""
    tried: frozenset[str] = frozenset()
    """Sessions because of which all dialogs of their page were ended; done once, as a long script looks the same."""


class BeforeClose(Struct, frozen=True):
    """The target ids of pages that are navigated to `about:blank` before they are closed."""

    going_to_blank: frozenset[str] = frozenset()
    stuck: frozenset[str] = frozenset()
    """Pages whose navigation failed: they are closed with Page disabled in all sessions of the supervisor."""
