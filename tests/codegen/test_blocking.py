"""The blocking supervisor is made of the one to await."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import blocking

SOURCE = '''
from typing import Self, TypeVar

from .words import Word

R = TypeVar("R")


class AsyncSupervisor:
    async def start(self, timeout_s: float = 15.0) -> Self:
        """Begins."""
        return self

    async def say(self, word: Word, *more: Word, loudly: bool = False) -> str:
        """Says it.

        Twice.
        """
        return str(word)

    async def forget(self, word: Word, *, timeout_s: float | None = None) -> None:
        """Forgets it."""

    @property
    def words(self) -> int:
        """How many."""
        return 0

    def echo(self, value: R) -> R:
        """Gives it back."""
        return value

    async def _hidden(self) -> None: ...
'''

HEAD = """
from typing import Self, TypeVar

from .blocking import Blocking
from .words import Word

R = TypeVar("R")
"""

METHODS = '''
    def start(self, timeout_s: float = 15.0) -> Self:
        """Begins."""
        self._run(self._supervisor.start(timeout_s), timeout_s)
        return self

    def say(self, word: Word, *more: Word, loudly: bool = False) -> str:
        """Says it.

        Twice.
        """
        return self._run(self._supervisor.say(word, *more, loudly=loudly))

    def forget(self, word: Word, *, timeout_s: float | None = None) -> None:
        """Forgets it."""
        self._run(self._supervisor.forget(word, timeout_s=timeout_s), timeout_s)

    @property
    def words(self) -> int:
        """How many."""
        return self._supervisor.words

    def echo(self, value: R) -> R:
        """Gives it back."""
        return self._supervisor.echo(value)

    def __enter__(self) -> Self:
'''


def test_each_public_method_waits_with_its_own_signature_and_docstring() -> None:
    written = blocking.generate(SOURCE)

    assert METHODS in written
    assert HEAD in written
    assert "_hidden" not in written


def test_the_module_is_what_would_be_written() -> None:
    assert blocking.main(["--check"]) == 0


def test_a_module_that_is_not_is_told_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tmp_path / "facade.py"
    module.write_text("older")
    monkeypatch.setattr(blocking, "TARGET", module)

    assert blocking.main(["--check"]) == 1
    assert capsys.readouterr().out == f"changed {module}\n"
    assert module.read_text() == "older"
    assert blocking.main([]) == 0
    assert blocking.main(["--check"]) == 0
