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


class Weather(Struct, frozen=True):
    """When a page opened its latest dialogs, and the storm that they make, if they do."""

    times: tuple[float, ...] = ()
    storm: DialogStorm | None = None


class Storms(Struct, frozen=True, kw_only=True):
    """The weather of every page that has opened dialogs lately, by its target id."""

    limit: int = 20
    window_s: float = 5.0
    pages: Mapping[str, Weather] = {}

    @property
    def raging(self) -> tuple[DialogStorm, ...]:
        """The storms that are not over."""
        return tuple(weather.storm for weather in self.pages.values() if weather.storm is not None)

    def rages(self, target_id: str) -> bool:
        """Whether this page's dialogs are to be dismissed."""
        weather = self.pages.get(target_id)
        return weather is not None and weather.storm is not None


class Rules(Struct, frozen=True, kw_only=True):
    """The rules that wait for dialogs: those that callers armed, asked first and in that order, and those of the
    settings."""

    armed: tuple[ArmedDialogRule, ...] = ()
    standing: tuple[ArmedDialogRule, ...] = ()
    count: int = 0
    """How many rules there ever were; the source of their ids."""

    @property
    def waiting(self) -> tuple[ArmedDialogRule, ...]:
        """All of them, in the order in which they are asked."""
        return (*self.armed, *self.standing)


RECENT = 20


class Answering(Struct, frozen=True, kw_only=True):
    """An answer that was sent and not confirmed yet."""

    by: Literal["agent", "auto_policy", "watchdog"]
    accept: bool
    prompt_text: str | None = None
    text_ignored: bool = False
    call_id: str | None = None
    rule_id: str | None = None
    note: str = ""
    tries: int = 1
    """How often it was sent."""


class Bridged(Struct, frozen=True):
    """How a dialog of the bridge is answered."""

    request_id: str
    """Of the request that the browser holds for us."""
    proof: str
    """What the page's side takes the answer for ours by."""


class Dialog(Struct, frozen=True):
    """An open dialog, and the answer on its way, if any."""

    info: PendingDialog
    answering: Answering | None = None
    way: Bridged | None = None
    """None for a dialog that the browser shows."""
    is_clients: bool = False
    """The browser shows nothing and only waits for an answer of ours, as Chrome's old headless mode does. Measured on
    Chrome 131: a further one in its tab takes its answer, and nobody is told of its end when its document is replaced.
    """

    @property
    def blocks(self) -> bool:
        """Somebody has yet to do something about it."""
        return self.answering is None

    @property
    def ends_with_its_page(self) -> bool:
        """The browser ends it when its page is navigated, as Chromium 156 does with those that it shows.

        Measured on Chrome 131 and QtWebEngine 6.8: a navigation within its process waits for a script that asks us.
        """
        return self.info.type == "beforeunload" or not (self.is_clients or self.way)

    @property
    def is_in_iframe(self) -> bool:
        """The browser shows it, not for the page's top document, whose frame has the id of the page's target."""
        return self.way is None and self.info.frame_id != self.info.target_id


class Closed(Struct, frozen=True):
    """A closed dialog whose answer is not confirmed yet: until then, who closed it is provisional."""

    record: DialogRecord
    answering: Answering | None = None


class Dialogs(Struct, frozen=True, kw_only=True):
    """Open dialogs in the order of their opening, closed ones in the order of their closing."""

    policy: DialogPolicy = "must_respond"
    timeout_s: float = 300.0
    open: tuple[Dialog, ...] = ()
    closed: tuple[Closed, ...] = ()
    count: int = 0
    """How many dialogs there ever were; the source of their ids."""
    rules: Rules = Rules()
    storms: Storms = Storms()

    def find(self, dialog_id: str) -> Dialog | None:
        """The open dialog with this id."""
        return next((dialog for dialog in self.open if dialog.info.id == dialog_id), None)

    def ids(self) -> tuple[str, ...]:
        """The ids of the open dialogs."""
        return tuple(dialog.info.id for dialog in self.open)


def put(dialogs: Dialogs, dialog: Dialog) -> Dialogs:
    """The same with another value for one open dialog."""
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
    """Move a dialog to the closed ones. Whoever has an answer on its way is taken for the one who closed it, unless
    `closed_by` says otherwise; without one, it was somebody else."""
    info, answering = dialog.info, dialog.answering
    if answering is not None and closed_by is None:
        closed_by, note = answering.by, note or answering.note
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
        user_input=user_input if accepted and info.type == "prompt" else "",  # the browser echoes what was sent
        rule_id=answering.rule_id if answering else None,
        bridged=info.bridged,
        note=note or info.note,
    )
    dialogs = replace(
        dialogs,
        open=tuple(other for other in dialogs.open if other.info.id != info.id),
        closed=(*dialogs.closed, Closed(record, answering))[-RECENT:],
    )
    retry: Effects = (Disarm(AnswerRetry(info.id)),) if answering is not None and answering.tries > 1 else ()
    probe: Effects = (Disarm(BridgeProbe(info.id)),) if dialog.way is not None else ()
    return dialogs, (Disarm(DialogWatchdog(info.id)), *retry, *probe)


class Rescue(Struct, frozen=True):
    """A page that has such a dialog: its sessions that were not yet told to say nothing of dialogs."""

    watching: frozenset[str]


class Rescues(Struct, frozen=True, kw_only=True):
    """The rescues under way, by the target id of the page."""

    pages: Mapping[str, Rescue] = {}
    suspects: frozenset[str] = frozenset()
    """Sessions of iframes that were there when their page was watched again, and have not answered since: a dialog that
    nobody saw may stop them."""
    tried: frozenset[str] = frozenset()
    """Those whose page was rid of all dialogs because of them. It is done once: a long script looks the same."""


class BeforeClose(Struct, frozen=True):
    """The pages that are left before they are closed, by target id."""

    leaving: frozenset[str] = frozenset()
    stuck: frozenset[str] = frozenset()
    """Those that could not be left: they are closed while nobody of us is told of dialogs."""
