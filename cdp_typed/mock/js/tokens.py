"""Splits JavaScript into tokens."""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

from cdp_typed.mock.js.syntax_tree import Unsupported

Kind = Literal["number", "string", "name", "op", "end"]


class Token(Struct, frozen=True):
    """A token, and the column at which it begins."""

    kind: Kind
    text: str
    column: int


_TOKEN: Final = re.compile(
    r"""(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)"""
    r"""|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<op>===|!==|==|!=|<=|>=|=>|&&|\|\||\*\*|\+\+|--|[-+*/%<>=!?:;,.(){}\[\]])"""
)
_BLANK: Final = re.compile(r"(?:\s|//[^\n]*)+")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def tokenize(source: str) -> list[Token]:
    """Return the tokens of a script, with one of kind `end` behind the last. Raises `Unsupported`."""
    tokens: list[Token] = []
    column = 0
    while column < len(source):
        blank = _BLANK.match(source, column)
        if blank is not None:
            column = blank.end()
            continue
        match = _TOKEN.match(source, column)
        if match is None:
            raise Unsupported(f"unexpected {source[column]!r} at column {column + 1}")
        kind: Kind = "op"
        for candidate in ("number", "string", "name"):
            if match.lastgroup == candidate:
                kind = candidate
        tokens.append(Token(kind, match.group(), column))
        column = match.end()
    tokens.append(Token("end", "", len(source)))
    return tokens


def unquote(text: str) -> str:
    """Return the value of a string literal."""

    def plain(match: re.Match[str]) -> str:
        digits = match.group(1) or match.group(2)
        if digits:
            return chr(int(digits, 16))
        return _PLAIN_ESCAPES.get(match.group(3), match.group(3))

    # Two escapes may be the surrogates of one character.
    return _ESCAPE.sub(plain, text[1:-1]).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
