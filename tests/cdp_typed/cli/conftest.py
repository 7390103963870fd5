"""The command line in this process, against a mock browser with one page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import pytest

from cdp_typed.cli import main
from cdp_typed.mock import Page, ThreadedMockServer


class Done(NamedTuple):
    code: int
    out: str
    err: str


def refused(text: str, code: int = 2) -> Done:
    """A run that said this one line on stderr."""
    return Done(code, "", f"cdp-typed: error: {text}\n")


Run: TypeAlias = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line with these words."""

    def run(*words: str) -> Done:
        try:
            code = main(words)
        except SystemExit as ended:  # --help
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return Done(code, shown.out, shown.err)

    return run


@pytest.fixture
def mock() -> Iterator[ThreadedMockServer]:
    """A browser whose one page is at `about:blank`, and which knows `http://localhost/`."""
    with ThreadedMockServer({"http://localhost/": Page(title="Top \x1b[31m\u202e")}) as server:
        yield server
