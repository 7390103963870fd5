"""The socket of a session answers the user of the session, and nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from pathlib import Path

import pytest

from cdp_agent import VERSION
from supervisor.addons.agent_cli.background import session_socket
from supervisor.addons.agent_cli.background.session import CommandLine


@pytest.mark.parametrize(("user", "answer"), [(os.getuid(), b"0\nhere"), (os.getuid() + 1, b"")])
async def test_another_user_gets_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, answer: bytes
) -> None:
    monkeypatch.setattr(session_socket, "own_uid", lambda: user)
    asked: list[CommandLine] = []

    async def answering(line: CommandLine) -> tuple[int, str]:
        asked.append(line)
        return 0, "here"

    place = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen()
        listener = session_socket.SessionSocket("tree:/x", answering, lambda: False)
        server = await listener.serve(tmp_path / "s", listening.detach())
        try:
            reader, writer = await asyncio.open_unix_connection(place)
            body = b"\0".join([VERSION.encode(), b"tree:/x", b"/x", b"1", b"look", b""])
            writer.write(b"%d\n" % len(body) + body)

            received = b""
            with contextlib.suppress(ConnectionResetError):  # the command of another user is not read
                received = await reader.read()
            writer.close()
            with contextlib.suppress(ConnectionResetError):
                await writer.wait_closed()
        finally:
            server.close()
    assert received == answer
    assert len(asked) == (answer != b"")
