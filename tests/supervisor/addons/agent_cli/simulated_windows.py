"""A simulated Windows for `cdp-agent`: its named pipes are local sockets, and its processes are threads."""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cdp_agent
from cdp_agent import program
from supervisor.addons.agent_cli import locking, starting
from supervisor.addons.agent_cli.background import owner, process, session_socket
from supervisor.addons.live import announcements

MODULES = (cdp_agent, program, locking, starting, owner, process, session_socket, announcements)

_ends: ContextVar[list[Any]] = ContextVar("_ends")
"""The session's ends of pipes, which a process closes by its own end."""


class WindowsError(OSError):
    """An error with a code of Windows."""

    def __init__(self, code: int) -> None:
        super().__init__(22, f"error {code}")
        self.winerror = code


class Operation:
    """A read or a write that may still be under way."""

    def __init__(self, sock: socket.socket, most: int) -> None:
        self.event = self
        self.sock = sock
        self.is_cancelled = False
        self._most = most
        self._data = b""

    def GetOverlappedResult(self, wait: bool) -> tuple[int, int]:  # noqa: N802 - so it is named there
        assert wait
        if self._most:
            self._data = self.sock.recv(self._most)
            if not self._data:
                raise WindowsError(109)
        return len(self._data), 0

    def getbuffer(self) -> bytes:
        return self._data

    def cancel(self) -> None:
        self.is_cancelled = True


class Winapi:
    """The calls of Windows that `cdp-agent` uses."""

    GENERIC_READ, GENERIC_WRITE, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED = 0x80000000, 0x40000000, 0, 3, 0x40000000
    WAIT_TIMEOUT, SYNCHRONIZE = 258, 0x100000

    def __init__(self, folder: Path) -> None:
        self.busy = 0
        """How often the pipe has no free end."""
        self.flags: list[int] = []
        self.running = set[int]()
        self.forbidden = set[int]()
        self._folder = folder

    def place(self, name: str) -> str:
        """The socket that stands for a pipe."""
        assert name.startswith("\\\\.\\pipe\\")
        return str(self._folder / name.rpartition("\\")[2][-12:])

    def CreateFile(self, name: str, *settings: int) -> socket.socket:  # noqa: N802
        self.flags.append(settings[4])
        if self.busy:
            self.busy -= 1
            raise WindowsError(231)
        wire = socket.socket(socket.AF_UNIX)
        try:
            wire.connect(self.place(name))
        except ConnectionRefusedError:  # Windows keeps no trace of a pipe
            wire.close()
            raise FileNotFoundError from None
        except OSError:
            wire.close()
            raise
        return wire

    def CloseHandle(self, handle: Any) -> None:  # noqa: N802
        if isinstance(handle, socket.socket):
            handle.close()

    def WriteFile(self, handle: socket.socket, data: bytes, *, overlapped: bool) -> tuple[Operation, int]:  # noqa: N802
        assert overlapped
        try:
            handle.sendall(data)
        except ConnectionError:
            raise WindowsError(232) from None
        return Operation(handle, 0), 0

    def ReadFile(self, handle: socket.socket, most: int, *, overlapped: bool) -> tuple[Operation, int]:  # noqa: N802
        assert overlapped
        return Operation(handle, most), 997

    def WaitForMultipleObjects(self, events: Sequence[Operation], wait_all: bool, wait_ms: int) -> int:  # noqa: N802
        assert not wait_all
        [pending] = events
        if pending._most and not select.select([pending.sock], [], [], wait_ms / 1000)[0]:  # pyright: ignore[reportPrivateUsage] - the two are one simulation
            return self.WAIT_TIMEOUT
        return 0

    def OpenProcess(self, access: int, inherit: bool, pid: int) -> int:  # noqa: N802
        assert (access, inherit) == (self.SYNCHRONIZE, False)
        if pid in self.forbidden:
            raise WindowsError(5)
        if pid not in self.running:
            raise WindowsError(87)
        return pid

    def WaitForSingleObject(self, handle: int, wait_ms: int) -> int:  # noqa: N802
        return self.WAIT_TIMEOUT if handle in self.running else 0


class ThreadProcess:
    """The process of a session as a thread. `fails` is an exit status with which it ends at once."""

    fails: int | None = None
    hangs = False
    killed = 0

    def __init__(self, command: Sequence[str], **settings: Any) -> None:
        self.settings = settings
        self.returncode = self.fails
        if self.fails is None and not self.hangs:
            *_, key, folder = command
            threading.Thread(target=self._run, args=(key, folder), name="session").start()

    def _run(self, key: str, folder: str) -> None:
        asyncio.run(self._serve(key, folder))
        self.returncode = 0

    async def _serve(self, key: str, folder: str) -> None:
        _ends.set([])
        await process.serve_session(None, key, folder)
        for _ in range(10):  # what is written goes out, as when a process ends
            await asyncio.sleep(0)
        for end in _ends.get():
            end.abort()
        await asyncio.sleep(0)

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        ThreadProcess.killed += 1


class _WindowsOs:
    """Files of `O_TEMPORARY` are removed when they are closed."""

    O_TEMPORARY = os.O_CLOEXEC

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def close(self, descriptor: int) -> None:
        Path(f"/proc/self/fd/{descriptor}").resolve().unlink()
        os.close(descriptor)


class _WindowsSys:
    platform = "win32"

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


def _locking(descriptor: int, mode: int, count: int) -> None:
    """`msvcrt.locking`, whose locks keep others from reading: so it has to be beyond the contents."""
    assert (mode, count) == (2, 1)
    assert os.lseek(descriptor, 0, os.SEEK_CUR) > os.fstat(descriptor).st_size
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def simulate(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Winapi:
    """Let `cdp-agent` believe that it runs on Windows; its sessions lie in the folder."""
    winapi = Winapi(folder)

    async def start_serving_pipe(loop: Any, factory: Callable[[], asyncio.Protocol], name: str) -> list[Any]:
        ends = _ends.get()

        def noting() -> asyncio.Protocol:
            protocol = factory()
            made: Callable[[Any], None] = protocol.connection_made

            def connection_made(transport: Any) -> None:
                ends.append(transport)
                made(transport)

            monkeypatch.setattr(protocol, "connection_made", connection_made)
            return protocol

        return [await loop.create_unix_server(noting, winapi.place(name))]

    for module in MODULES:
        if hasattr(module, "sys"):
            monkeypatch.setattr(module, "sys", _WindowsSys())
    monkeypatch.setattr(locking, "os", _WindowsOs())
    monkeypatch.setitem(sys.modules, "_winapi", winapi)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=_locking))
    monkeypatch.setattr(asyncio.SelectorEventLoop, "start_serving_pipe", start_serving_pipe, raising=False)
    subprocess = SimpleNamespace(DEVNULL=-3, DETACHED_PROCESS=8, CREATE_NEW_PROCESS_GROUP=512, Popen=ThreadProcess)
    monkeypatch.setattr(starting, "subprocess", subprocess)
    monkeypatch.setattr(process, "let_go_of_log", lambda: None)
    monkeypatch.setenv("LOCALAPPDATA", str(folder))
    return winapi
