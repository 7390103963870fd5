"""Browsers that listen on a port of this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cdp_typed.endpoint.devtools_active_port import NAME, read_port_file
from cdp_typed.errors import LaunchError
from cdp_typed.launch.lifetime import STEP_S, Launching, PendingStart, end_now
from cdp_typed.launch.process import Process
from cdp_typed.launch.profiles import Profile

FLAG = "--remote-debugging-port"

_LISTENING = re.compile(r"^DevTools listening on (ws://(\S+?):\d+(/\S+))\s*$", re.MULTILINE)
"""The line that Chromium prints. It writes the file `DevToolsActivePort` only where it has chosen the port itself."""


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
    """The user data directory; unless `launch` was given one, it is removed when the browser ends."""
    _close: Callable[[], None] = field(repr=False, compare=False, default=lambda: None)

    def close(self) -> Awaitable[None]:
        """End the browser, which its `with` block does by itself: `close()`, or `await close()` in async code.

        Where no event loop runs, it has ended when this returns. Closing twice is fine.
        """
        return end_now(self._close)


class Launch(Launching[LaunchedBrowser]):
    """A browser on a port: see `launch`."""

    def __init__(
        self,
        executable: str | os.PathLike[str] | None,
        args: tuple[str, ...],
        timeout: float,
        environment: Mapping[str, str],
        profile: Profile,
        port: int,
    ) -> None:
        super().__init__(executable, (f"{FLAG}={port}", *args), timeout, environment, profile)
        self._port = port

    def _spawn(self, executable: Path, args: tuple[str, ...]) -> Process:
        return Process(executable, args, self._environment, self._profile)

    def _meet(self, start: PendingStart, executable: Path) -> LaunchedBrowser:
        process = start.process
        while True:
            # The status is read before the file, so that a file written just before the exit is not missed.
            status = process.exit_status()
            if status is None and (content := self._address(process)):
                port, path = content
                return LaunchedBrowser(
                    ws_url=f"ws://127.0.0.1:{port}{path}",
                    http_url=f"http://127.0.0.1:{port}",
                    pid=process.pid,
                    executable=executable,
                    profile=process.profile,
                    _close=self.close,
                )
            start.check(status, verb="listen", missing=f"no {NAME}" if self._port == 0 else "it printed no address")
            start.give_up.wait(STEP_S)

    def _address(self, process: Process) -> tuple[int, str] | None:
        if self._port == 0:
            return _read_port_file(process.profile)
        printed = _LISTENING.search(process.log())
        if printed is None:
            return None
        if printed[2] != "127.0.0.1":  # Chromium takes the same port of ::1 then
            raise LaunchError(f"port {self._port} of 127.0.0.1 is taken by another program")
        return self._port, printed[3]


def _read_port_file(profile: Path) -> tuple[int, str] | None:
    """Read the port file; on Windows the browser may hold it at this moment, while it writes it."""
    try:
        return read_port_file(profile)
    except PermissionError:
        return None
