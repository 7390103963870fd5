"""The code that `browser_recording` writes, played by Playwright (`make beside`)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cdp_typed.launch import find_browser
from evals.beside.programs import own_programs, programs
from evals.beside.recorded_shop import EXPECTED, Shop, order
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import calls
from tests.support.browsers import launched
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.thorough,
    pytest.mark.timeout(300),
    pytest.mark.skipif(len(programs()) == len(own_programs()), reason="`make beside` installs the players"),
]
CLIENTS = Path(__file__).with_name("clients")


def recorded(sites: Sites) -> Shop:
    """The shop, in which a run was recorded."""
    shop, registry = Shop(sites), SupervisorRegistry()
    with launched() as browser:
        call = calls(Toolbox(Config(cdp_url=browser.ws_url, call_timeout_s=20), registry=registry, toolsets="all"))
        call("browser_recording", action="start", name="shop")
        order(call, shop)
        assert call("browser_recording", action="stop")["success"]
        registry.stop_all()
    return shop


def run(command: Sequence[str | Path], folder: Path) -> None:
    secrets = {"RECORDED_SECRET_1": CANARY, "RECORDED_SECRET_2": "Ada"}
    played = subprocess.run(
        command, cwd=folder, env={**os.environ, **secrets}, capture_output=True, text=True, timeout=200
    )
    assert played.returncode == 0, played.stdout + played.stderr


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_another_client_orders_the_same_again(
    language: str, sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path))
    foreign, browser = Path(os.environ["CDP_TYPED_FOREIGN"]), str(find_browser())
    shop = recorded(sites)
    match language:
        case "python":
            python = foreign / "bin" / "python"
            run(
                [python, CLIENTS / "with_playwright" / "recorded.py", browser, tmp_path / "test_shop_playwright.py"],
                tmp_path,
            )
        case _:
            in_typescript(foreign / "node", tmp_path, browser)

    assert shop.orders == [EXPECTED, EXPECTED]


def in_typescript(node: Path, folder: Path, browser: str) -> None:
    """Run the file by Playwright's own runner, which comes with another package than the file names."""
    (folder / "node_modules").symlink_to(node / "node_modules")
    written = folder / "shop.spec.ts"
    written.write_text(written.read_text().replace('"@playwright/test"', '"playwright/test"'))
    options = f"{{ executablePath: {browser!r}, args: ['--no-sandbox'] }}"
    (folder / "playwright.config.ts").write_text(f"export default {{ use: {{ launchOptions: {options} }} }};")
    run(["node", node / "node_modules" / "playwright" / "cli.js", "test", "--reporter=line"], folder)
