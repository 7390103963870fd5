"""The blocking supervisor is made of the one to await, and the blocking client of the async one."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import blocking


def test_words_that_a_docstring_no_longer_says_are_told() -> None:
    with pytest.raises(ValueError, match="the docstring of status does not say"):
        blocking.generate("class AsyncSupervisor:\n    def status(self) -> int: ...\n", blocking.REMOTE)


def test_the_modules_are_what_would_be_written() -> None:
    assert blocking.main(["--check"]) == 0


def test_a_module_that_is_not_is_told_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "facade.py"
    module.write_text("older")
    wanted = {module: "newer"}

    assert blocking.main(["--check"], wanted) == 1
    assert capsys.readouterr().out == f"changed {module}\n"
    assert module.read_text() == "older"
    assert blocking.main([], wanted) == 0
    assert blocking.main(["--check"], wanted) == 0
