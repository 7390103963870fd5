"""Splits JavaScript into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from cdp_typed.mock.js.syntax.syntax_tree import Unsupported

Kind = Literal["number", "string", "template", "name", "op", "end"]


class Token(Struct, frozen=True):
    """A token, and the column at which it begins."""

    kind: Kind
    text: str
    column: int


_TOKEN: Final = re.compile(
    r"""(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)"""
    r"""|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<op>===|!==|==|!=|<=|>=|=>|&&|\|\||\?\?|\?\.(?!\d)|\.\.\.|\*\*|\+\+|--|[-+*/]=|[-+*/%<>=!?:;,.(){}\[\]])"""
)
_BLANK: Final = re.compile(r"(?:\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)+")
_TEXT_PART: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*+", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def tokenize(source: str, start: int = 0) -> list[Token]:
    """Return the tokens from column `start` on, with one of kind `end` behind the last. Raises `Unsupported`."""
    tokens: list[Token] = []
    column = start
    while column < len(source):
        blank = _BLANK.match(source, column)
        if blank is not None:
            column = blank.end()
            continue
        match = _TOKEN.match(source, column)
        if match is None and source[column] == "`":
            end = _end_of_template(source, column)
            tokens.append(Token("template", source[column:end], column))
            column = end
            continue
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


def template_parts(token: Token) -> Iterator[tuple[bool, str, int]]:
    """Yield the parts of a template: whether it is code, the text, and for `tokenize` the column where code begins.

    The text of code has blanks in front, so that its columns are those of the script.
    """
    at, end = 1, len(token.text) - 1
    while at <= end:
        match = _TEXT_PART.match(token.text, at, end)
        yield False, match.group() if match else "", 0
        at = match.end() if match else at
        if at >= end:
            return
        code_end = _end_of_code(token.text, at + 2)
        column = token.column + at + 2
        yield True, " " * column + token.text[at + 2 : code_end], column
        at = code_end + 1


def _end_of_template(source: str, start: int) -> int:
    """Return the position behind the template that begins at `start`."""
    at = start + 1
    while at < len(source):
        at = match.end() if (match := _TEXT_PART.match(source, at)) else at
        if source[at : at + 1] == "`":
            return at + 1
        if source[at : at + 2] == "${":
            at = _end_of_code(source, at + 2) + 1
        else:
            break
    raise Unsupported(f"an open template at column {start + 1}")


def _end_of_code(source: str, start: int) -> int:
    """Return the position of the brace that ends the code in a template."""
    depth, at = 0, start
    while at < len(source):
        one = source[at]
        if one in "\"'" or one == "`":
            quoted = _TOKEN.match(source, at)
            at = quoted.end() if quoted else _end_of_template(source, at) if one == "`" else len(source)
            continue
        if one == "}" and not depth:
            return at
        depth += {"{": 1, "}": -1}.get(one, 0)
        at += 1
    raise Unsupported(f"an open template at column {start + 1}")


def unquote(text: str) -> str:
    """Return the value of a string literal."""

    def plain(match: re.Match[str]) -> str:
        digits = match.group(1) or match.group(2)
        if digits:
            return chr(int(digits, 16))
        return _PLAIN_ESCAPES.get(match.group(3), match.group(3))

    # Two escapes may be the surrogates of one character.
    return _ESCAPE.sub(plain, text[1:-1]).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
