"""A real browser, launched on a port: it listens, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import urllib.request
from pathlib import Path

import pytest

from cdp_typed.launch import LaunchedBrowser, process
from tests.support.browsers import quiet_launch
from tests.support.processes import assert_gone

pytestmark = pytest.mark.thorough


def answers(browser: LaunchedBrowser) -> bool:
    """Return True if the browser's HTTP endpoint names the websocket of the launch."""
    with urllib.request.urlopen(f"{browser.http_url}/json/version", timeout=10) as response:
        return browser.ws_url in response.read().decode()


async def test_a_real_browser_listens_and_leaves_nothing(no_leaks: None) -> None:
    with quiet_launch() as browser:
        assert answers(browser)
        assert browser.profile.parent.stat().st_mode & 0o777 == 0o700

    assert_gone(browser.pid, browser.profile)


def test_a_real_browser_leaves_nothing_in_the_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with quiet_launch(env={"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}):
        pass

    assert list(tmp_path.rglob("*")) == []


async def test_a_real_browser_leaves_nothing_after_an_exception_in_the_block(no_leaks: None) -> None:
    browser: LaunchedBrowser | None = None
    with pytest.raises(ZeroDivisionError):
        async with quiet_launch() as browser:
            raise ZeroDivisionError

    assert browser is not None
    assert_gone(browser.pid, browser.profile)


async def test_a_real_browser_that_was_killed_leaves_nothing(no_leaks: None) -> None:
    with quiet_launch() as browser:
        os.kill(browser.pid, signal.SIGKILL)

    assert_gone(browser.pid, browser.profile)


async def test_a_real_browser_that_hangs_is_killed(no_leaks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_POLITE_S", 0.2)
    with quiet_launch() as browser:
        os.kill(browser.pid, signal.SIGSTOP)

    assert_gone(browser.pid, browser.profile)


async def test_two_real_browsers_run_side_by_side(no_leaks: None) -> None:
    async with quiet_launch() as first, quiet_launch() as second:
        assert first.http_url != second.http_url
        assert answers(first)
        assert answers(second)

    assert_gone(first.pid, first.profile)
    assert_gone(second.pid, second.profile)
