"""Reports made by hand for tests of the viewer: a short one with everything in it, and one of any length."""

# ruff: noqa: E501
# Each value of these stands on one line.

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import msgspec
from msgspec.structs import replace

from cdp_typed.wire.json_text import is_array, is_object
from supervisor.addons.report import model
from supervisor.addons.report.story.actions import actions_of
from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.core.vocabulary.values import (
    DialogRecord,
    FailedRequest,
    FrameInfo,
    FrameTree,
    PageInfo,
    PendingDialog,
    SupervisorSnapshot,
)

__all__ = ["PAY", "SHOP", "FlightBuilder", "long_flight", "message", "short_flight"]

KEYFRAMES_EVERY = 50


def empty() -> SupervisorSnapshot:
    """A supervisor that has seen nothing."""
    nothing: dict[str, Any] = dict.fromkeys(
        ("pages", "pending_dialogs", "recent_dialogs", "console", "blockers", "failed_requests"), ()
    )
    tree = FrameTree(top=None, children=(), truncated=False, total=0)
    return SupervisorSnapshot(
        state="connecting", reason="", frame_tree=tree, console_dropped=0, console_counts={}, cursor=0, **nothing
    )


def _patch(before: dict[str, Any], after: dict[str, Any]) -> model.Patch:
    patch: model.Patch = [["delete", [name]] for name in before if name not in after]
    for name, value in after.items():
        old = before.get(name)
        if old == value:
            continue
        if is_array(old) and is_array(value):
            same = next((n for n, pair in enumerate(zip(old, value, strict=False)) if pair[0] != pair[1]), len(old))
            patch.append(["splice", [name], same, len(old) - same, value[same:]])
        elif is_object(old) and is_object(value) and old.keys() == value.keys():
            patch.extend(["set", [name, key], item] for key, item in value.items() if old[key] != item)
        else:
            patch.append(["set", [name], value])
    return patch


class FlightBuilder:
    """Takes inputs one after the other, and what each of them made of the state."""

    def __init__(self) -> None:
        self.now = empty()
        self.states: list[dict[str, Any]] = []
        """The state after each input, as JSON."""
        self._keyframes = [model.Keyframe(input=-1, state=msgspec.to_builtins(self.now))]
        self._changed: list[int] = []
        self._patches: list[model.Patch] = []
        self._columns: dict[str, list[Any]] = {name: [] for name in ("time", "kind", "page", "severity", "text")}
        self._tables: dict[str, dict[str, int]] = {"kind": {}, "page": {"": 0}, "text": {}}

    @property
    def count(self) -> int:
        """The number of inputs so far."""
        return len(self._columns["time"])

    def take(
        self, time: float, kind: str, text: str, page: str = "", severity: model.Severity = "info", **changes: Any
    ) -> int:
        """An input and the fields of the snapshot that it changed; returns its index."""
        for name, value in (("kind", kind), ("page", page), ("text", text)):
            table = self._tables[name]
            self._columns[name].append(table.setdefault(value, len(table)))
        self._columns["time"].append(time)
        self._columns["severity"].append(model.SEVERITIES.index(severity))
        index = self.count - 1
        if changes:
            before = self.states[-1] if self.states else self._keyframes[0].state
            self.now = replace(self.now, **changes)
            state = msgspec.to_builtins(self.now)
            self._changed.append(index)
            self._patches.append(_patch(before, state))
            if len(self._patches) % KEYFRAMES_EVERY == 0:
                self._keyframes.append(model.Keyframe(input=index, state=state))
        else:
            state = self.states[-1] if self.states else self._keyframes[0].state
        self.states.append(state)
        return index

    def report(self, title: str, items: list[model.SummaryItem] | None = None, **lists: Any) -> model.Report:
        """The report of what was taken, with the lanes that are given."""
        names = (
            "requests", "connection", "pages", "dialogs", "calls", "tools", "blockers", "storms", "console", "network",
            "pictures",
        )  # fmt: skip
        lanes: dict[str, Any] = {name: lists.get(name, []) for name in names}
        counts = {name: len(lanes[name]) for name in ("pages", "dialogs", "calls", "tools", "console", "pictures")}
        duration = self._columns["time"][-1]
        return model.Report(
            format=model.FORMAT,
            summary=model.Summary(
                title=title,
                started_at=1_790_000_000.0,
                duration=duration,
                ended="stopped",
                ended_reason="",
                inputs=self.count,
                counts={**counts, "failed_calls": sum(call.outcome == "failed" for call in lanes["calls"])},
                versions={"browser": "Chrome/156.0.8078.79", "recorder": "0.9"},
                settings={"dialog_policy": "must_respond", "watchdog_s": "300"},
                items=items or [],
                notes=lists.get("notes", []),
            ),
            actions=actions_of(lanes["tools"], lanes["calls"], lanes["dialogs"], lanes["pictures"]),
            inputs=model.Inputs(
                **self._columns,
                kinds=[*self._tables["kind"]],
                pages=[*self._tables["page"]],
                texts=[*self._tables["text"]],
            ),
            timeline=model.Timeline(keyframes=self._keyframes, changed=self._changed, patches=self._patches),
            **lanes,
        )


def picture(shade: int) -> str:
    """A PNG of one colour, 64 x 40, as base64."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes((shade, 160, 255 - shade)) * 64) * 40
    header = struct.pack(">IIBBBBB", 64, 40, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


SHOP, PAY = "TAB-SHOP", "TAB-PAY"


def _page(target: str, url: str, **fields: Any) -> PageInfo:
    plain: dict[str, Any] = {"status": "ok", "is_current": target == SHOP, "opener_id": None, "is_ours": True}
    return PageInfo(target_id=target, url=url, session_id=f"S-{target}", **{**plain, **fields})


def _frame(frame_id: str, parent: str | None, url: str, **fields: Any) -> FrameInfo:
    return FrameInfo(
        frame_id=frame_id,
        parent_id=parent,
        url=url,
        origin="/".join(url.split("/")[:3]),
        name=fields.pop("name", ""),
        is_oopif=fields.pop("is_oopif", False),
        session_id=f"S-{SHOP}",
        is_loading=False,
        **fields,
    )


def message(seq: int, level: str, text: str) -> ConsoleMessage:
    """A line of the console."""
    return ConsoleMessage(
        seq=seq, level=level, text=text, text_length=len(text), url="https://shop.test/app.js", line=41, column=3,
        frame_id="F-TOP", session_id=f"S-{SHOP}", timestamp=1_790_000_000_000.0,
    )  # fmt: skip


def short_flight(
    title: str = "checkout.jsonl", message_text: str = "Really delete the cart?"
) -> tuple[FlightBuilder, model.Report]:
    """A shop with a frame of a payment service: a dialog that a call ran into, a failed request, a reconnect."""
    flight = FlightBuilder()
    take = flight.take
    shop, pay = "https://shop.test/cart", "https://pay.test/form"
    take(0.0, "Connected", "connected", state="attaching", epoch=1)
    take(
        40.0, "Target.attachedToTarget", f"page {shop}", SHOP, "notice", pages=(_page(SHOP, shop, status="attaching"),)
    )
    take(55.0, "command_succeeded", "Page.enable", SHOP)
    take(90.0, "command_succeeded", "Page.getFrameTree", SHOP, state="ready", pages=(_page(SHOP, shop),))
    top, frame = _frame("F-TOP", None, shop), _frame("F-PAY", "F-TOP", pay, name="pay")
    take(
        160.0, "Page.frameNavigated", f"main frame to {shop}", SHOP, "notice",
        frame_tree=FrameTree(top=top, children=(), truncated=False, total=1),
    )  # fmt: skip
    take(
        210.0, "Page.frameAttached", "frame F-PAY", SHOP,
        frame_tree=FrameTree(top=top, children=(frame,), truncated=False, total=2),
    )  # fmt: skip
    moved = replace(frame, is_oopif=True, session_id="S-PAY")
    take(
        260.0, "Page.frameNavigated", f"frame pay to {pay}", SHOP, "notice",
        frame_tree=FrameTree(top=top, children=(moved,), truncated=False, total=2),
    )  # fmt: skip
    lines = [message(1, "log", "cart loaded: 3 items"), message(2, "error", "Failed to load resource: tax.json")]
    take(300.0, "Runtime.consoleAPICalled", "log cart loaded", SHOP, console=(lines[0],), console_counts={"log": 1})
    lost = FailedRequest(
        url="https://shop.test/tax.json", method="GET", type="XHR", frame_id="F-TOP", session_id=f"S-{SHOP}", status=500,
        error="", duration_s=0.12, ended_at=1_790_000_000.4,
    )  # fmt: skip
    take(420.0, "Network.responseReceived", "500 tax.json", SHOP, "error", failed_requests=(lost,))
    counted = {"log": 1, "error": 1}
    take(430.0, "Log.entryAdded", "error tax.json", SHOP, "error", console=tuple(lines), console_counts=counted)
    call = take(600.0, "call_requested", "evaluate removeAll()", SHOP, "notice")
    dialog = PendingDialog(
        id="d-1", type="confirm", message=message_text, default_prompt="", url=shop, frame_id="F-TOP", target_id=SHOP,
        session_id=f"S-{SHOP}", opened_at=1_790_000_000.62,
    )  # fmt: skip
    opened = take(620.0, "Page.javascriptDialogOpening", "confirm d-1", SHOP, "notice", pending_dialogs=(dialog,))
    take(900.0, "timer_fired", "probe", SHOP)
    answer = take(2400.0, "answer_requested", "accept d-1", SHOP, "notice")
    record = DialogRecord(
        id="d-1", type="confirm", message=message_text, url=shop, frame_id="F-TOP", target_id=SHOP,
        opened_at=1_790_000_000.62, closed_at=1_790_000_002.41, closed_by="agent", accepted=True, user_input="",
    )  # fmt: skip
    answered: dict[str, Any] = {"pending_dialogs": (), "recent_dialogs": (record,)}
    closed = take(2410.0, "Page.javascriptDialogClosed", "d-1 accepted", SHOP, "notice", **answered)
    lost_at = take(
        3000.0, "Disconnected", "the connection ended", "", "error", state="reconnecting", reason="closed: 1006"
    )
    again = take(3600.0, "Connected", "connected again", "", "notice", state="attaching", reason="", epoch=2)
    take(3700.0, "command_succeeded", "Page.getFrameTree", SHOP, state="ready")
    pages = (_page(SHOP, shop), _page(PAY, "https://pay.test/receipt", opener_id=SHOP))
    popup = take(3900.0, "Target.attachedToTarget", "page https://pay.test/receipt", PAY, "notice", pages=pages)
    crash = take(
        4300.0,
        "Inspector.targetCrashed",
        "the tab crashed",
        PAY,
        "error",
        pages=(pages[0], replace(pages[1], status="crashed")),
    )
    last = take(5000.0, "stop_requested", "stopped", "", "notice", state="stopped", reason="stopped")
    stay = model.Stay(input=5, time=210.0, end=260.0, session_id=f"S-{SHOP}", is_oopif=False)
    kinds: dict[str, Any] = {"parent_id": None, "page": SHOP, "end": None, "end_input": None}
    inner: dict[str, Any] = {**kinds, "parent_id": "F-TOP"}
    shop_lane = model.PageLane(
        page=SHOP, number=1, title=shop, opener_id=None, is_ours=True, input=1, time=40.0, end=None, end_input=None,
        statuses=[model.StatusSpan(input=1, time=40.0, end=90.0, status="attaching"), model.StatusSpan(input=3, time=90.0, end=None, status="ok")],
        frames=[
            model.FrameLane(
                frame_id="F-TOP", name="", input=1, time=40.0, stays=[],
                visits=[model.Visit(input=4, time=160.0, url=shop, loader_id="L1")], **kinds,
            ),
            model.FrameLane(
                frame_id="F-PAY", name="pay", input=5, time=210.0, **inner,
                stays=[stay, replace(stay, input=6, time=260.0, end=None, session_id="S-PAY", is_oopif=True)],
                visits=[model.Visit(input=6, time=260.0, url=pay, loader_id="L2")],
            ),
        ],
    )  # fmt: skip
    pay_lane = model.PageLane(
        page=PAY, number=2, title="https://pay.test/receipt", opener_id=SHOP, is_ours=False, input=popup, time=3900.0, end=None,
        end_input=None, statuses=[model.StatusSpan(input=crash, time=4300.0, end=None, status="crashed")], frames=[],
    )  # fmt: skip
    calls = [
        model.CallSpan(
            id="c-1", kind="evaluate", arguments="removeAll()", page=SHOP, frame_id="F-TOP", input=call, time=600.0,
            sent_input=call, end=620.0, end_input=opened, outcome="failed", error="BlockedByDialog",
            text="dialog d-1 is open", blocked_by=["d-1"],
        ),
        model.CallSpan(
            id="c-2", kind="answer_dialog", arguments='{"dialog_id": "d-1", "action": "accept"}', page=SHOP, frame_id=None,
            input=answer, time=2400.0, sent_input=answer, end=2410.0, end_input=closed, outcome="succeeded", error="",
            text='{"accepted": true}', blocked_by=[],
        ),
    ]  # fmt: skip
    entries = [
        model.ConsoleEntry(
            seq=line.seq, input=index, time=time, level=line.level, text=line.text, length=len(line.text), page=SHOP,
            frame_id="F-TOP", url=line.url, line=41, stack=["load (https://shop.test/app.js:41:3)"],
        )
        for line, index, time in zip(lines, (7, 9), (300.0, 430.0), strict=True)
    ]  # fmt: skip
    spans = [
        (0, 0.0, 90.0, "attaching", 1),
        (3, 90.0, 3000.0, "ready", 1),
        (lost_at, 3000.0, 3600.0, "reconnecting", 1),
    ]
    spans += [(again, 3600.0, 3700.0, "attaching", 2), (again + 1, 3700.0, 5000.0, "ready", 2)]
    report = flight.report(
        title,
        items=[
            model.SummaryItem(kind="failed", severity="error", input=opened, time=620.0, page=SHOP, text="evaluate c-1 failed: BlockedByDialog"),
            model.SummaryItem(kind="waited", severity="warning", input=opened, time=620.0, duration=1790.0, page=SHOP, text="dialog d-1 was open", whom="an answer of the agent"),
            model.SummaryItem(kind="reconnect", severity="warning", input=lost_at, time=3000.0, duration=600.0, text="the connection was lost and opened again"),
            model.SummaryItem(kind="crash", severity="error", input=crash, time=4300.0, page=PAY, text="the tab https://pay.test/receipt crashed"),
        ],
        connection=[
            *(model.ConnectionSpan(input=n, time=time, end=end, state=state, reason="", epoch=epoch) for n, time, end, state, epoch in spans),
            model.ConnectionSpan(input=last, time=5000.0, end=None, state="stopped", reason="stopped", epoch=2),
        ],
        pages=[shop_lane, pay_lane],
        dialogs=[
            model.DialogSpan(
                id="d-1", type="confirm", message=message_text, default_prompt="", url=shop, frame_id="F-TOP", page=SHOP, input=opened,
                time=620.0, end=2410.0, end_input=closed, closed_by="agent", accepted=True, user_input="", rule_id=None,
                bridged=False, note="", call="c-2",
            )
        ],
        calls=calls,
        tools=[
            model.ToolSpan(
                name="browser_click", arguments='{"ref": "e7"}', page=SHOP, input=call - 1, time=590.0, end=640.0, end_input=opened,
                is_error=False, text="a dialog opened: d-1",
            ),
            model.ToolSpan(
                name="browser_dialog", arguments='{"action": "accept"}', page=SHOP, input=answer - 1, time=2390.0, end=2420.0,
                end_input=closed, is_error=False, text="ok",
            ),
        ],
        console=entries,
        network=[
            model.NetworkFailure(input=8, time=420.0, duration=120.0, method="GET", url=lost.url, type="XHR", status=500, error="", page=SHOP, frame_id="F-TOP")
        ],
        pictures=[
            model.Picture(input=index, time=time, page=SHOP, reason="document", mime="image/png", data=picture(shade), view=[0.0, 0.0, 640.0, 400.0])
            for index, time, shade in ((4, 170.0, 40), (closed, 2430.0, 120), (popup, 3950.0, 220))
        ],
    )  # fmt: skip
    return flight, report


def long_flight(inputs: int) -> tuple[FlightBuilder, model.Report]:
    """A flight of so many inputs; every fourth one is a line of the console."""
    flight = FlightBuilder()
    entries: list[model.ConsoleEntry] = []
    flight.take(0.0, "Connected", "connected", state="ready", epoch=1, pages=(_page(SHOP, "https://shop.test/"),))
    for index in range(1, inputs):
        time = index * 7.0
        if index % 4:
            flight.take(time, "command_succeeded", "Runtime.evaluate", SHOP)
            continue
        line = message(index, "error" if index % 400 == 0 else "log", f"line {index}")
        flight.take(time, "Runtime.consoleAPICalled", line.text, SHOP, console=(*flight.now.console[-49:], line))
        entries.append(
            model.ConsoleEntry(
                seq=index, input=index, time=time, level=line.level, text=line.text, length=len(line.text), page=SHOP,
                frame_id=None, url=line.url, line=41, stack=[],
            )
        )  # fmt: skip
    span = model.ConnectionSpan(input=0, time=0.0, end=None, state="ready", reason="", epoch=1)
    return flight, flight.report("long.jsonl", console=entries, connection=[span])
