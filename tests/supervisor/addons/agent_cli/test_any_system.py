"""`cdp-agent` in processes, with the fake browser: what holds on Linux, macOS and Windows.

It takes no fixture of the other tests, which need Linux: `python -m pytest --noconftest FILE` plays it elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_agent import DIALOG, DONE, LOST, REFUSED, UNSURE, USAGE, reached
from cdp_typed.mock import ThreadedMockServer
from tests.supervisor.addons.agent_cli.agent_shell import Shell

pytestmark = pytest.mark.thorough

IS_WINDOWS = os.name == "nt"


@pytest.fixture
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    shell = Shell(tmp_path_factory.mktemp("a"))
    yield shell
    shell("close")


def files_left(agent: Shell) -> list[str]:
    """Files of sessions that are left, once nothing more goes away."""
    ends = time.monotonic() + 30.0
    while (left := sorted(str(path) for path in agent.runtime.rglob("*"))) and time.monotonic() < ends:
        time.sleep(0.05)
    return left


@pytest.fixture(scope="module")
def browser() -> Iterator[str]:
    with ThreadedMockServer() as server:
        yield server.http_url


def test_a_session_from_open_to_close_leaves_no_file(agent: Shell, browser: str) -> None:
    opened = agent("open", "about:blank", "--cdp", browser)
    asked = agent("eval", "confirm('Weiter, Ada? \u20ac')")
    answered = agent("dialog", "accept")
    batch = agent("run", "-", given="eval 6*7\ntab\n")
    listed = agent("sessions")
    closed = agent("close")

    codes = [each.code for each in (opened, asked, answered, batch, listed, closed)]
    assert codes == [DONE, DIALOG, DONE, DONE, DONE, DONE], (opened, asked, answered, batch, listed, closed)
    assert "Weiter, Ada? \u20ac" in asked.out
    assert "42" in batch.out
    assert listed.out.count("(process ") == 1
    assert closed.out == "closed\n"
    assert files_left(agent) == []


@pytest.mark.parametrize(
    "options", [["--max", "300"], ["--max=300"], ["--json", "--timeout", "9"], ["--timeout=9", "--json"]]
)
def test_options_may_follow_the_word_for_standard_input(agent: Shell, browser: str, options: list[str]) -> None:
    agent("open", "about:blank", "--cdp", browser)

    answers = [
        agent(command, "-", *options, given="6*7" if command == "eval" else "eval 6*7") for command in ("eval", "run")
    ]

    assert [(answer.code, "42" in answer.out) for answer in answers] == [(DONE, True)] * 2, answers
    assert agent("eval", "-", "--maximum", "3", given="6*7").code == USAGE


def test_two_that_open_at_once_share_one_session_and_take_turns(agent: Shell, browser: str) -> None:
    opening = [agent.begin("open", "about:blank", "--cdp", browser) for _ in range(2)]
    opened = [command.communicate(timeout=120)[0] for command in opening]
    adding = [agent.begin("eval", "window.n = (window.n || 0) + 1") for _ in range(3)]
    added = [command.communicate(timeout=120)[0] for command in adding]

    assert [command.returncode for command in opening] == [DONE, DONE], opened
    assert sorted(added) == ["1\n", "2\n", "3\n"]
    assert agent("sessions").out.count("(process ") == 1


def test_a_killed_session_is_reported_and_open_begins_anew(agent: Shell, browser: str) -> None:
    agent("open", "about:blank", "--cdp", browser)
    [path] = agent.runtime.glob("*/*.sock")
    [noted] = agent.runtime.glob("*/*/session.json")
    os.kill(json.loads(noted.read_text())["pid"], 9)
    with contextlib.suppress(OSError):  # a process that ends takes connections until its last thread has gone
        while True:
            reached(os.fspath(path)).close()
            time.sleep(0.01)
    lost, closed = agent("eval", "1"), agent("close")
    anew = agent("open", "about:blank", "--cdp", browser)

    assert (lost.code, closed.code, anew.code) == (LOST, DONE, DONE), (lost, closed, anew)
    assert "the process of the session was killed" in lost.out
    assert agent("eval", "1 + 1").out == "2\n"


def test_a_command_ends_in_time_and_the_next_one_is_refused_meanwhile(agent: Shell, browser: str) -> None:
    agent("open", "about:blank", "--cdp", browser)
    with agent.begin("wait", "60", "--timeout", "8") as waiting:
        while (refused := agent("eval", "1", "--timeout", "0.5")).code != REFUSED:
            assert waiting.poll() is None, refused  # until that one has begun
        late, _ = waiting.communicate(timeout=60)

    assert "`wait` still ran after 0.5 s; nothing was done" in refused.out
    assert waiting.returncode in (DONE, UNSURE), late
    assert agent("eval", "1 + 1").out == "2\n"


def test_a_client_that_is_killed_leaves_the_session(agent: Shell, browser: str) -> None:
    agent("open", "about:blank", "--cdp", browser)
    with agent.begin("wait", "60", "--timeout", "90") as waiting:
        while agent("eval", "1", "--timeout", "0.5").code != REFUSED:
            pass
        waiting.kill()

    assert agent("eval", "1 + 1", "--timeout", "20").out == "2\n"  # that command does not run on


def test_a_session_ends_with_its_owner(agent: Shell, browser: str) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as owner:
        opened = agent("open", "about:blank", "--cdp", browser, "--owner", str(owner.pid))
        still = agent("eval", "1 + 1")
        owner.communicate(b"\n")

    assert (opened.code, still.out) == (DONE, "2\n"), opened
    assert files_left(agent) == []


def test_mistakes_are_named(agent: Shell) -> None:
    assert (agent("opne").code, agent("look").code, agent("--version").code) == (USAGE, LOST, DONE)


@pytest.mark.skipif(
    not IS_WINDOWS, reason="elsewhere two spellings of a folder are two folders, or the system hides it"
)
def test_a_folder_is_one_in_each_spelling(agent: Shell, browser: str) -> None:
    agent("open", "about:blank", "--cdp", browser)
    agent.tree = Path(str(agent.tree).swapcase())

    assert agent("eval", "1 + 1").out == "2\n"
