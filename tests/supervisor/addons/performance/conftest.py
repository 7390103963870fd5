"""A page to measure, on Chromium, and the calls of tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites

Show: TypeAlias = Callable[[str], Call]


@pytest.fixture
def show(tools: Tools, sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """`show(html)` shows a page and returns the calls of tools."""
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    call = tools()

    def show(html: str) -> Call:
        sites.pages["/page"] = html
        assert call("browser_navigate", url=sites.local("/page"))["success"]
        return call

    return show
