"""Browsers on a pipe (`--remote-debugging-pipe`), which open no port on the machine."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from cdp_typed.errors import EndpointError
from cdp_typed.launch.lifetime import STEP_S, Launching, PendingStart, end_now
from cdp_typed.launch.process import Process
from cdp_typed.transport import Transport
from cdp_typed.transport.pipe import open_pipe

FLAG = "--remote-debugging-pipe"
_HELLO = b'{"id":0,"method":"Browser.getVersion"}\0'
_CHUNK = 65_536


class _PipeEnd:
    """Our end of a pipe, until a connection owns it."""

    def __init__(self, sock: socket.socket | None = None) -> None:
        self.sock = sock

    def take(self) -> socket.socket | None:
        sock, self.sock = self.sock, None
        return sock

    def close(self) -> None:
        if (sock := self.take()) is not None:
            sock.close()


@dataclass(frozen=True, slots=True)
class PipedBrowser:
    """A browser at the other end of a pipe: `cdp_typed.connect(browser)`, once. It ends with that connection."""

    pid: int
    executable: Path
    profile: Path
    """The user data directory; unless `launch` was given one, it is removed when the browser ends."""
    _end: _PipeEnd = field(repr=False)
    _close: Callable[[], None] = field(repr=False, compare=False, default=lambda: None)

    def close(self) -> Awaitable[None]:
        """End the browser, which its `with` block does by itself: `close()`, or `await close()` in async code.

        Where no event loop runs, it has ended when this returns. Closing twice is fine.
        """
        return end_now(self._close)

    async def open_transport(self, *, max_size: int) -> Transport:
        """Return the transport of this browser, for `connect`. Raises `EndpointError` at the second call."""
        sock = self._end.take()
        if sock is None:
            shown = f"pipe of process {self.pid}"
            raise EndpointError(f"{shown}: a pipe serves one connection, and it had that", url=shown)
        return await open_pipe(sock, max_size=max_size)


class PipeLaunch(Launching[PipedBrowser]):
    """A browser at the end of a pipe, which serves exactly one connection and ends when that is closed. See `launch`.

    async with launch(pipe=True) as browser, connect(browser) as connection:
        ...
    """

    _pipe: _PipeEnd
    """Our end, once the browser was started."""

    def _spawn(self, executable: Path, args: tuple[str, ...]) -> Process:
        ours, theirs = socket.socketpair()
        ours.sendall(_HELLO)
        with theirs:
            try:
                process = Process(executable, args, self._environment, self._profile, pipe=theirs)
            except BaseException:
                ours.close()
                raise
        self._pipe = _PipeEnd(ours)
        return process

    def _meet(self, start: PendingStart, executable: Path) -> PipedBrowser:
        assert self._pipe.sock is not None
        _greet(self._pipe.sock, start)
        process = start.process
        return PipedBrowser(process.pid, executable, process.profile, self._pipe, self.close)

    def _end(self, process: Process) -> None:
        self._pipe.close()
        process.end()


def _greet(sock: socket.socket, start: PendingStart) -> None:
    """Wait for the browser's reply to a first call and read all of it, so that the pipe is empty for the connection."""
    sock.settimeout(STEP_S)
    answer = b""
    while not answer.endswith(b"\0"):
        status = start.process.exit_status()
        try:
            more = sock.recv(_CHUNK)
        except (TimeoutError, ConnectionError):
            more = b""
        answer += more
        if not more:
            start.check(status, verb="answer", missing="nothing came through the pipe")
            start.give_up.wait(STEP_S)
    sock.setblocking(False)
