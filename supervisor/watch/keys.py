"""From the bytes of a terminal to keys."""

from __future__ import annotations

import codecs
import sys
import termios
import tty
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from .input_state import BACKSPACE, DOWN, ENTER, ESCAPE, UP

_NAMED = {"\r": ENTER, "\n": ENTER, "\x1b": ESCAPE, "\x7f": BACKSPACE, "\x08": BACKSPACE}
_SEQUENCES = {"\x1b[A": UP, "\x1b[B": DOWN, "\x1bOA": UP, "\x1bOB": DOWN}


class Keys:
    """Decodes what was read; a character whose bytes come in two pieces is waited for."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> Iterator[str]:
        """The keys: printable characters, and the names of `input_state`. Unknown sequences are left out."""
        text = self._decoder.decode(data)
        while text:
            length = _length(text)
            key, text = text[:length], text[length:]
            if length > 1:
                if key in _SEQUENCES:
                    yield _SEQUENCES[key]
            elif key in _NAMED:
                yield _NAMED[key]
            elif key.isprintable():
                yield key


def _length(text: str) -> int:
    """How many characters the first key has: a sequence after ESC ends with a letter or a tilde."""
    if text[0] != "\x1b" or text[1:2] not in ("[", "O"):
        return 1
    return next((at + 1 for at in range(2, len(text)) if text[at].isalpha() or text[at] == "~"), len(text))


@contextmanager
def unbuffered(fd: int) -> Generator[None]:
    """Have the terminal give each key at once, and not show it; Ctrl-C stays what it is."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows has no termios")
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
