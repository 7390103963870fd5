"""Finds a secret in a text whichever of its characters are escaped: in an address, a form, JSON, JavaScript or HTML,
and in one of these inside another."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

_DEEPEST = 5
"""Escapes inside of escapes that are undone."""
_MUCH = 100_000
"""Characters of a text times secrets: for less, each is looked for, because to make an expression takes longer."""
_HEAD = 24
"""Characters that are found by the expression for all secrets; then the few that begin with them are compared."""
_SHORTEST = 4
"""Characters of a text that is hidden wherever it comes."""
_ESCAPE = re.compile(
    r"""(?:%[0-9A-Fa-f]{2})+
    | \\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}
    | \\u[0-9A-Fa-f]{4} | \\u\{0*[0-9A-Fa-f]{1,6}\} | \\x[0-9A-Fa-f]{2} | \\[^ux0-9\s]
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
    looked = _looked_for(frozenset(secrets))
    spans, layers = list(_spans(text, looked)), list[_Plain]()
    while len(layers) < _DEEPEST and (plain := _undone(layers[-1].text if layers else text)) is not None:
        layers.append(plain)
        for span in _spans(plain.text, looked):
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


class _LookedFor(Struct, frozen=True):
    """Texts to find, and those of them with spaces, for which a form writes `+`; there, a `+` is a space, too."""

    texts: frozenset[str]
    spaced: frozenset[str]


@lru_cache(maxsize=64)
def _looked_for(secrets: frozenset[str]) -> _LookedFor:
    """The secrets, and what becomes of one that has an escape in it when the text around it is undone."""
    texts = set(secrets)
    for secret in secrets:
        for _ in range(_DEEPEST):
            plain = _undone(secret)
            if plain is None or len(plain.text) < _SHORTEST:
                break
            secret = plain.text  # the next layer of the same one
            texts.add(secret)
    return _LookedFor(frozenset(texts), frozenset(each.replace("+", " ") for each in texts if " " in each))


def _spans(text: str, looked: _LookedFor) -> Iterator[tuple[int, int]]:
    """Where secrets begin and end."""
    yield from _found(text, looked.texts)
    if looked.spaced and "+" in text:
        yield from _found(text.replace("+", " "), looked.spaced)


def _found(text: str, secrets: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where one of them begins, and the end of the longest that does. A long text is read once for all of them."""
    if len(text) * len(secrets) > _MUCH:
        by_head = _by_head(secrets)
        for match in _heads_of(secrets).finditer(text):
            start = match.start()
            longest = next((each for each in by_head[match[1]] if text.startswith(each, start)), None)
            if longest is not None:
                yield start, start + len(longest)
        return
    for secret in secrets:
        start = text.find(secret) if secret else -1
        while start >= 0:
            yield start, start + len(secret)
            start = text.find(secret, start + 1)


@lru_cache(maxsize=4)
def _by_head(secrets: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    """The secrets that may begin where a head is found, the longest first."""
    ordered = sorted(filter(None, secrets), key=len, reverse=True)
    heads = {each[:_HEAD] for each in ordered}
    return {head: tuple(each for each in ordered if each[:_HEAD] == head or head.startswith(each)) for head in heads}


@lru_cache(maxsize=4)
def _heads_of(secrets: frozenset[str]) -> re.Pattern[str]:
    """Finds each place where a secret may begin, with the longest head that is there."""
    return re.compile(f"(?=({_longest_of(_by_head(secrets))}))")


def _longest_of(words: Iterable[str]) -> str:
    """An expression for the longest of some words that reads each character once, however many words there are."""
    after: dict[str, list[str]] = {}
    is_end = False
    for word in words:
        if word:
            after.setdefault(word[0], []).append(word[1:])
        else:
            is_end = True
    if not after:
        return ""
    parts = [re.escape(letter) + _longest_of(rest) for letter, rest in after.items()]
    return f"(?:{'|'.join(parts)})?" if is_end else f"(?:{'|'.join(parts)})" if len(parts) > 1 else parts[0]


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
