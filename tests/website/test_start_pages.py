"""The programs of the three first pages print what the pages say, on a real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed import launch
from cdp_typed.launch import LaunchedBrowser
from tests.support.browsers import launched

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = [
    (page, *example)
    for page in ("start-agent.md", "start-client.md")
    for example in re.findall(
        r"```python\n(.*?)```(?:(?!```).)*?```text\n(.*?)```", (DOCS / page).read_text("utf-8"), flags=re.DOTALL
    )
]


class _Shared(
    contextlib.AbstractAsyncContextManager[LaunchedBrowser], contextlib.AbstractContextManager[LaunchedBrowser]
):
    """A running browser in place of one of the program's own, which would take a second."""

    def __init__(self, browser: LaunchedBrowser) -> None:
        self._browser = browser

    def __enter__(self) -> LaunchedBrowser:
        return self._browser

    def __exit__(self, *_: object) -> None:
        pass

    async def __aenter__(self) -> LaunchedBrowser:
        return self._browser

    async def __aexit__(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> Iterator[LaunchedBrowser]:
    """One for the programs of these pages, which take the tab that they find."""
    with launched(omnibox=False) as running:
        yield running


@pytest.mark.parametrize(
    ("page", "program", "printed"), EXAMPLES, ids=[f"{page}-{n}" for n, (page, *_) in enumerate(EXAMPLES)]
)
async def test_a_program_prints_what_the_page_says(
    page: str,
    program: str,
    printed: str,
    browser: LaunchedBrowser,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(launch, "launch", lambda: _Shared(browser))

    await asyncio.to_thread(exec, compile(program, page, "exec"), {"__name__": "__main__"})

    assert capsys.readouterr().out == printed
