"""A page to measure, on Chromium, and the calls of tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites
from tests.support.stages.shared_browser import SharedBrowser

Show: TypeAlias = Callable[[str], Call]


@pytest.fixture
def show(
    registry: SupervisorRegistry,
    shared_chromium: SharedBrowser,
    sites: Sites,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Show:
    """`show(html)` shows a page and returns the calls of tools."""
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    config = Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20)
    call = calls(Toolbox(config, registry=registry, toolsets="all"))

    def show(html: str) -> Call:
        sites.pages["/page"] = html
        assert call("browser_navigate", url=sites.local("/page"))["success"]
        return call

    return show
