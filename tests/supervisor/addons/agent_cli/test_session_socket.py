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

NO = b"2\ncdp-agent: this session is of another version or work tree; end it with close\n"


@pytest.mark.parametrize(
    ("user", "head", "words", "answer"),
    [
        (os.getuid(), (VERSION, "tree:/x"), ("look",), b"0\nhere"),
        (os.getuid() + 1, (VERSION, "tree:/x"), ("look",), b""),
        (os.getuid(), ("0", "tree:/x"), ("look",), NO),
        (os.getuid(), ("0", "tree:/x"), ("click", "close"), NO),
        (os.getuid(), ("0", "tree:/x"), ("close",), b"0\nhere"),
        (os.getuid(), ("2", "tree:/x"), ("--json", "close"), b"0\nhere"),
        (os.getuid(), (VERSION, "tree:/y"), ("close",), NO),
    ],
)
async def test_this_user_speaks_in_the_same_version_or_closes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    user: int,
    head: tuple[str, str],
    words: tuple[str, ...],
    answer: bytes,
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
            body = "\0".join([*head, "/x", str(len(words)), *words, ""]).encode()
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
    assert len(asked) == (answer == b"0\nhere")
