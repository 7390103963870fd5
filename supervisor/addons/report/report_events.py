"""The collectors' arguments: an input with the states around it, and spans, which begin and end at inputs."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from supervisor.core.state.world import State, World
from supervisor.core.vocabulary.effects import Effects
from supervisor.core.vocabulary.inputs import Input

CUT = 2_000
"""Characters of a text that are kept in a report."""

S = TypeVar("S", bound=Struct)


class ReportEvent(Struct, frozen=True):
    """An input that was taken in."""

    index: int
    time: float
    """Milliseconds since the start."""
    received: Input
    before: State
    after: State
    effects: Effects

    @property
    def world(self) -> World:
        """The world after the input."""
        return self.after.world

    def page_of(self, session_id: str | None) -> str:
        """The page that a session belongs to, or belonged to before the input; empty where it is not known."""
        for world in (self.after.world, self.before.world):
            session = world.targets.sessions.get(session_id or "")
            if session is not None:
                return session.page_id
        return ""


class Collector(Protocol):
    """Picks one kind of thing out of a flight."""

    def see(self, moment: ReportEvent) -> None:
        """Take one input in."""
        ...


class Spans(Generic[S]):
    """Spans in the order in which they began, each under a key while it goes on."""

    def __init__(self) -> None:
        self.all: list[S] = []
        self._open: dict[str, int] = {}

    @property
    def open(self) -> frozenset[str]:
        """The keys of those that go on."""
        return frozenset(self._open)

    def begin(self, key: str, span: S) -> None:
        """One that goes on from now; one with the same key remains unchanged."""
        self._open[key] = len(self.all)
        self.all.append(span)

    def current(self, key: str) -> S | None:
        """The one that goes on under this key."""
        return self.all[self._open[key]] if key in self._open else None

    def update(self, key: str, **fields: Any) -> None:
        """Change fields of one that goes on."""
        at = self._open[key]
        self.all[at] = replace(self.all[at], **fields)

    def end(self, key: str, **fields: Any) -> None:
        """Change fields of one a last time."""
        self.update(key, **fields)
        del self._open[key]


def cut(text: str, length: int = CUT) -> str:
    """The beginning of a text."""
    return text if len(text) <= length else f"{text[: length - 1]}…"
