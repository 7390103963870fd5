"""The socket of a session answers the user of the session, and nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from cdp_agent import MOST_BYTES, VERSION
from supervisor.addons.agent_cli.background import session_socket
from supervisor.addons.agent_cli.background.session import CommandLine

NO = b"2\ncdp-agent: this session is of another version or work tree; end it with close\n"


@contextlib.asynccontextmanager
async def served(folder: Path) -> AsyncGenerator[tuple[str, list[CommandLine]]]:
    """The socket of a session, and the commands that it was asked."""
    place = str(folder / "s")
    asked: list[CommandLine] = []

    async def answering(line: CommandLine) -> tuple[int, str]:
        asked.append(line)
        return 0, "here"

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen()
        listener = session_socket.SessionSocket("tree:/x", answering, lambda: False)
        server = await listener.serve(folder / "s", listening.detach())
        try:
            yield place, asked
        finally:
            server.close()


def message_of(head: tuple[str, str], words: tuple[str, ...], count: bytes = b"") -> bytes:
    number = count.decode() or str(len(words))
    body = "\0".join([*head, "/x", number, *words, ""]).encode()
    return b"%d\n" % len(body) + body


async def said(place: str, message: bytes) -> bytes:
    """All that the session says to it."""
    reader, writer = await asyncio.open_unix_connection(place)
    writer.write(message)
    received = b""
    with contextlib.suppress(ConnectionResetError):  # the command of another user is not read
        received = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return received


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
    async with served(tmp_path) as (place, asked):
        received = await said(place, message_of(head, words))
    assert received == answer
    assert len(asked) == (answer == b"0\nhere")


WHOLE = message_of((VERSION, "tree:/x"), ("look",))
KNOCKS = {
    "no number": b"GET / HTTP/1.1\r\n\r\n",
    "no command": b"0\n",
    "less than nothing": b"-5\n",
    "more than is taken": b"%d\n" % (MOST_BYTES + 1) + b"x" * 1000,
    "a long number": b"9" * 5_000 + b"\n",
    "no parts": b"5\nabcde",
    "more words than there are": message_of((VERSION, "tree:/x"), ("look",), b"9"),
    "more than can be counted": message_of((VERSION, "tree:/x"), ("look",), b"9" * 100),
    "no number of words": message_of((VERSION, "tree:/x"), ("look",), b"x"),
    "fewer than no words": message_of((VERSION, "tree:/x"), ("look",), b"-1"),
    "a version that is no text": WHOLE.replace(VERSION.encode(), b"\xff" * len(VERSION)),
    "a word that is no text": WHOLE.replace(b"look", b"\xffook"),
}
"""What no client of ours sends: nothing of it runs as another command."""


@pytest.mark.parametrize("knock", KNOCKS)
async def test_what_no_client_sends_runs_nothing_and_keeps_nobody_out(tmp_path: Path, knock: str) -> None:
    raised: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    async with served(tmp_path) as (place, asked):
        half_open = [await asyncio.open_unix_connection(place) for _ in range(50)]
        for _, writer in half_open:
            writer.write(b"100\nha")
        refused = await said(place, KNOCKS[knock])
        answered = await said(place, WHOLE)
        for _, writer in half_open:
            writer.close()

    assert (answered, asked, raised) == (b"0\nhere", [CommandLine(folder="/x", words=["look"])], [])
    assert refused == b"" or refused.startswith(b"2\ncdp-agent: ")
