"""Where a fleet keeps checkpoints: apart from those of other fleets, for its owner alone, and not for ever."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from supervisor.addons.fleet import Limits
from supervisor.addons.fleet.checkpoints import checkpoint_store
from supervisor.addons.fleet.checkpoints.checkpoint_store import CheckpointStore
from supervisor.addons.fleet.checkpoints.kept_checkpoint import label
from supervisor.addons.fleet.placement.directory import Directory
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.clocks import Clocks
from tests.supervisor.addons.fleet.placement.simulated import SimulatedEngine

HOUR_S = 3600.0


def directory_of(fleet: str, folder: Path | None, **limits: Any) -> Directory:
    """The directory of a fleet without hosts."""
    shared = None if folder is None else str(folder)
    plan = Plan(name=fleet, limits=Limits(checkpoint_s=30, checkpoints=shared, **limits))
    return Directory(plan, SimulatedEngine(None, 0))


def store_of(fleet: str, folder: Path | None) -> CheckpointStore:
    return directory_of(fleet, folder).checkpoints


async def kept(store: CheckpointStore, task_id: str) -> bytes | None:
    found, how_old = await store.find(task_id)
    assert how_old == (
        "" if found is None else "; cookies, localStorage and IndexedDB are 0 s old, pages and sessionStorage gone"
    )
    return found


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_two_fleets_with_one_directory_and_equal_task_ids_keep_to_themselves(tmp_path: Path) -> None:
    team_a, team_b = store_of("team-a", tmp_path), store_of("team-b", tmp_path)
    await team_a.put("login", b"cookies of a")
    assert await kept(team_b, "login") is None

    await team_b.put("login", b"cookies of b")
    assert (await kept(team_a, "login"), await kept(team_b, "login")) == (b"cookies of a", b"cookies of b")

    team_b.drop("login")
    assert (await kept(team_a, "login"), await kept(team_b, "login")) == (b"cookies of a", None)


@pytest.mark.parametrize("name", ["a/b", "..", "a b", "\udc80", "x" * 300])
async def test_no_name_leads_out_of_the_directory_or_to_another_fleet(tmp_path: Path, name: str) -> None:
    shared = tmp_path / "shared"
    await store_of(name, shared).put(name, b"cookies")

    assert await kept(store_of(name, shared), name) == b"cookies"
    assert files_in(tmp_path) == files_in(shared)
    assert len(files_in(shared)) == 1
    for other in ("a_b", "__", "a", "_", "x" * 100):
        assert await kept(store_of(other, shared), name) is None


async def test_only_the_owner_may_read(tmp_path: Path) -> None:
    shared = tmp_path / "deep" / "shared"
    before = os.umask(0)
    try:
        await store_of("shop", shared).put("t1", b"cookies")
    finally:
        os.umask(before)

    (path,) = files_in(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, shared)] == [0o700, 0o700]
    assert path.parent.parent == shared


async def test_what_has_expired_is_removed_also_that_of_a_fleet_that_has_ended(tmp_path: Path) -> None:
    now = time.time()
    ended, running = store_of("ended", tmp_path), store_of("running", tmp_path)
    await ended.put("t1", label(b"old", "ended", "t1", 0))
    await ended.put("t2", label(b"new", "ended", "t2", HOUR_S))
    await running.put("t1", label(b"old", "running", "t1", 0))
    cut_off = tmp_path / "ended" / "written-when-killed.part"
    cut_off.write_bytes(b"cook")
    os.utime(cut_off, (now - 2 * HOUR_S, now - 2 * HOUR_S))
    strange = tmp_path / "ended" / "notes.txt"
    strange.write_text("of somebody else")

    await running.sweep()

    assert await kept(running, "t1") is None
    assert {path.name for path in files_in(tmp_path)} == {"t2.checkpoint", "notes.txt"}


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("is_removed", [True, False])
async def test_stop_removes_the_checkpoints_when_it_is_asked_for(
    tmp_path: Path, is_shared: bool, is_removed: bool
) -> None:
    folder = tmp_path if is_shared else None
    directory = directory_of("shop", folder, remove_checkpoints=is_removed)
    other = store_of("other", tmp_path)
    await directory.checkpoints.put("t1", b"cookies")
    await other.put("t1", b"of another")

    assert await directory.stop() == ""

    assert await kept(directory.checkpoints, "t1") == (None if is_removed else b"cookies")
    assert (tmp_path / "shop").exists() == (is_shared and not is_removed)
    assert await kept(other, "t1") == b"of another"

    if is_removed:  # a host that still ran comes too late
        await directory.checkpoints.put("t1", b"late")
        assert await kept(directory.checkpoints, "t1") is None
        assert not (tmp_path / "shop").exists()


async def test_stop_says_what_it_could_not_remove(tmp_path: Path) -> None:
    directory = directory_of("shop", tmp_path, remove_checkpoints=True)
    await directory.checkpoints.put("t1", b"cookies")
    (tmp_path / "shop" / "t2.checkpoint").mkdir()

    assert "checkpoints of the fleet 'shop' could not be removed" in await directory.stop()
    assert not (tmp_path / "shop" / "t1.checkpoint").exists()


async def test_the_checkpoint_of_a_task_that_ended_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of("shop", tmp_path)
    has_dropped = threading.Event()
    begin = cast("Callable[..., tuple[int, str]]", tempfile.mkstemp)

    def begin_late(*args: Any, **kwargs: Any) -> tuple[int, str]:
        has_dropped.wait(20)
        return begin(*args, **kwargs)

    monkeypatch.setattr(tempfile, "mkstemp", begin_late)
    putting = asyncio.create_task(store.put("t1", b"cookies"))
    await asyncio.sleep(0)
    store.drop("t1")
    has_dropped.set()
    await putting

    assert files_in(tmp_path) == []


@pytest.mark.parametrize("step_s", [-72 * HOUR_S, -60.0, 60.0, 72 * HOUR_S])
@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("passed_s", [10.0, 23 * HOUR_S, 25 * HOUR_S])
async def test_the_age_of_a_checkpoint_is_not_read_from_the_wall_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_shared: bool, step_s: float, passed_s: float
) -> None:
    clocks = Clocks()
    monkeypatch.setattr(checkpoint_store, "time", clocks)
    store = store_of("shop", tmp_path if is_shared else None)
    data = label(b"cookies", "shop", "t1", 24 * HOUR_S)
    await store.put("t1", data)
    clocks.passed_s, clocks.wall_s = passed_s, step_s
    if is_shared:  # the file system dates its files by the clock that was set
        (path,) = files_in(tmp_path)
        os.utime(path, (time.time() - step_s, time.time() - step_s))

    found = await store.find("t1")
    await store.sweep()

    has_expired = passed_s > 24 * HOUR_S
    assert found[0] == (None if has_expired else data)
    assert ("has expired" in found[1]) == has_expired
    assert len(files_in(tmp_path)) == (is_shared and not has_expired)


@pytest.mark.parametrize(
    ("age_s", "is_kept"), [(10.0, True), (23 * HOUR_S, True), (25 * HOUR_S, False)], ids=["new", "old", "expired"]
)
async def test_a_file_of_an_earlier_directory_is_dated_by_the_clock_of_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age_s: float, is_kept: bool
) -> None:
    await store_of("shop", tmp_path).put("t1", b"cookies")
    (path,) = files_in(tmp_path)
    os.utime(path, (time.time() - age_s, time.time() - age_s))
    clocks = Clocks()
    clocks.wall_s = 72 * HOUR_S  # this machine is three days ahead of the file server
    monkeypatch.setattr(checkpoint_store, "time", clocks)

    assert (await store_of("shop", tmp_path).find("t1"))[0] == (b"cookies" if is_kept else None)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
async def test_a_checkpoint_that_cannot_be_written_is_no_good_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    clocks = Clocks()
    monkeypatch.setattr(checkpoint_store, "time", clocks)
    store = store_of("shop", tmp_path)
    assert await store.put("t1", b"old") == ""
    clocks.passed_s = 40.0

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/secret/path")

    with monkeypatch.context() as broken:
        broken.setattr(checkpoint_store, "begun", fail)
        assert await store.put("t1", b"new") == f"it could not be written: {os.strerror(number)}"
    clocks.passed_s = 90.0

    assert await store.find("t1") == (
        b"old",
        "; cookies, localStorage and IndexedDB are 90 s old, pages and sessionStorage gone",
    )


async def test_the_directory_says_why_it_keeps_no_checkpoint() -> None:
    directory = directory_of("shop", None)
    place = Placement("t1", "h1", 1)

    assert "does not reach" in await directory.keep(place, b"cookies")
    await directory.handover.begin()
    assert await directory.keep(place, b"cookies") == ""
    directory.recovered.set()
    assert "not on this host" in await directory.keep(place, b"other")
    assert await kept(directory.checkpoints, "t1") == b"cookies"
    await directory.checkpoints.clear()
    assert await directory.checkpoints.put("t1", b"cookies") == "the fleet was stopped"
