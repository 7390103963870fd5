"""The same calls of Playwright in Python and in TypeScript: other names, other options, `await`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from .literals import INDENT, Raw, javascript, python
from .targets import ElementTarget


class Dialect(Struct, frozen=True):
    """One of the two languages. Names of methods and options are given as Python has them."""

    is_python: bool

    def value(self, value: Any) -> str:
        """A literal."""
        return python(value) if self.is_python else javascript(value)

    def call(self, receiver: str, method: str, *values: Any, **options: Any) -> Raw:
        """A call as an expression. An option that is None is left out."""
        given = {self._name(name): value for name, value in options.items() if value is not None}
        parts = [self.value(value) for value in values]
        if self.is_python:
            parts += [f"{name}={self.value(value)}" for name, value in given.items()]
        elif given:
            parts.append(self.value(given))
        return Raw(f"{receiver}.{self._name(method)}({', '.join(parts)})")

    def do(self, receiver: str, method: str, *values: Any, **options: Any) -> str:
        """A call as a statement."""
        call = self.call(receiver, method, *values, **options)
        return call if self.is_python else f"await {call};"

    def expect(self, subject: str, method: str, *values: Any, **options: Any) -> str:
        """An assertion that waits. `not_` in front of the method negates it."""
        if self.is_python:
            return self.call(f"expect({subject})", method, *values, **options)
        subject = f"expect({subject})" + (".not" if method.startswith("not_") else "")
        return f"await {self.call(subject, method.removeprefix('not_'), *values, **options)};"

    def check(self, condition_in_python: str, condition_in_typescript: str) -> str:
        """An assertion that does not wait."""
        if self.is_python:
            return f"assert {condition_in_python}"
        return f"expect({condition_in_typescript}).toBeTruthy();"

    def pattern(self, source: str) -> Raw:
        """A regular expression."""
        return Raw(f"re.compile({python(source)})" if self.is_python else f"new RegExp({javascript(source)})")

    def assign(self, name: str, value: str, *, is_new: bool = True) -> str:
        """A statement that names a value."""
        return f"{name} = {value}" if self.is_python else f"{'const ' if is_new else ''}{name} = {value};"

    def during(self, lines: Sequence[str], page: str, event: str, name: str) -> list[str]:
        """Statements that wait for an event which the lines set off; `name` gets the event's value."""
        if self.is_python:
            method = "expect_popup" if event == "popup" else "expect_file_chooser"
            inner = [f"{INDENT}{line}" for line in lines]
            return [f"with {page}.{method}() as {name}_event:", *inner, f"{name} = {name}_event.value"]
        waiting = f'const {name}Event = {page}.waitForEvent("{event}");'
        return [waiting, *lines, f"const {name} = await {name}Event;"]

    def answers(self, page: str, answers: Sequence[tuple[str, tuple[Any, ...]]]) -> str:
        """A statement that answers the dialogs to come, one after the other."""
        (method, values), later = answers[0], answers[1:]
        answer: str = self.call("dialog", method, *values)
        if later:
            then = self.answers(page, later).removesuffix(";")
            answer = f"({then}, {answer})"
        listener = f"lambda dialog: {answer}" if self.is_python else f"dialog => {answer}"
        return f'{page}.once("dialog", {listener})' + ("" if self.is_python else ";")

    def locator(self, target: ElementTarget) -> Raw:
        """The element, from the variable `page` on."""
        at = self.frame(target)
        if target.is_found_by_role:
            found = self.call(at, "get_by_role", target.role, name=target.name, exact=True)
            return found if target.position is None else self.call(found, "nth", target.position)
        return self._within(at, target.css)

    def frame(self, target: ElementTarget | None, *, inner: bool = False) -> Raw:
        """The page, or the frame of the element; with `inner` the frame that the element, an iframe, shows."""
        at = Raw("page")
        for css in () if target is None else target.frames:
            at = self.call(self._within(at, css[:-1]), "frame_locator", css[-1])
        if inner and target is not None:
            at = self.call(self._within(at, target.css[:-1]), "frame_locator", target.css[-1])
        return at

    def _within(self, at: Raw, selectors: Sequence[str]) -> Raw:
        for selector in selectors:
            at = self.call(at, "locator", selector)
        return at

    def _name(self, name: str) -> str:
        if self.is_python:
            return name
        return "toHaveURL" if name == "to_have_url" else re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


PYTHON = Dialect(is_python=True)
TYPESCRIPT = Dialect(is_python=False)
