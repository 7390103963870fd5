"""A snapshot of any server read as a list of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evals.tasks.hands import NotOnPage, View

__all__ = ["Element", "Reading"]

_LINE = re.compile(r"^(?:- )?'?(?:uid=(\w+) )?([A-Za-z][\w-]*(?=[ :]|$))?\s*(.*)$")
_ALONE = re.compile(r'^([A-Za-z]+(?: "[^"]*")?(?: \[[^\]]*\])*):\s(?=[a-z-]+ ["\[])')
"""What has one element in it, which our server writes in the same line."""
_REF = re.compile(r"\[ref=(\w+)\]")


_RAW = re.compile(r'"(.*?)"(?=(?: [A-Za-z-]+(?:="[^"]*")?)*$)')
"""A name with its own quotes as they are, before attributes."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Element:
    """A line of a snapshot."""

    role: str
    """Empty for a text."""
    name: str
    ref: str
    """Empty where the snapshot gives none."""
    line: str


class Reading:
    """The elements of a snapshot in their order."""

    def __init__(self, view: View) -> None:
        lines = (
            part.strip() for line in view.text.splitlines() for part in _ALONE.sub(r"\1\n", line.strip()).split("\n")
        )
        self.elements = [_element(line) for line in lines if line]
        self.words = re.sub(r"\s+", " ", " ".join(element.name for element in self.elements))
        """All names and texts in a row, with spaces between them."""

    def find(self, pattern: str) -> str:
        """Return the first group of a regular expression in the words. Raises `NotOnPage`."""
        return self.find_all(pattern)[0]

    def find_all(self, pattern: str) -> tuple[str, ...]:
        """Return the groups of a regular expression in the words. Raises `NotOnPage`."""
        found = re.search(pattern, self.words)
        if found is None:
            raise NotOnPage(f"nothing like {pattern!r} in {self.words[:2000]!r}")
        return tuple(group.strip() for group in found.groups())

    def of(self, *roles: str) -> list[Element]:
        """The elements with one of these roles and a ref. Raises `NotOnPage` if there is none."""
        found = [element for element in self.elements if element.ref and element.role in roles]
        if not found:
            raise NotOnPage(f"no {' or '.join(roles)} in {[element.line for element in self.elements]}")
        return found

    def named(self, name: str) -> str:
        """The ref of the first element with exactly this name. Raises `NotOnPage`."""
        found = [element.ref for element in self.elements if element.ref and element.name.strip() == name]
        if not found:
            raise NotOnPage(f"no {name!r} in {[element.line for element in self.elements]}")
        return found[0]

    def ref(self, role: str, nth: int = 0) -> str:
        """The ref of an element by its role and its place among those. Raises `NotOnPage`."""
        found = self.of(role)
        if nth >= len(found):
            raise NotOnPage(f"only {len(found)} of {role}")
        return found[nth].ref


def _element(line: str) -> Element:
    parts = _LINE.match(line)
    assert parts is not None
    uid, role, rest = parts.groups()
    ref = _REF.search(rest)
    name = _name(rest, is_raw=uid is not None)
    return Element(role or "", name, uid or (ref.group(1) if ref else ""), line)


def _name(rest: str, *, is_raw: bool) -> str:
    """The text in quotes, or after a colon, as Playwright MCP writes it."""
    quoted = (_RAW if is_raw else _QUOTED).match(rest)
    if quoted is not None:
        return quoted.group(1).replace('\\"', '"')
    _, colon, text = rest.partition(": ")
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return (text[1:-1] if is_quoted else text).replace('\\"', '"') if colon else ""
