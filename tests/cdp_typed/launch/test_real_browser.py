"""A real browser, launched on a port: it listens, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from cdp_typed import LaunchError, connect
from cdp_typed.helpers import js
from cdp_typed.launch import LaunchedBrowser, launch, process
from tests.support.browsers import quiet_launch
from tests.support.processes import assert_gone

pytestmark = pytest.mark.thorough


def answers(browser: LaunchedBrowser) -> bool:
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


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_real_browser_that_was_killed_or_hangs_leaves_nothing(
    no_leaks: None, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr(process, "_POLITE_S", 0.2)
    with quiet_launch() as browser:
        os.kill(browser.pid, number)

    assert_gone(browser.pid, browser.profile)


@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
async def test_a_real_browser_listens_on_the_port_that_was_given_or_refuses_it(no_leaks: None) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port: int = other.getsockname()[1]
        with pytest.raises(LaunchError, match=rf"^port {port} of 127\.0\.0\.1 is taken by another program$"):
            await launch(port=port).__aenter__()

    async with launch(port=port) as browser:
        assert browser.http_url == f"http://127.0.0.1:{port}"
        assert answers(browser)
    assert_gone(browser.pid, browser.profile)


@pytest.mark.filterwarnings("ignore::cdp_typed.launch.NoSandboxWarning")
async def test_a_headless_page_scrolls_without_scrollbars(no_leaks: None) -> None:
    page = "document.body.innerHTML = '<p style=height:5000px>long'"
    look = "[innerWidth - document.documentElement.clientWidth, (scrollTo(0, 50), scrollY)]"
    async with launch() as browser, connect(browser) as connection, connection.new_page() as tab:
        await js(tab, page)
        assert await js(tab, look) == [0, 50]
    own = launch(headless=False, args=["--headless=new"])
    async with own as browser, connect(browser) as connection, connection.new_page() as tab:
        await js(tab, page)
        assert await js(tab, look) == [15, 50]


async def test_two_real_browsers_run_side_by_side(no_leaks: None) -> None:
    async with quiet_launch() as first, quiet_launch() as second:
        assert first.http_url != second.http_url
        assert answers(first)
        assert answers(second)

    assert_gone(first.pid, first.profile)
    assert_gone(second.pid, second.profile)
