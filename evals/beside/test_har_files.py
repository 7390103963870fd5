"""HAR files pass between Playwright and us in both directions: each replays the recordings of the other."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import connect_sync
from cdp_typed.helpers import blocking
from cdp_typed.launch import LaunchedBrowser, find_browser
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import calls
from tests.support.servers.sites import Request, Response, Sites

pytestmark = [pytest.mark.chromium, pytest.mark.thorough, pytest.mark.timeout(300)]

PLAYER = Path(__file__).parent / "clients" / "with_playwright" / "har_files.py"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>'
SCRIPT = """(async () => {
    const text = (...request) => fetch(...request).then(response => response.text(), () => 'failed');
    await document.querySelector('img').decode();
    return [document.title, document.querySelector('img').naturalWidth, await text('/api?q=\u00e9'),
        await text('/api', {method: 'POST', body: 'tea'}), await text('/moved'), await text('/bytes')];
})()"""
SHOWN = ["caf\u00e9", 7, "GET q=%C3%A9", "POST tea", "arrived", "\ufffd\x00\x01"]


def api(request: Request) -> Response:
    return Response(
        f"{request.method} {request.query or request.body.decode()}", headers={"Content-Type": "text/plain"}
    )


@pytest.fixture
def shop(sites: Sites) -> Sites:
    html = (
        "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>caf\u00e9</title><img src=/picture.svg>"
    )
    sites.pages.update(
        {
            "/": Response(html, headers={"Content-Type": "text/html"}),
            "/picture.svg": Response(PICTURE, headers={"Content-Type": "image/svg+xml"}),
            "/api": api,
            "/moved": Response(status=302, headers={"Location": "/there"}),
            "/there": Response("arrived", headers={"Content-Type": "text/plain"}),
            "/bytes": Response(b"\xff\x00\x01", headers={"Content-Type": "application/octet-stream"}),
        }
    )
    return sites


def playwright(action: str, har: Path, url: str) -> Any:
    python = Path(os.environ["CDP_TYPED_FOREIGN"]) / "bin" / "python"
    command = [str(python), str(PLAYER), action, str(find_browser()), str(har), url, SCRIPT]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)


def test_playwright_replays_what_we_recorded(chromium: LaunchedBrowser, shop: Sites, tmp_path: Path) -> None:
    har = tmp_path / "shop.har"
    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab, blocking.har(tab, har, bodies=True):
        blocking.goto(tab, shop.local("/"))
        assert blocking.js(tab, SCRIPT) == SHOWN
    shop.pages.clear()
    shop.requests.clear()

    assert playwright("replay", har, shop.local("/")) == SHOWN
    assert shop.requests == []


def test_playwright_replays_what_a_tool_saved(
    chromium: LaunchedBrowser, shop: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    registry = SupervisorRegistry()
    config = Config(cdp_url=chromium.ws_url, scope="own")
    call = calls(Toolbox(config, registry=registry, toolsets="all"))
    try:
        call("browser_requests")
        call("browser_navigate", url=shop.local("/"))
        assert call("browser_evaluate", expression=SCRIPT)["value"][:5] == SHOWN[:5]
        saved = call("browser_requests", save="shop.har")
    finally:
        registry.stop_all()
    assert "bodies_left_out" not in saved
    shop.pages.clear()
    shop.requests.clear()

    assert playwright("replay", Path(saved["saved"]), shop.local("/")) == SHOWN
    assert shop.requests == []


def test_we_replay_what_playwright_recorded(chromium: LaunchedBrowser, shop: Sites, tmp_path: Path) -> None:
    har = tmp_path / "shop.har"
    assert playwright("record", har, shop.local("/")) == SHOWN
    shop.pages.clear()
    shop.requests.clear()

    with connect_sync(chromium.http_url) as browser, browser.new_page() as tab, blocking.replay_har(tab, har):
        blocking.goto(tab, shop.local("/"))
        assert blocking.js(tab, SCRIPT) == SHOWN
    assert shop.requests == []
