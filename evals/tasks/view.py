"""A snapshot of any server as text, in which refs are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

__all__ = ["NotOnPage", "View"]

_REF = re.compile(r"(?:\bref=|\buid=)([A-Za-z0-9_]+)")


class NotOnPage(Exception):
    """The snapshot has no such element."""


class View:
    """A snapshot as text: a line per element, with its role, its name in quotes, and mostly a ref."""

    def __init__(self, text: str, search: Callable[[str], View] | None = None, *, takes_texts: bool = False) -> None:
        """`search` looks for a text on the page, where that gives refs to what has none in a plain snapshot. With
        `takes_texts`, a text that is there once stands for its element."""
        self.text = text
        self._takes_texts = takes_texts
        self._search = search
        self._lines = text.splitlines()

    def __contains__(self, text: str) -> bool:
        return text in self.text

    def ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        """Return the ref of an element by its name, and by its role where several have that name.

        A text without a ref of its own stands for the element around it. Where nothing has the role, its words do.
        `after` begins behind the line that holds this text. Raises `NotOnPage`.
        """
        start = next((number for number, line in enumerate(self._lines) if after in line), len(self._lines))
        numbers = range(start + 1 if after else 0, len(self._lines))
        for is_match, wanted in ((_is_named, roles), (_holds, roles), (_is_named, ()), (_holds, ())):
            hits = [number for number in numbers if is_match(self._lines[number], name, wanted)]
            if len(hits) > nth:
                try:
                    return self._ref_at(hits[nth])
                except NotOnPage:
                    if self._takes_texts and not roles and self.text.count(name) == 1:
                        return name
                    if self._search is None:
                        raise
                    return self._search(name).ref(name, *roles)
        raise NotOnPage(f"no {' or '.join(roles) or 'element'} {name!r} in:\n{self.text[:4000]}")

    def match(self, pattern: str) -> str:
        """Return the first group of a regular expression in the text. Raises `NotOnPage`."""
        found = re.search(pattern, self.text)
        if found is None:
            raise NotOnPage(f"nothing like {pattern!r} in:\n{self.text[:4000]}")
        return found.group(1)

    def has(self, pattern: str) -> bool:
        """Whether a regular expression is somewhere in the text."""
        return re.search(pattern, self.text) is not None

    def _ref_at(self, number: int) -> str:
        depth = _depth(self._lines[number])
        for line in reversed(self._lines[: number + 1]):
            ref = _REF.search(line)
            if ref is not None and (line is self._lines[number] or _depth(line) < depth):
                return ref.group(1)
        raise NotOnPage(f"no ref at or around {self._lines[number]!r}")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _words(line: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]+", re.sub(r'"[^"]*"', "", line)))


def _has_role(line: str, roles: Sequence[str]) -> bool:
    return not roles or not _words(line).isdisjoint(roles)


def _is_named(line: str, name: str, roles: Sequence[str]) -> bool:
    return f'"{name}"' in line and _has_role(line, roles)


def _holds(line: str, name: str, roles: Sequence[str]) -> bool:
    return name in line and _has_role(line, roles)
