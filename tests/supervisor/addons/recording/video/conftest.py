"""A page of a shop on Chromium, which `browser_recording` films."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.supervisor.addons.recording.video.filmed_pages import SHOP, Filmed
from tests.supervisor.tools.conftest import Call, Tools
from tests.support.servers.sites import Sites


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def filmed(monkeypatch: pytest.MonkeyPatch) -> Filmed:
    return Filmed(monkeypatch)


@pytest.fixture
def call(tools: Tools, sites: Sites, folder: Path) -> Call:
    sites.pages |= {
        "/": SHOP,
        "/other": "<link rel=icon href=data:,><body style='background: blue'><button>In the other tab</button>",
        "/yellow": "<link rel=icon href=data:,><body style='background: yellow'>",
    }
    call = tools()
    call("browser_navigate", url=sites.local("/"))
    return call
