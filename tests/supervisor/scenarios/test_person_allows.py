"""Programs of a person, in the person's own Chromium, which asks at each connection."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from cdp_typed import NotAllowed, connect_sync
from cdp_typed.client.consent import CLICK_ALLOW, OTHER_FIRST
from cdp_typed.endpoint import find_running
from supervisor import CDPSupervisor
from tests.support.servers.displays import needs_display
from tests.support.servers.persons_browser import Person, persons_browser

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, needs_display]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    with persons_browser(tmp_path) as found:
        for name in ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        yield found


def _wait_until_asked(supervisor: CDPSupervisor, sentence: str = CLICK_ALLOW) -> None:
    deadline = time.monotonic() + 30
    while supervisor.status().reason != sentence:
        assert time.monotonic() < deadline, supervisor.status()
        time.sleep(0.05)


@contextmanager
def _recording(person: Person) -> Generator[tuple[subprocess.Popen[str], IO[str]]]:
    """A program that has asked to connect, and what it prints next."""
    profile, file = str(find_running().profile), Path(person.environment["HOME"], "traffic.jsonl")
    with subprocess.Popen(
        [sys.executable, "-m", "cdp_typed", "record", profile, str(file)],
        env=dict(person.environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline().endswith(f"{CLICK_ALLOW}\n")
        yield program, program.stdout


def test_one_question_is_enough_and_a_refusal_is_told(person: Person) -> None:
    with ThreadPoolExecutor(1) as starts:
        allowed, refused = CDPSupervisor(find_running), CDPSupervisor(find_running)
        starting = starts.submit(allowed.start)
        _wait_until_asked(allowed)
        person.allow()
        with starting.result():
            assert allowed.evaluate("1 + 1").value == 2
            with connect_sync(allowed.aio.config_of_others.cdp_url) as other:  # nobody is asked
                assert other.kind() == "browser"

            starting = starts.submit(refused.start)
            _wait_until_asked(refused)
            person.refuse()
            with pytest.raises(NotAllowed, match="refused by the person"):
                starting.result()
            assert allowed.evaluate("2 + 2").value == 4


def test_of_two_programs_the_first_gets_the_first_answer(person: Person) -> None:
    """Chromium shows the newest of several questions, which all look the same."""
    supervisor = CDPSupervisor(find_running)
    with (
        ThreadPoolExecutor(1) as starts,
        _recording(person) as (first, output),
    ):
        starting = starts.submit(supervisor.start)
        _wait_until_asked(supervisor, OTHER_FIRST)
        person.allow()
        assert output.readline().startswith("DevTools listening on ws://")
        _wait_until_asked(supervisor)
        person.refuse()
        with pytest.raises(NotAllowed, match="refused by the person"):
            starting.result()
        first.terminate()


def test_a_program_that_was_killed_keeps_nobody_waiting(person: Person) -> None:
    supervisor = CDPSupervisor(find_running)
    with (
        ThreadPoolExecutor(1) as starts,
        _recording(person) as (first, _),
    ):
        starting = starts.submit(supervisor.start)
        _wait_until_asked(supervisor, OTHER_FIRST)
        first.kill()
        _wait_until_asked(supervisor)
        person.allow()  # the question of the program that was killed is still open, below
        with starting.result():
            assert supervisor.evaluate("1 + 1").value == 2
