"""The error messages of Chrome's JSON parser, and their positions."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final, NamedTuple

_DEEPEST: Final = 300
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_TOKEN: Final = re.compile(
    r"(?P<mark>[][{}:,])|(?P<word>null|true|false)|(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\d))"
    r'|(?P<string>"[^"\\]*(?:\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["\\/bfnrtv])[^"\\]*)*")'
)
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS: Final = bytes(set(range(256)) - set(_STEPS))


class JSONProblem(NamedTuple):
    """A problem, and the offset at which the parser met it."""

    words: str
    position: int


class _Malformed(Exception):
    def __init__(self, words: str, position: int) -> None:
        self.problem = JSONProblem(words, position)


class _Token(NamedTuple):
    kind: str
    start: int
    end: int


def may_be_too_deep(text: str) -> bool:
    """Whether valid JSON may nest deeper than Chrome reads. False is certain, and quick to find."""
    outside_strings = text.replace(r"\\", "").replace(r"\"", "").split('"')[::2]
    brackets = "".join(outside_strings).encode().translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > _DEEPEST


def problem_of(text: str) -> JSONProblem | None:
    """Return the first problem of the text, whose characters are single bytes; None if it has none."""
    try:
        end = _value(text, 0, 0)
    except _Malformed as problem:
        return problem.problem
    end = _skip(text, end)
    return None if end == len(text) else JSONProblem("unprocessed input remains", end)


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _token(text: str, at: int) -> _Token:
    start = _skip(text, at)
    if start == len(text):
        return _Token("nothing", start, start)
    token = _TOKEN.match(text, start)
    if token is None:
        return _Token("invalid", start, start)
    return _Token(token[0] if token["mark"] else "string" if token["string"] else "scalar", start, token.end())


def _value(text: str, at: int, depth: int) -> int:
    """Return the offset behind the value at this offset."""
    if depth > _DEEPEST:
        raise _Malformed("stack limit exceeded", at)
    token = _token(text, at)
    match token.kind:
        case "nothing":
            raise _Malformed("no input", token.start)
        case "invalid":
            raise _Malformed("invalid token", token.start)
        case "[":
            return _items(text, token.end, depth)
        case "{":
            return _members(text, token.end, depth)
        case "string" | "scalar":
            return token.end
        case _:
            raise _Malformed("value expected", token.start)


def _items(text: str, at: int, depth: int) -> int:
    token = _token(text, at)
    while token.kind != "]":
        at = _value(text, at, depth + 1)
        token = _token(text, at)
        if token.kind == ",":
            at = token.end
            token = _token(text, at)
            if token.kind == "]":
                raise _Malformed("unexpected array end", token.start)
        elif token.kind != "]":
            raise _Malformed("comma or array end expected", token.start)
    return token.end


def _members(text: str, at: int, depth: int) -> int:
    token = _token(text, at)
    while token.kind != "}":
        if token.kind != "string":
            raise _Malformed("string literal expected", token.start)
        token = _token(text, token.end)
        if token.kind != ":":
            raise _Malformed("colon expected", token.start)
        token = _token(text, _value(text, token.end, depth + 1))
        if token.kind == ",":
            token = _token(text, token.end)
            if token.kind == "}":
                raise _Malformed("unexpected map end", token.start)
        elif token.kind != "}":
            raise _Malformed("comma or map end expected", token.start)
    return token.end
