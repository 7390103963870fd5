"""The format of a case: a few lines of a user's code, and the expected types or errors of both type checkers."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

__all__ = ["Refused", "Revealed"]

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
    body: str
    types: tuple[str, ...]
    pyright_types: tuple[str, ...] | None = None
    """The same types as pyright prints them, where that differs."""

    @property
    def source(self) -> str:
        return _inside_a_coroutine(self.body)


@dataclass(frozen=True)
class Refused:
    """Inside the same function, each checker finds the faults with these codes, separated by spaces, and no other."""

    name: str
    body: str
    mypy: str
    pyright: str

    @property
    def source(self) -> str:
        return _inside_a_coroutine(self.body)


def _inside_a_coroutine(body: str) -> str:
    head = "async def example(connection: Connection, session: Session) -> None:"
    return f"{_IMPORTS}\n{head}\n{indent(dedent(body).strip(), '    ')}\n"
