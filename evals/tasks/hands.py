"""What a task is played with: the tools of an MCP server, whichever it is, behind one interface."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep
from typing import Self

from cdp_typed.wire.json_text import is_array, is_object
from evals.tasks.view import NotOnPage, View

__all__ = [
    "PAUSE_S",
    "TRIES",
    "FalseClaim",
    "Hands",
    "Located",
    "NoTool",
    "NotOnPage",
    "ToolFailed",
    "Usage",
    "View",
    "is_at",
]

TRIES = 8
PAUSE_S = 0.25


class ToolFailed(Exception):
    """The tool said that it could not do it. The message is its result."""


class NoTool(Exception):
    """The server has no tool for this."""


class FalseClaim(Exception):
    """The tool said that it had done what cannot be done."""


@dataclass
class Usage:
    """What the calls of a task have cost."""

    calls: int = 0
    """Turns of the model: calls of tools, or lines for a shell, which may hold several commands."""
    commands: int = 0
    """Programs that a shell ran."""
    processor_s: float = 0
    """The processor time of those programs, without background processes."""
    characters: int = 0
    """Of the results' text, as a model reads it."""
    again: int = 0
    """Snapshots of a page that was shown after the last action already."""
    failed: int = 0
    """Calls whose results reported a failure."""
    seconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """How long each call took, by the method of `Hands`."""

    def add_command(self, processor_s: float) -> None:
        """Count a program that a shell ran."""
        self.commands += 1
        self.processor_s += processor_s

    def add(self, kind: str, seconds: float, characters: int, *, is_chained: bool = False) -> None:
        """Count a call, or what the same call did next."""
        self.calls += not is_chained
        self.characters += characters
        self.seconds.setdefault(kind, []).append(seconds)


def is_at(entry: str, part: str) -> bool:
    """Whether an entry of a list of tabs has an address that ends with this, but for its query."""
    return re.search(re.escape(part) + r"(?![\w/-])", entry) is not None


class Located(str):
    """A locator where a tool takes one in place of a ref, with the name and the role that find the ref."""

    def __new__(cls, locator: str, name: str, role: str) -> Self:
        """Keep the name and the role beside the text."""
        made = super().__new__(cls, locator)
        made.name, made.role = name, role
        return made

    name: str
    role: str


def has_locator(value: object) -> bool:
    """Whether a call's arguments have a locator in place of a ref."""
    if is_object(value):
        return any(map(has_locator, value.values()))
    return any(map(has_locator, value)) if is_array(value) else isinstance(value, Located)


class Hands(ABC):
    """The tools of one server. A method is one call or, where the server needs several for it, their sequence.

    Each raises `ToolFailed` when the tool says that it failed, and `NoTool` when the server has none. What returns text
    returns the result as the model reads it.
    """

    name: str

    def __init__(self) -> None:
        self.usage = Usage()
        self._texts: list[str] = []
        self._shown: View | None = None
        self._wants_page = False
        self._was_shown = False

    def begin(self) -> None:
        """Begin a task: count anew, and forget what was heard."""
        self.usage = Usage()
        self._texts.clear()
        self._shown, self._wants_page, self._was_shown = None, False, False

    @property
    def looking(self) -> Self:
        """The same, for an action whose outcome is to be seen: where its tool can, it shows the page in its result."""
        self._wants_page = True
        return self

    @contextmanager
    def together(self) -> Generator[None]:
        """Actions that are known before the first is done: one call where the server takes several in one."""
        yield

    @property
    def heard(self) -> View:
        """All results of the task so far."""
        return View("\n".join(self._texts))

    def must_fail(self, action: Callable[[], str]) -> None:
        """Do what cannot be done. Raises `FalseClaim` when the tool says that it did."""
        try:
            text = action()
        except ToolFailed:
            return
        raise FalseClaim(text)

    def must_not_read(self) -> None:
        """Look at what cannot be read. Raises `FalseClaim` when the tool shows something, and says nothing of that."""
        try:
            text = self.snapshot().text
        except ToolFailed:
            return
        if "not read" not in text:
            raise FalseClaim(text)

    def patiently(self, action: Callable[[], str]) -> str:
        """Try again while the tool says that it cannot be done, for some seconds."""
        for _ in range(TRIES):
            try:
                return action()
            except (ToolFailed, NotOnPage):
                sleep(PAUSE_S)
        return action()

    def counted(self, kind: str, started: float, text: str, *, is_chained: bool = False) -> str:
        """Count a call that began at `started` by `perf_counter` and ended now. Pages seen before no longer count.

        With `is_chained` it belongs to the call before it.
        """
        self.usage.add(kind, perf_counter() - started, len(text), is_chained=is_chained)
        if kind == "snapshot":
            self.usage.again += self._was_shown
            self._was_shown = True
        elif kind != "find":
            self._was_shown = False
        self._texts.append(text)
        self._shown = None
        if kind not in ("snapshot", "find"):  # those come before the action that is meant, for its ref
            self._wants_page = False
        return text

    def look(self) -> View:
        """The page as the last call showed it; where it did not, a snapshot."""
        return self.snapshot() if self._shown is None else self._shown

    def ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        """Return an element's ref, by what the last call showed of the page, or else by a snapshot.

        Where the last call showed nothing, a locator saves the snapshot, if the server takes one.
        """
        if self._shown is None and len(roles) == 1 and not (nth or after or '"' in name):
            locator = self.locator(name, roles[0])
            if locator is not None:
                return Located(locator, name, roles[0])
        return self._shown_ref(name, *roles, nth=nth, after=after)

    def with_refs(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return a call's arguments with refs of a snapshot in place of locators, which were refused."""
        return {key: self._with_refs(value) for key, value in arguments.items()}

    def _with_refs(self, value: object) -> object:
        if isinstance(value, Located):
            return self._shown_ref(value.name, value.role)
        if is_object(value):
            return self.with_refs(value)
        return [self._with_refs(item) for item in value] if is_array(value) else value

    def locator(self, name: str, role: str) -> str | None:
        """Return a text that means an element by its role and name, where the server's tools take one for a ref."""
        return None

    def by_locator(self, name: str, role: str) -> str:
        """Click by a locator, and by nothing else if that is refused."""
        return self.click(str(self.locator(name, role)))

    def _shown_ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        if self._shown is not None:
            with suppress(NotOnPage):
                return self._shown.ref(name, *roles, nth=nth, after=after)
        return self.snapshot_ref(name, *roles, nth=nth, after=after)

    def snapshot_ref(self, name: str, *roles: str, nth: int = 0, after: str = "") -> str:
        """Take a snapshot and return an element's ref, on the parts that follow where it is long."""
        return self.snapshot().ref(name, *roles, nth=nth, after=after)

    def find(self, name: str, *roles: str) -> str:
        """Return the ref of an element of a long page, by searching where the server can search."""
        return self._shown_ref(name, *roles)

    def wait_ref(self, name: str, *roles: str) -> str:
        """Look until an element is there, for some seconds, and return its ref."""
        for _ in range(TRIES):
            try:
                return self._shown_ref(name, *roles)
            except NotOnPage:
                self._shown = None
                sleep(PAUSE_S)
        return self._shown_ref(name, *roles)

    def wait_view(self, holds: Callable[[View], bool]) -> View:
        """Look until a condition holds, for some seconds, and return what was seen last."""
        for _ in range(TRIES):
            view = self.look()
            if holds(view):
                return view
            self._shown = None
            sleep(PAUSE_S)
        return self.snapshot()

    def whole(self, ref: str) -> View:
        """An element with its whole value, which a snapshot may cut."""
        return self.look()

    def seek(self, words: str, pattern: str) -> str:
        """Return the first group of a regular expression on a long page, by a search for words where there is one."""
        return self.snapshot().match(pattern)

    def expect(self, result: str, text: str) -> None:
        """Know of a dialog: by a result, or by a snapshot."""
        if text in result:
            return
        try:
            seen = self.snapshot().text
        except ToolFailed as error:
            seen = str(error)
        if text not in seen:
            raise NotOnPage(f"nothing of {text!r} in {result!r} and in {seen!r}")

    @abstractmethod
    def fresh(self) -> None:
        """Leave one empty tab and no dialog, whatever the task before left. It is not counted."""

    @abstractmethod
    def navigate(self, url: str) -> str: ...

    @abstractmethod
    def back(self) -> str: ...

    @abstractmethod
    def snapshot(self) -> View: ...

    @abstractmethod
    def click(self, ref: str, *, count: int = 1, button: str = "left") -> str: ...

    @abstractmethod
    def type(self, ref: str, text: str, *, submit: bool = False) -> str:
        """Replace what is in a text field."""

    @abstractmethod
    def set(self, ref: str, value: str) -> str:
        """Set an input of the types date, time, color, range and their like to a value as HTML writes it."""

    @abstractmethod
    def write(self, text: str) -> str:
        """Type into whatever has the focus."""

    @abstractmethod
    def press(self, key: str) -> str:
        """Press a key or a chord: `Enter`, `Control+k`."""

    @abstractmethod
    def select(self, ref: str, *labels: str) -> str:
        """Choose the options of a native select, and no others, by their labels."""

    @abstractmethod
    def check(self, ref: str, *, on: bool = True) -> str:
        """Bring a checkbox, radio button or switch into a state."""

    @abstractmethod
    def fill(self, values: Mapping[str, tuple[str, str]]) -> str:
        """Fill the fields of a form: ref -> kind (`text`, `check`, `select` or `date`) and value."""

    @abstractmethod
    def hover(self, ref: str) -> str: ...

    @abstractmethod
    def drag(self, start: str, end: str) -> str: ...

    def drag_by(self, ref: str, right: int, down: int) -> str:
        """Drag an element by a distance in pixels."""
        raise NoTool("dragging by a distance")

    @abstractmethod
    def scroll_to(self, ref: str) -> str:
        """Bring an element into view and touch nothing."""

    def scroll_down(self, ref: str) -> str:
        """Turn the wheel over an element until its end is shown."""
        raise NoTool("the mouse wheel over an element")

    @abstractmethod
    def paste(self, ref: str, text: str) -> str:
        """Paste text into an element."""

    @abstractmethod
    def upload(self, ref: str, paths: Sequence[Path]) -> str:
        """Give files to a file input."""

    @abstractmethod
    def upload_by_chooser(self, ref: str, paths: Sequence[Path]) -> str:
        """Click what opens a file chooser, and give it files."""

    @abstractmethod
    def answer(self, *, accept: bool, text: str | None = None) -> str:
        """Answer the dialog that is open."""

    def close_alert(self) -> str:
        """Close the alert that is open, where the server leaves that to its caller."""
        return self.answer(accept=True)

    @abstractmethod
    def wait_text(self, text: str) -> str: ...

    @abstractmethod
    def wait_gone(self, text: str) -> str: ...

    @abstractmethod
    def open_tab(self, url: str) -> str: ...

    @abstractmethod
    def switch_tab(self, part: str) -> str:
        """Go to the tab with this address or title, by a list of tabs that was told, or by a new one."""

    @abstractmethod
    def switch_to_opened(self, part: str) -> str:
        """Go to the tab that the last action opened, by its result, or else by its address or title."""

    @abstractmethod
    def close_tab(self, part: str) -> str: ...
