"""Programs that dial the browser of one person: one at a time asks."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cdp_typed import Connection, NotAllowed, connect
from cdp_typed.client import consent
from cdp_typed.endpoint import find_running
from cdp_typed.endpoint.consent_lock import ConsentLock
from cdp_typed.endpoint.sources import Endpoint
from tests.support.servers.asking import AskingBrowser

FIRST, ALLOW = consent.OTHER_FIRST, consent.CLICK_ALLOW
PATIENT_S = 10.0


@pytest.fixture
def profile(asking: AskingBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the person's browser, a usual one."""
    for name in ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "chromium"
    folder.mkdir()
    (folder / "DevToolsActivePort").write_text(f"{asking.port}\n{asking.path}")
    return folder


class Program:
    """A program that connects, with the sentences for the person."""

    def __init__(self, endpoint: Endpoint, consent_timeout: float = PATIENT_S) -> None:
        self.told: list[str] = []
        self._news = asyncio.Event()
        opening = connect(endpoint, open_timeout=0.5, consent_timeout=consent_timeout, on_consent=self._tell)
        self.connection: asyncio.Future[Connection] = asyncio.ensure_future(opening)

    async def is_told(self, sentence: str) -> None:
        async with asyncio.timeout(PATIENT_S):
            while sentence not in self.told:
                await self._news.wait()
                self._news.clear()

    def _tell(self, sentence: str) -> None:
        self.told.append(sentence)
        self._news.set()


async def _two(profile: Path, endpoint: Endpoint) -> tuple[Program, Program]:
    """One that asks the person, and one that waits for it."""
    first = Program(profile)
    await first.is_told(ALLOW)
    second = Program(endpoint)
    await second.is_told(FIRST)
    return first, second


@pytest.mark.parametrize("way", ["find_running", "directory", "address", "port"])
async def test_a_second_program_asks_when_the_first_is_answered(asking: AskingBrowser, profile: Path, way: str) -> None:
    ways: dict[str, Endpoint] = {
        "find_running": find_running,
        "directory": profile,
        "address": asking.url,
        "port": asking.port,
    }
    first, second = await _two(profile, ways[way])
    assert asking.questions == 1

    asking.answer("allow")
    async with await first.connection as browser:
        assert await browser.kind() == "browser"
        await second.is_told(ALLOW)
        asking.answer("allow")
        async with await second.connection as other:
            assert await other.kind() == "browser"

    assert (first.told, second.told, asking.questions) == ([ALLOW], [FIRST, ALLOW], 2)


async def test_a_refusal_of_one_program_is_none_of_the_next(asking: AskingBrowser, profile: Path) -> None:
    first, second = await _two(profile, profile)

    asking.answer("cancel")
    with pytest.raises(NotAllowed, match="refused by the person"):
        await first.connection
    asking.answer("allow")
    async with await second.connection as browser:
        assert await browser.kind() == "browser"


async def test_the_wait_for_another_program_ends_and_has_asked_nothing(asking: AskingBrowser, profile: Path) -> None:
    first = Program(profile)
    await first.is_told(ALLOW)

    with pytest.raises(NotAllowed, match=r"another program is asking, and no person answered it within 0\.3 s"):
        await connect(profile, consent_timeout=0.3)

    assert asking.questions == 1
    asking.answer("allow")
    await (await first.connection).close()


@pytest.mark.thorough
async def test_a_program_that_is_killed_leaves_its_turn(asking: AskingBrowser, profile: Path) -> None:
    dial = "import sys; from pathlib import Path; from cdp_typed import connect_sync; connect_sync(Path(sys.argv[1]))"
    first = await asyncio.create_subprocess_exec(sys.executable, "-c", dial, os.fspath(profile))
    await asyncio.to_thread(asking.asked.get, timeout=60)
    second = Program(profile)
    await second.is_told(FIRST)
    first.kill()
    await first.wait()

    await second.is_told(ALLOW)
    assert asking.questions == 2
    asking.answer("allow")  # the question of the program that was killed
    asking.answer("allow")
    await (await second.connection).close()


async def test_a_browser_that_asks_nobody_needs_no_turn(asking: AskingBrowser, profile: Path) -> None:
    asking.to_get = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    asking.answer("allow")
    turn = ConsentLock(profile / "DevToolsActivePort")
    assert turn.take()

    program = Program(profile)
    await (await program.connection).close()

    assert program.told == []
    turn.give_back()


def test_a_turn_is_taken_once_at_a_time(profile: Path) -> None:
    one, other = ConsentLock(profile / "DevToolsActivePort"), ConsentLock(profile / "DevToolsActivePort")

    assert (one.take(), one.take(), other.take()) == (True, True, False)
    one.give_back()
    one.give_back()
    assert (other.take(), one.take()) == (True, False)
    other.give_back()


def test_where_no_file_can_be_locked_nobody_waits(profile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int, __: int) -> None:
        raise OSError(9, "no locks on this file system")

    assert ConsentLock(None).take()
    assert ConsentLock(profile / "missing").take()
    monkeypatch.setattr("fcntl.flock", refuse)
    assert ConsentLock(profile / "DevToolsActivePort").take()


def test_windows_locks_a_byte_that_nobody_reads(profile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: set[int] = set()

    def locking(descriptor: int, mode: int, count: int) -> None:
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        assert count == 1
        if mode == 2:
            if at in locked:
                raise PermissionError(13, "Permission denied")
            locked.add(at)
        else:
            locked.remove(at)

    windows = SimpleNamespace(locking=locking, LK_NBLCK=2, LK_UNLCK=0)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(sys, "platform", "win32")
    port_file = profile / "DevToolsActivePort"
    one, other = ConsentLock(port_file), ConsentLock(port_file)

    assert (one.take(), other.take()) == (True, False)
    assert all(at > port_file.stat().st_size for at in locked)
    one.give_back()
    assert other.take()
    other.give_back()
    assert not locked
