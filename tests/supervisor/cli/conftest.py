"""The command line in this process, against a mock browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from cdp_agent.program import main
from cdp_typed.mock import Frame, Page, ThreadedMockServer


class Done(NamedTuple):
    """The exit code and the output of a run."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Done]

SITE = {
    "http://shop.test/": Page(
        title="Shop", frames=[Frame("http://pay.test/", "pay"), Frame("http://shop.test/news", "news")]
    ),
    "http://pay.test/": Page(title="Pay"),
    "http://shop.test/news": Page(title="News"),
    "http://shop.test/asks": Page(title="Asks", on_load="window.answer = prompt('your \x1b[31mname?', 'nobody')"),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line with these words, where no session is open."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    def run(*words: str) -> Done:
        try:
            code = main(list(words))
        except SystemExit as ended:  # --help
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return Done(code, shown.out, shown.err)

    return run


@pytest.fixture
def mock() -> Iterator[ThreadedMockServer]:
    """A browser with one empty page, which knows the pages of `SITE`."""
    with ThreadedMockServer(SITE) as server:
        yield server
