"""SIGINT, SIGTERM and SIGHUP end each program that serves, in order, unless it was started to ignore them."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from cdp_agent import DONE
from cdp_typed.mock import ThreadedMockServer
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell

if sys.platform != "linux":
    pytest.skip("Windows has no such signals, and only Linux has /proc", allow_module_level=True)


class Program(NamedTuple):
    """The words that start it, and its exit code after SIGTERM and SIGHUP."""

    words: tuple[str, ...]
    codes: tuple[int, int]


PROGRAMS = {
    "mock": Program(("cdp_typed.mock",), (0, 0)),
    "mcp": Program(("supervisor", "mcp", "--http", "0", "--cdp-url", "{browser}"), (143, 129)),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[str]:
    with ThreadedMockServer() as server:
        yield server.http_url


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest, browser: str) -> Program:
    words, codes = PROGRAMS[request.param]
    return Program((sys.executable, "-m", *(word.format(browser=browser) for word in words)), codes)


@contextmanager
def serving(*command: str, folder: Path) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The started program and the address that it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder) as process:
        try:
            assert process.stdout is not None
            address: str = next(line for line in process.stdout if "listening on" in line).split()[-1]
            yield process, urlsplit(address).netloc
        finally:
            process.kill()


def ignoring(*signals: str) -> tuple[str, ...]:
    """Start a command that ignores these signals: `nohup` does it with SIGHUP, a script's "&" with SIGINT."""
    return ("/bin/sh", "-c", f"trap '' {' '.join(signals)}; exec \"$@\"", "sh")


def ignores(pid: int, number: signal.Signals) -> bool:
    """A program that ends may still answer for a moment."""
    mask = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigIgn:"))
    return bool(int(mask.split()[1], 16) >> (number - 1) & 1)


def answers(address: str) -> bool:
    connection = http.client.HTTPConnection(address, timeout=20)
    try:
        connection.request("GET", "/json/version")
        return connection.getresponse().status > 0
    except (ConnectionError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@pytest.mark.parametrize(("number", "times"), [(signal.SIGTERM, 1), (signal.SIGHUP, 2)])
def test_a_signal_ends_it_in_order(program: Program, number: signal.Signals, times: int, tmp_path: Path) -> None:
    with serving(*program.words, folder=tmp_path) as (process, address):
        assert answers(address)
        for _ in range(times):
            process.send_signal(number)
        rest, _ = process.communicate(timeout=20)

    assert process.returncode == program.codes[number == signal.SIGHUP], rest
    assert "Traceback" not in rest


def test_a_signal_that_it_was_started_to_ignore_stays_ignored(program: Program, tmp_path: Path) -> None:
    with serving(*ignoring("HUP", "INT"), *program.words, folder=tmp_path) as (process, address):
        for number in (signal.SIGHUP, signal.SIGINT):
            assert ignores(process.pid, number)
            process.send_signal(number)
            assert answers(address)
        process.terminate()
        rest, _ = process.communicate(timeout=20)

    assert process.returncode == program.codes[0], rest


@pytest.mark.parametrize(("ignored", "ends"), [(("HUP", "INT"), signal.SIGTERM), ((), signal.SIGHUP)])
def test_a_session_of_the_agent_ends_at_a_signal_that_its_first_command_did_not_ignore(
    agent: AgentShell, browser: str, ignored: tuple[str, ...], ends: signal.Signals
) -> None:
    opened = agent("open", "about:blank", "--cdp", browser, under=ignoring(*ignored) if ignored else ())
    assert opened.code == DONE, opened
    session = agent.session_pid()
    for number in (signal.Signals[f"SIG{name}"] for name in ignored):
        assert ignores(session, number)
        os.kill(session, number)
        assert agent("eval", "6*7").out == "42\n"
    os.kill(session, ends)

    assert agent.left() == []
