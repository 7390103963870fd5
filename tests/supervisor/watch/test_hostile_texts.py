"""The live view of a browser whose every text wants to be taken for the view itself, or for orders to the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

import pytest
from msgspec.structs import replace
from textual.worker import WorkerFailed

from supervisor import AsyncSupervisor
from supervisor.core.vocabulary.console_values import ConsoleMessage
from supervisor.core.vocabulary.values import (
    Blocker,
    DialogRecord,
    FrameInfo,
    FrameTree,
    PageInfo,
    PendingDialog,
    SupervisorSnapshot,
)
from supervisor.watch._app import WatchApp
from tests.support.hostile_texts import MARK, TEXTS
from tests.support.screens import lines_of
from tests.support.secrets import CANARY

OPEN = PendingDialog(
    id="d-0", type="prompt", message="", default_prompt="", url="", frame_id="f", session_id="s", target_id="f",
    opened_at=0.0,
)  # fmt: skip
CLOSED = DialogRecord(
    id="c-0", type="alert", message="", url="", frame_id="f", target_id="f", opened_at=0.0, closed_at=0.0,
    closed_by="agent", accepted=True, user_input="",
)  # fmt: skip
FRAME = FrameInfo(
    frame_id="f", parent_id=None, url="", origin="", name="", is_oopif=False, session_id="s", is_loading=False
)
MESSAGE = ConsoleMessage(
    seq=1, level="log", text="", text_length=0, url="", line=None, frame_id=None, session_id="s", timestamp=0.0
)
PAGE = PageInfo(target_id="f", session_id="s", url="", status="ok", is_current=True, opener_id=None, is_ours=False)


class Known:
    """A supervisor that knows a snapshot, and never anything new."""

    def __init__(self, snapshot: Callable[[], SupervisorSnapshot]) -> None:
        self.snapshot = snapshot

    def on_change(self, listener: object) -> Known:
        return self

    def close(self) -> None:
        """Nothing is heard any more."""


def view_of(snapshot: Callable[[], SupervisorSnapshot]) -> WatchApp:
    return WatchApp(cast(AsyncSupervisor, Known(snapshot)))


def hostile() -> SupervisorSnapshot:
    children = tuple(
        replace(FRAME, frame_id=f"f{number}", parent_id="f", url=text, name=text) for number, text in enumerate(TEXTS)
    )
    return SupervisorSnapshot(
        state="ready", reason="", console_dropped=0, console_counts={}, cursor=0, epoch=1, failed_requests=(),
        pages=(replace(PAGE, url="".join(TEXTS)),),
        pending_dialogs=tuple(
            replace(OPEN, id=f"d-{number}", message=text, default_prompt=text, answerable=number % 2 == 0)
            for number, text in enumerate(TEXTS)
        ),
        recent_dialogs=tuple(replace(CLOSED, message=text) for text in TEXTS[-3:]),
        frame_tree=FrameTree(
            top=replace(FRAME, url="".join(TEXTS[-30:])), children=children, truncated=False, total=len(TEXTS)
        ),
        console=tuple(replace(MESSAGE, text=text) for text in TEXTS),
        blockers=(
            Blocker(
                id="b-1", kind="http_auth", target_id="f", frame_id=None, session_id=None, url=MARK, text=MARK,
                since=0.0, ways_out=(),
            ),
        ),
    )  # fmt: skip


OURS = re.compile(
    r"""
      ready\ \ 1\ tabs\ \ http_auth\ \ .*
    | .\ d-\d+\ prompt\ (\(takes\ no\ answer\ any|").*
    | .\ c-0\ alert\ accepted\ by\ agent:.*
    | .\ {12,}.*                                                   # the column of the messages
    | .\ [\u251c\u2514]\u2500\u2500\ same\ process\ \ ".*
    | .\ (log|warning|error)\ +.*
    """,
    re.VERBOSE,
)
"""Lines whose beginning is the view's own."""


@pytest.mark.parametrize("width", [100, 40])
async def test_no_text_of_a_page_begins_a_line_or_ends_its_quotes(width: int) -> None:
    async with view_of(hostile).run_test(size=(width, 800)) as pilot:
        await pilot.pause()
        lines = lines_of(pilot.app)

    marked = [line for line in lines if MARK in line]
    assert len(marked) > 2 * len(TEXTS)
    assert len([line for line in marked if not OURS.match(line)]) <= 1  # the address of the top frame
    assert {text for line in lines for text in line if not text.isprintable()} <= set("\u2003\u3000")
    for number in range(len(TEXTS)):
        assert sum(f" d-{number} prompt" in line[: len(f". d-{number} prompt")] for line in lines) <= 1


async def test_a_view_that_fails_tells_no_local_variables(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> SupervisorSnapshot:
        secret = CANARY
        raise RuntimeError(f"no {len(secret)}\x1b[2J\u202e\nline")

    with pytest.raises(WorkerFailed):
        async with view_of(fail).run_test() as pilot:
            await pilot.pause()

    told = capsys.readouterr()
    assert "RuntimeError: no " in told.err
    assert "in fail" in " ".join(told.err.split())
    assert CANARY not in told.err + told.out
    assert [line for line in told.err.split("\n") if not line.isprintable() or line == "line"] == []
