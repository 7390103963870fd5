"""`mcp --launch` while its browser starts: clients are served at once, and the first call waits for the browser."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_typed.mock import ThreadedMockServer
from tests.supervisor.addons.mcp.conftest import Transport, connected
from tests.support.processes import assert_gone

pytestmark = pytest.mark.thorough

LISTENS = """printf '{port}\\n{path}' > "$profile/DevToolsActivePort"; exec sleep 60"""
HELD_BACK = """read line < {gate}; """
FAILS = "echo 'a warning'; echo 'no display' >&2; exit 3"


class Fake:
    """A program in place of Chromium, which names a mock browser that runs, and a gate that it may wait at."""

    def __init__(self, folder: Path, mock: ThreadedMockServer) -> None:
        self._path, self._gate = folder / "fake-browser", folder / "gate"
        os.mkfifo(self._gate)
        url = urlsplit(mock.url)
        self._words = {"gate": self._gate, "port": url.port, "path": url.path}
        self.environment: dict[str, str] = {**os.environ, "CDP_TYPED_CHROME": str(self._path), "TMPDIR": str(folder)}

    def does(self, script: str) -> None:
        """Say what it does; `$profile` is its user data directory."""
        self._path.write_text(
            '#!/bin/sh\nfor arg; do case "$arg" in --user-data-dir=*) profile="${arg#*=}";; esac; done\n'
            + script.format(**self._words)
        )
        self._path.chmod(0o755)

    def release(self) -> None:
        """Open the gate."""
        self._gate.write_text("go\n")


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """The program, and the browser that it stands for."""
    with ThreadedMockServer({}) as mock:
        yield Fake(tmp_path, mock)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_tools_are_listed_before_the_browser_is_there_and_the_first_call_waits_for_it(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, transport: Transport
) -> None:
    fake.does(HELD_BACK + LISTENS)
    for name in ("CDP_TYPED_CHROME", "TMPDIR"):
        monkeypatch.setenv(name, fake.environment[name])
    async with connected(transport, "--launch", environment=fake.environment) as client:
        assert "browser_tabs" in {tool.name for tool in (await client.list_tools()).tools}
        fake.release()
        assert "about:blank current" in text_of(await client.call_tool("browser_tabs", {}))


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (FAILS, "the browser ended with status 3 before it listened; it printed: no display. Start the MCP server"),
        ("kill -9 $$", "the browser ended with status -9 before it listened and printed nothing. Start the MCP server"),
        (LISTENS.replace("{port}", "1"), "unreachable (connection refused)"),
    ],
)
async def test_a_start_that_fails_is_told_by_each_call_in_one_sentence(fake: Fake, script: str, sentence: str) -> None:
    fake.does(script)
    async with connected("stdio", "--launch", environment=fake.environment) as client:
        for _ in range(2):
            result = await client.call_tool("browser_tabs", {})
            assert result.is_error
            assert sentence in text_of(result)
            assert "\n" not in text_of(result).strip()


@pytest.mark.parametrize("ending", [None, signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_while_its_browser_starts_leaves_no_process(
    fake: Fake, tmp_path: Path, ending: signal.Signals | None
) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    fake.does(f"echo $$ $profile > {started}; " + HELD_BACK + LISTENS)
    command = [sys.executable, "-m", "supervisor", "mcp", "--launch"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=fake.environment
    ) as server:
        pid, profile = started.read_text().split()
        if ending is not None:
            server.send_signal(ending)
        out, err = server.communicate(timeout=20)

    told = [line for line in err.splitlines() if not line.endswith((b"--no-sandbox", b": interrupted"))]
    assert (server.returncode, out, told) == (0 if ending is None else 128 + ending, b"", [])
    assert_gone(int(pid), Path(profile))


@pytest.mark.parametrize(
    ("arguments", "chrome", "code", "sentence"),
    [
        (["--launch"], "no-such-browser", 5, "CDP_TYPED_CHROME: 'no-such-browser' is not on PATH"),
        (["--launch", "--headed"], "chrome-headless-shell", 5, "a headless shell has no window"),
        (["--launch", "--page-proxy", "http://user@x:1"], "fake-browser", 2, "proxy must be"),
        (["--launch", "--toolsets", "nope"], "fake-browser", 2, "nope"),
    ],
)
def test_what_can_be_known_before_is_an_exit_code(
    fake: Fake, tmp_path: Path, arguments: list[str], chrome: str, code: int, sentence: str
) -> None:
    fake.does("exit 9")
    shutil.copy(tmp_path / "fake-browser", tmp_path / "chrome-headless-shell")
    name = chrome if chrome == "no-such-browser" else str(tmp_path / chrome)
    done = subprocess.run(
        [sys.executable, "-m", "supervisor", "mcp", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**fake.environment, "CDP_TYPED_CHROME": name},
    )

    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)
