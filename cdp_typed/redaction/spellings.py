"""Finds a secret in a text whichever of its characters are escaped: in an address, a form, JSON, JavaScript or HTML,
and in one of these inside another."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

from msgspec import Struct

_DEEPEST = 5
"""Escapes inside of escapes that are undone."""
_ESCAPE = re.compile(
    r"""(?:%[0-9A-Fa-f]{2})+
    | \\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}
    | \\u[0-9A-Fa-f]{4} | \\u\{0*[0-9A-Fa-f]{1,6}\} | \\x[0-9A-Fa-f]{2} | \\[^ux0-9]
    | &(?:\#0*[0-9]{1,7} | \#[xX]0*[0-9A-Fa-f]{1,6} | [A-Za-z][A-Za-z0-9]{1,30});?""",
    re.VERBOSE,
)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}


class _Plain(Struct, frozen=True):
    """A text with its escapes undone once, and where its parts begin: there, and in the text before."""

    text: str
    here: list[int]
    before: list[int]

    def place_before(self, place: int) -> int:
        """Where a part that begins here begins in the text before."""
        part = bisect_right(self.here, place) - 1
        return self.before[part] + place - self.here[part]


def without(text: str, secrets: Collection[str], instead: str) -> str:
    """Return a text with something else in place of each secret that is not empty, however that is spelled."""
    if not secrets:
        return text
    spans, layers = list(_spans(text, secrets)), list[_Plain]()
    while len(layers) < _DEEPEST and (plain := _undone(layers[-1].text if layers else text)) is not None:
        layers.append(plain)
        for span in _spans(plain.text, secrets):
            for layer in reversed(layers):
                span = layer.place_before(span[0]), layer.place_before(span[1])
            spans.append(span)
    if not spans:
        return text
    parts, end = list[str](), 0
    for start, stop in sorted(spans):
        if start >= end:
            parts += [text[end:start], instead]
        end = max(end, stop)
    return "".join([*parts, text[end:]])


def _spans(text: str, secrets: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where secrets begin and end; a form writes `+` for a space."""
    found = [(secret, text) for secret in secrets if secret in text]
    if "+" in text:
        spaced = text.replace("+", " ")
        found += [(secret, spaced) for secret in secrets if " " in secret and secret in spaced]
    for secret, written in found:
        start = written.find(secret)
        while start >= 0:
            yield start, start + len(secret)
            start = written.find(secret, start + len(secret))


def _undone(text: str) -> _Plain | None:
    """The text with its escapes undone once; None for one that has none."""
    parts, here, before, length, end = list[str](), list[int](), list[int](), 0, 0
    for escape in _ESCAPE.finditer(text):
        characters = list(_characters(escape[0]))
        if not characters:
            continue
        parts.append(text[end : escape.start()])
        here.append(length)
        before.append(end)
        length += escape.start() - end
        for character, place in characters:
            here.append(length)
            before.append(escape.start() + place)
            parts.append(character)
            length += len(character)
        end = escape.end()
    if not parts:
        return None
    parts.append(text[end:])
    return _Plain("".join(parts), [*here, length], [*before, end])


def _characters(escape: str) -> Iterator[tuple[str, int]]:
    """What an escape stands for, each character with its place in the escape; nothing for one that is none."""
    if escape[0] == "%":
        place = 0
        for character in bytes.fromhex(escape.replace("%", "")).decode(errors="surrogateescape"):
            yield character, place
            place += 3 * len(character.encode(errors="surrogateescape"))
    elif escape[0] == "&":
        meant = html.unescape(escape)
        if meant != escape:
            yield meant, 0
    elif len(escape) == 12:
        yield bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be"), 0
    elif len(escape) > 2:
        code = int(escape[2:].strip("{}"), 16)
        if code <= 0x10FFFF:
            yield chr(code), 0
    else:
        yield _CONTROLS.get(escape[1], escape[1]), 0
