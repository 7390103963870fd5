"""Starts browsers of the matrix."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.browsers.catalogue import BROWSERS, Browser
from evals.browsers.fetching import executable
from tests.support.browsers import launched
from tests.support.processes import kill_group

__all__ = ["Started", "started"]

START_S = 40

_TICKING = "setInterval(() => console.log('tick'), 500)"


@dataclass(frozen=True)
class Started:
    """A browser that listens."""

    http_url: str
    ws_url: str
    """The browser's websocket, or of what has none, its first target's."""


@contextmanager
def started(name: str, *, args: Sequence[str] = (), omnibox: bool = True) -> Generator[Started]:
    """A browser of the matrix for the length of the block, fetched first, if need be; or `chromium`, this machine's.

    `args` are more of Chromium's own; `omnibox` is for `launched`.
    """
    browser = BROWSERS.get(name)
    program = None if browser is None else executable(browser)
    if browser is None or program is None or browser.kind == "chrome":
        with launched(executable=program, args=args, omnibox=omnibox) as running:
            yield Started(running.http_url, running.ws_url)
        return
    port = _free_port()
    variables = _qt_variables(port, args) if browser.kind == "qt" else {}
    with _running(_command(browser, program, port), variables) as process:
        yield _wait(f"http://127.0.0.1:{port}", process)


def _qt_variables(port: int, args: Sequence[str]) -> dict[str, str]:
    flags = ("--no-sandbox", "--disable-gpu", "--site-per-process", "--remote-allow-origins=*", *args)
    return {
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_REMOTE_DEBUGGING": str(port),
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
        "QTWEBENGINE_CHROMIUM_FLAGS": " ".join(flags),
    }


def _command(browser: Browser, program: Path, port: int) -> list[str]:
    match browser.kind:
        case "qt":
            return [str(program), str(Path(__file__).parent / "qt" / "program.py")]
        case "node":
            return [str(program), f"--inspect=127.0.0.1:{port}", "-e", _TICKING]
        case _:
            return [str(program), "eval", f"--inspect=127.0.0.1:{port}", _TICKING]


@contextmanager
def _running(command: list[str], variables: dict[str, str]) -> Generator[subprocess.Popen[bytes]]:
    nothing = subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()} | variables
    process = subprocess.Popen(
        command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True, env=environment
    )
    try:
        yield process
    finally:
        kill_group(process.pid)
        process.wait()


def _wait(http_url: str, process: subprocess.Popen[bytes]) -> Started:
    give_up = time.monotonic() + START_S
    while time.monotonic() < give_up and process.poll() is None:
        with contextlib.suppress(OSError):
            version = _ask(f"{http_url}/json/version")
            targets = _ask(f"{http_url}/json/list")
            if "webSocketDebuggerUrl" in version:
                return Started(http_url, version["webSocketDebuggerUrl"])
            if targets:
                return Started(http_url, targets[0]["webSocketDebuggerUrl"])
        time.sleep(0.1)
    raise TimeoutError(f"the browser does not listen at {http_url}")


def _ask(url: str) -> Any:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=5) as response:
        return json.load(response)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
