"""The process of a session: `python -m` with this module, and KEY FOLDER [SOCKET-DESCRIPTOR]."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
import warnings
from pathlib import Path

from cdp_agent import shown, socket_path
from cdp_typed.ending_signals import stopped_by_signals
from cdp_typed.launch import NoSandboxWarning
from supervisor.addons.agent_cli.locking import locked
from supervisor.lasting import lasting

from .owner import is_running
from .session import AgentSession, CommandLine
from .session_socket import SessionSocket

TICK_S = 1.0


def main() -> None:
    """Serve until the session is closed, idle for too long, or its owner has ended."""
    key, folder, *descriptor = sys.argv[1:]
    warnings.simplefilter("ignore", NoSandboxWarning)
    asyncio.run(serve_session(int(descriptor[0]) if descriptor else None, key, folder))


async def serve_session(descriptor: int | None, key: str, folder: str) -> None:
    """Serve a session on the listening socket with this descriptor; without one, on a named pipe of Windows."""
    await _Process(descriptor, key, folder).run()


class _Process:
    def __init__(self, descriptor: int | None, key: str, folder: str) -> None:
        self._descriptor = descriptor
        self._key = key
        self._folder = folder
        self._path = Path(socket_path(folder, key))
        self._private = self._path.with_suffix("")
        self._session = AgentSession(self._private, f"cdp-agent {shown(key)}")
        self._busy = 0
        self._idle_since = 0.0

    async def run(self) -> None:
        with stopped_by_signals(self._session.has_ended.set):
            await self._serve(self._session.has_ended)

    async def _serve(self, ended: asyncio.Event) -> None:
        self._idle_since = asyncio.get_running_loop().time()
        self._note()
        listener = SessionSocket(self._key, self._answer, ended.is_set)
        server = await listener.serve(self._path, self._descriptor)
        watching = asyncio.create_task(lasting(self._watch, TICK_S))
        try:
            await ended.wait()
        finally:
            watching.cancel()
            self._remove_socket()
            server.close()
            await self._session.close()
            self._remove_files()

    async def _answer(self, request: CommandLine) -> tuple[int, str]:
        self._busy += 1
        try:
            answer, as_json = await self._session.answer(request)
        finally:
            self._busy -= 1
            self._idle_since = asyncio.get_running_loop().time()
        return answer.code, answer.printed(as_json=as_json)

    async def _watch(self) -> None:
        """End the session when it is idle for too long, when its owner has ended, or when its browser never began."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(TICK_S)
            is_idle = not self._busy and loop.time() - self._idle_since > self._session.idle_s
            is_useless = not self._busy and not self._session.has_begun and loop.time() - self._idle_since > TICK_S
            if is_idle or is_useless or not (self._session.owner is None or is_running(self._session.owner)):
                self._session.has_ended.set()

    def _note(self) -> None:
        """Tell other commands of this session."""
        self._private.mkdir(mode=0o700, exist_ok=True)
        (self._private / "session.json").write_text(json.dumps({"key": self._key, "pid": os.getpid()}))

    def _remove_files(self) -> None:
        let_go_of_log()
        shutil.rmtree(self._private, ignore_errors=True)
        with contextlib.suppress(OSError):  # other sessions have theirs there
            Path(self._folder).rmdir()

    def _remove_socket(self) -> None:
        with locked(self._folder), contextlib.suppress(FileNotFoundError):
            self._path.unlink()


def let_go_of_log() -> None:
    """Close the log, which is the output of this process: Windows removes no file that is open."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


if __name__ == "__main__":
    main()
