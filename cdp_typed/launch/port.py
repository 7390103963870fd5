"""Browsers that listen on a port of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cdp_typed.endpoint.devtools_active_port import NAME, read_port_file
from cdp_typed.launch.lifetime import STEP_S, Launching, PendingStart
from cdp_typed.launch.process import Process

FLAG = "--remote-debugging-port=0"


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


class Launch(Launching[LaunchedBrowser]):
    """A browser on a port: see `launch`."""

    def _spawn(self, executable: Path, args: tuple[str, ...]) -> Process:
        return Process(executable, args, self._environment, self._profile)

    def _meet(self, start: PendingStart, executable: Path) -> LaunchedBrowser:
        process = start.process
        while True:
            # The status is read before the file, so that a file written just before the exit is not missed.
            status = process.exit_status()
            if status is None and (content := _read_port_file(process.profile)):
                port, path = content
                return LaunchedBrowser(
                    ws_url=f"ws://127.0.0.1:{port}{path}",
                    http_url=f"http://127.0.0.1:{port}",
                    pid=process.pid,
                    executable=executable,
                    profile=process.profile,
                )
            start.check(status, verb="listen", missing=f"no {NAME}")
            start.give_up.wait(STEP_S)


def _read_port_file(profile: Path) -> tuple[int, str] | None:
    """Read the port file; on Windows the browser may hold it at this moment, while it writes it."""
    try:
        return read_port_file(profile)
    except PermissionError:
        return None
