"""The format of a case: a few lines of a user's code, and the expected types or errors of both type checkers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from textwrap import indent

_IMPORTS = """\
from typing import TypeVar, assert_never, reveal_type

from cdp_typed import (
    ALL,
    UNSET,
    Command,
    CommandError,
    Connection,
    ConnectionLost,
    Event,
    Session,
    UnknownEvent,
    UnlistedValue,
    base64_bytes,
    connect,
    connect_sync,
)
from cdp_typed.protocol import browser, dom, fetch, network, page, runtime, storage, target

R = TypeVar("R")

"""


@dataclass(frozen=True)
class Revealed:
    """Inside `async def example(connection, session)`, both checkers find these types, in this order, and no fault."""

    name: str
    source: str
    types: list[str]
    pyright_types: list[str]

    @classmethod
    def read(cls, text: str) -> list[Revealed]:
        """Read cases, of which each begins with a comment."""
        found: list[Revealed] = []
        for name, expected, source in _cases(text):
            types, _, pyright_types = expected.partition(" pyright -> ")
            found.append(cls(name, source, types.split("; "), (pyright_types or types).split("; ")))
        return found


@dataclass(frozen=True)
class Refused:
    """Inside the same function, each checker finds the faults with these codes, and no other."""

    name: str
    source: str
    mypy: list[str]
    pyright: list[str]

    @classmethod
    def read(cls, text: str) -> list[Refused]:
        """Read cases, of which each begins with a comment."""
        found: list[Refused] = []
        for name, expected, source in _cases(text):
            mypy, _, pyright = expected.partition("; ")
            found.append(cls(name, source, mypy.split(), pyright.split()))
        return found


def _cases(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, what is expected, and the program of each case."""
    head = "async def example(connection: Connection, session: Session) -> None:"
    for case in re.split(r"\n\n(?=# \w+ -> )", text.strip()):
        lines = case.splitlines()
        comment = [line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines)]
        name, _, expected = " ".join(comment).partition(" -> ")
        body = "\n".join(lines[len(comment) :])
        yield name, expected, f"{_IMPORTS}\n{head}\n{indent(body, '    ')}\n"
