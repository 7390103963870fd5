"""A page of a shop on Chromium, which `browser_recording` films."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.addons.recording.video.filmed_pages import SHOP, Filmed
from tests.supervisor.tools.conftest import Call, calls
from tests.support.servers.sites import Sites
from tests.support.stages.shared_browser import SharedBrowser


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def filmed(monkeypatch: pytest.MonkeyPatch) -> Filmed:
    return Filmed(monkeypatch)


@pytest.fixture
def config(shared_chromium: SharedBrowser) -> Config:
    return Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20)


@pytest.fixture
def call(config: Config, registry: SupervisorRegistry, sites: Sites, folder: Path) -> Call:
    sites.pages |= {
        "/": SHOP,
        "/other": "<link rel=icon href=data:,><body style='background: blue'><button>In the other tab</button>",
        "/yellow": "<link rel=icon href=data:,><body style='background: yellow'>",
    }
    call = calls(Toolbox(config, registry=registry, toolsets="all"))
    call("browser_navigate", url=sites.local("/"))
    return call
