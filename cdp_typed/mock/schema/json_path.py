"""The line of a JSON path in a text, for error messages."""

from __future__ import annotations

import json
import re
from typing import Final

Steps = tuple[str | int, ...]
_WORD: Final = re.compile(r"(\w+)\[(\d+)\]")
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


def steps_of(path: str) -> Steps:
    """Return the steps of `.rules[0].how`."""
    return tuple(name or int(index) for name, index in _STEP.findall(path))


def steps_of_words(words: str) -> Steps:
    """Return the steps of `pages: http://x/: frames[0]: script: what is wrong`; the last is none."""
    steps: list[str | int] = []
    for word in words.split(": "):
        indexed = _WORD.fullmatch(word)
        steps += [word] if indexed is None else [indexed[1], int(indexed[2])]
    return tuple(steps)


def line_of(text: str, steps: Steps, field: str = "") -> int:
    """Return the line, from 1, to which the steps lead; of `field` behind it, if that is there.

    A path is followed as far as it exists. The text is well-formed.
    """
    at = _skip(text, 0)
    for step in steps:
        entered = _enter(text, at, step)
        if entered is None:
            break
        at = entered
    behind = text.find(json.dumps(field), at) if field else -1
    return text.count("\n", 0, max(at, behind)) + 1


def _enter(text: str, at: int, step: str | int) -> int | None:
    """Return the offset of a member of the object or array at `at`, or None."""
    closing = {"{": "}", "[": "]"}.get(text[at])
    if closing is None:
        return None
    at, count = _skip(text, at + 1), 0
    while text[at] != closing:
        key: object = count
        if closing == "}":
            key, end = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, end) + 1)
        if key == step:
            return at
        _, end = _DECODER.raw_decode(text, at)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        count += 1
    return None


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
