"""The live views of the sessions of `cdp-agent`."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress

from cdp_agent import LOST, USAGE, VERSION, NoAnswer, reached
from supervisor.cli.session_notes import SessionNote, notes

_EVERY_S = 1.0
_ANSWER_S = 20.0
COMMAND = "live"


@contextmanager
def with_sessions() -> Generator[None]:
    """Let all sessions serve their views, also those that begin within the block.

    Raises `NoAnswer` when a session that is open already cannot serve its view.
    """
    asked = set[int]()
    _ask_all(asked)
    is_over = threading.Event()
    following = threading.Thread(target=_follow, args=(asked, is_over), name="sessions", daemon=True)
    following.start()
    try:
        yield
    finally:
        is_over.set()


def _follow(asked: set[int], is_over: threading.Event) -> None:
    while not is_over.wait(_EVERY_S):
        with suppress(NoAnswer):  # it is not shown, as `_ask_all` has said of the others
            _ask_all(asked)


def _ask_all(asked: set[int]) -> None:
    for note in notes():
        if note.lives and note.pid not in asked:
            asked.add(note.pid)
            _ask(note)


def _ask(note: SessionNote) -> None:
    """Let a session serve its view."""
    body = b"\0".join([*map(os.fsencode, (VERSION, note.key, "/", "1", COMMAND)), b""])
    answer = b""
    try:
        with closing(reached(str(note.private.with_suffix(".sock")))) as wire:
            wire.settimeout(_ANSWER_S)
            wire.sendall(b"%d\n%b" % (len(body), body))
            while part := wire.recv(65_536):
                answer += part
    except OSError as error:
        raise NoAnswer(f"the session of process {note.pid} does not answer: {error}", LOST) from None
    if not answer.startswith(b"0\n"):
        raise NoAnswer(answer.partition(b"\n")[2].decode("utf-8", "replace").strip(), USAGE)
