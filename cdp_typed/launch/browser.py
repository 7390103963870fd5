"""The context manager that starts a local browser and leaves nothing behind."""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from cdp_typed.errors import LaunchError
from cdp_typed.launch.find import find_browser
from cdp_typed.launch.process import Process

__all__ = ["Launch", "LaunchedBrowser", "NoSandboxWarning", "launch"]

_QUIET = (
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-quic",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
)
_OURS = ("--user-data-dir", "--remote-debugging-port", "--remote-debugging-pipe", "--remote-debugging-address")
_PORT_FILE = re.compile(r"(\d+)\n(/devtools/browser/\S+)\s*")
_STEP_S = 0.01
T = TypeVar("T")


class NoSandboxWarning(UserWarning):
    """The browser runs without its sandbox, because the process is root and Chrome refuses to start with it."""


@dataclass(frozen=True, slots=True)
class LaunchedBrowser:
    """A browser that listens on 127.0.0.1. Any local process that knows the port can drive it."""

    ws_url: str
    """The browser's own websocket, `ws://127.0.0.1:PORT/devtools/browser/ID`."""
    http_url: str
    """`http://127.0.0.1:PORT`, with `/json/version` and its kin."""
    pid: int
    executable: Path
    profile: Path
    """The private user data directory; it goes when the browser does."""


class Launch:
    """What `launch` returns: enter it with `with` or `async with`, or call `start()` and `close()` yourself."""

    def __init__(self, executable: str | os.PathLike[str] | None, args: tuple[str, ...], timeout: float) -> None:
        self._executable = executable
        self._args = args
        self._timeout = timeout
        self._process: Process | None = None

    def start(self) -> LaunchedBrowser:
        """Start the browser and wait until it listens.

        Raises `LaunchError` when none is found, it ends at once, or it does not listen within the deadline; the
        error then carries the last lines that the browser printed, and nothing is left running.
        """
        return self._start(threading.Event())

    def close(self) -> None:
        """End the browser with all its helpers and remove its profile. Closing what is closed does nothing."""
        if self._process is not None:
            self._process.end()
            # Only now: if a second Ctrl-C cut this short, the interpreter's exit finishes it.
            atexit.unregister(self.close)
            self._process = None

    def __enter__(self) -> LaunchedBrowser:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> LaunchedBrowser:
        give_up = threading.Event()
        starting = _in_thread(lambda: self._start(give_up))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            give_up.set()
            await asyncio.wait([starting])
            if starting.exception() is None:
                await self.__aexit__(None, None, None)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        closing = _in_thread(self.close)
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await asyncio.wait([closing])
            raise

    def _start(self, give_up: threading.Event) -> LaunchedBrowser:
        if self._process is not None:
            raise RuntimeError("this launch is already running; call launch() again for another browser")
        executable = find_browser(self._executable)
        process = self._process = Process(executable, self._args)
        atexit.register(self.close)
        try:
            port, path = self._wait_for_port(process, give_up)
        except BaseException:
            self.close()
            raise
        return LaunchedBrowser(
            ws_url=f"ws://127.0.0.1:{port}{path}",
            http_url=f"http://127.0.0.1:{port}",
            pid=process.pid,
            executable=executable,
            profile=process.profile,
        )

    def _wait_for_port(self, process: Process, give_up: threading.Event) -> tuple[int, str]:
        deadline = time.monotonic() + self._timeout
        port_file = process.profile / "DevToolsActivePort"
        while not give_up.wait(_STEP_S):
            status = process.exit_status()
            # Read after the exit is asked for, so that a file written just before the end is not missed; matched
            # whole, because it can be seen half written.
            if status is None and port_file.exists() and (found := _PORT_FILE.fullmatch(port_file.read_text())):
                return int(found[1]), found[2]
            if status is not None:
                raise _failure(process, f"ended with status {status} before it listened")
            if time.monotonic() >= deadline:
                raise _failure(process, f"did not listen within {self._timeout:g} s (no DevToolsActivePort)")
        raise LaunchError("the start was cancelled")


def launch(
    executable: str | os.PathLike[str] | None = None,
    *,
    headless: bool = True,
    isolate_sites: bool = False,
    args: Sequence[str] = (),
    timeout: float = 30.0,
) -> Launch:
    """Start a local Chrome, Chromium or Edge with a fresh private profile, for the length of a `with` block.

        with launch() as browser:               # or: async with launch() as browser
            print(browser.ws_url)

    `executable` is a path or a name on PATH; without it, the environment variable `CDP_TYPED_CHROME` and then the
    usual places decide. `isolate_sites` gives every site its own process (`--site-per-process`). `args` are appended
    to the command line. `timeout` is in seconds, from the start of the process until it listens.

    The browser listens on a free port of 127.0.0.1. It ends with all its helpers, and its profile is removed, when
    the block is left in whatever way, and at the latest when the interpreter exits; only a Python that is itself
    killed (SIGKILL, or SIGTERM without a handler) leaves it behind. The sandbox stays on, except for root on Linux,
    where Chrome refuses to start with it: then a `NoSandboxWarning` says so.

    Raises `TypeError` or `ValueError` for bad arguments here, and `LaunchError` when the block is entered.
    """
    _check(args, timeout)
    flags = [*_QUIET]
    if headless:
        flags.append("--headless=new")
    if isolate_sites:
        flags.append("--site-per-process")
    if sys.platform == "linux" and os.geteuid() == 0 and "--no-sandbox" not in args:
        warnings.warn(
            "running as root: Chrome does not start as root with its sandbox on, so it starts with --no-sandbox",
            NoSandboxWarning,
            stacklevel=2,
        )
        flags.append("--no-sandbox")
    return Launch(executable, (*flags, *args, "about:blank"), timeout)


def _check(args: Sequence[str], timeout: float) -> None:
    if isinstance(args, str):
        raise TypeError(f"args must be a sequence of flags, not one string: {args!r}")
    for arg in args:
        if arg.partition("=")[0] in _OURS:
            raise ValueError(f"{arg}: launch() chooses the port and the profile itself")
    if not timeout > 0:
        raise ValueError(f"timeout must be a positive number of seconds, not {timeout!r}")


def _failure(process: Process, what: str) -> LaunchError:
    tail = process.log_tail()
    said = f"; it printed:\n{tail}" if tail else " and printed nothing"
    return LaunchError(f"the browser {what}{said}")


def _in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Run `work` in a thread of its own that ends with it, so that none is left waiting in a pool."""
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cdp-typed-launch")
    try:
        return asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        executor.shutdown(wait=False)
