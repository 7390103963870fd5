"""Many threads that read, call and answer at once, with asyncio's own checks on."""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from supervisor import BlockedByDialog, CDPSupervisor, DialogAction, DialogError, SupervisorSnapshot
from tests.support.stages.stages import Stage, open_page

THREADS = 32
SECONDS = float(os.environ.get("CDP_TYPED_SOAK_S", "2"))
"""`make soak` has a longer one."""


@pytest.fixture(autouse=True)
def _asyncio_checks_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONASYNCIODEBUG", "1")


@dataclass
class Load:
    """The work of the threads until the event `ended`, and the number of times that each kind was done."""

    supervisor: CDPSupervisor
    ended: threading.Event = field(default_factory=threading.Event)
    done: Counter[str] = field(default_factory=Counter[str])

    def read(self) -> None:
        cursor = 0
        while not self.ended.is_set():
            now = self.supervisor.snapshot()
            assert_whole(now)
            assert now.cursor >= cursor, "a snapshot that is older than the one before"
            cursor = now.cursor
            self.done["reads"] += 1
            time.sleep(0.0005)  # the others want to come too, one processor or many

    def open_dialogs(self, name: str) -> None:
        while not self.ended.is_set():
            try:
                self.supervisor.evaluate(f"confirm('{name}')")
            except BlockedByDialog:
                self.done["blocked"] += 1
            time.sleep(0.001)

    def answer(self) -> None:
        chance = random.Random(threading.get_ident())
        while not self.ended.is_set():
            for dialog in self.supervisor.snapshot().pending_dialogs:
                action: DialogAction = "accept" if chance.random() < 0.5 else "dismiss"
                try:
                    receipt = self.supervisor.respond_to_dialog(action, dialog_id=dialog.id)
                except DialogError:  # another thread was first
                    self.done["late"] += 1
                else:
                    assert receipt.dialog_id == dialog.id
                    assert receipt.accepted is (action == "accept")
                    self.done["answered"] += 1
            time.sleep(0.001)


@pytest.mark.thorough
@pytest.mark.timeout(60 + 3 * SECONDS)
def test_many_threads_read_and_answer_at_once(stage: Stage) -> None:
    with stage.supervisor(call_timeout_s=30, dialog_storm_limit=10**9) as supervisor:
        load = Load(supervisor)
        open_page(supervisor, f"{stage.own}/frames")
        with ThreadPoolExecutor(THREADS) as pool:
            threads = [pool.submit(load.read) for _ in range(20)]
            threads += [pool.submit(load.open_dialogs, str(number)) for number in range(4)]
            threads += [pool.submit(load.answer) for _ in range(THREADS - len(threads))]
            time.sleep(SECONDS)
            load.ended.set()
        for thread in threads:
            thread.result()
        records = supervisor.snapshot().recent_dialogs

    assert min(load.done[kind] for kind in ("reads", "blocked", "answered")) > 0, dict(load.done)
    assert {record.closed_by for record in records} == {"agent"}


def assert_whole(now: SupervisorSnapshot) -> None:
    """A snapshot is of one moment: nothing in it contradicts the rest."""
    open_ids = [dialog.id for dialog in now.pending_dialogs]
    closed_ids = [record.id for record in now.recent_dialogs]
    assert len({*open_ids, *closed_ids}) == len(open_ids) + len(closed_ids), "a dialog that is open and closed"
    assert closed_ids == sorted(closed_ids, key=lambda dialog_id: int(dialog_id.removeprefix("d-")))
    top = now.frame_tree.top
    assert top is not None
    known = {top.frame_id, *(frame.frame_id for frame in now.frame_tree.children)}
    assert all(frame.parent_id in known for frame in now.frame_tree.children), "a frame without its parent"
    assert {dialog.target_id for dialog in now.pending_dialogs} <= {page.target_id for page in now.pages}
