"""The live views of one user, listed and shown in one grid."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from cdp_typed import Session, connect
from cdp_typed.helpers import goto, js
from cdp_typed.launch import LaunchedBrowser
from supervisor import AsyncSupervisor
from supervisor.addons.live import Address, LiveView, announce, announced, live_url, serve_grid, serve_live
from tests.supervisor.addons.live.conftest import until
from tests.support.secrets import CANARY
from tests.support.servers.sites import Sites
from tests.support.wheels import ROOT

URL = "http://127.0.0.1:9"
ANNOUNCES = f"""import sys, time
from supervisor.addons.live import announce
with announce("killed", {URL!r}, "token"):
    print("listed", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime folder that only this test uses."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "cdp-typed-live"


def test_a_view_is_listed_until_its_block_ends(runtime: Path) -> None:
    with announce("b", URL, CANARY), announce("a", URL, CANARY):
        listed = announced()
        modes = {stat.S_IMODE(path.stat().st_mode) for path in runtime.iterdir()}

    assert [(view.name, view.url, view.token, view.pid) for view in listed] == [
        ("a", URL, CANARY, os.getpid()),
        ("b", URL, CANARY, os.getpid()),
    ]
    assert (modes, stat.S_IMODE(runtime.stat().st_mode)) == ({0o600}, 0o700)
    assert CANARY not in repr(listed)
    assert (announced(), list(runtime.iterdir())) == ((), [])


def test_a_folder_that_others_can_enter_is_refused(runtime: Path) -> None:
    runtime.mkdir()
    runtime.chmod(0o755)

    with pytest.raises(PermissionError, match="only this user"), announce("a", URL, CANARY):
        pytest.fail("it was announced")


def test_a_view_that_other_machines_reach_is_refused() -> None:
    with pytest.raises(ValueError, match="loopback"), announce("a", "http://192.0.2.1:80", CANARY):
        pytest.fail("it was announced")


@pytest.mark.thorough
def test_the_view_of_a_process_that_was_killed_is_not_listed(runtime: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ANNOUNCES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        before = [view.pid for view in announced()]
        program.send_signal(signal.SIGKILL)
        program.wait(20)

        assert (before, announced(), list(runtime.iterdir())) == ([program.pid], (), [])


@asynccontextmanager
async def session(name: str, browser: LaunchedBrowser, url: str) -> AsyncGenerator[AsyncSupervisor]:
    """A supervisor whose live view is announced."""
    async with AsyncSupervisor(browser.ws_url, scope="own") as supervisor:
        await supervisor.navigate(url)
        address = Address(token=f"{CANARY}-{name}")
        async with serve_live(LiveView(supervisor), address) as at:
            with announce(name, at, address.token):
                yield supervisor


def card(name: str) -> str:
    return f"[...document.querySelectorAll('.session')].find(each => each.querySelector('h3').textContent === '{name}')"


@asynccontextmanager
async def grid(viewers: LaunchedBrowser) -> AsyncGenerator[Session]:
    """A page of the second browser that shows the grid."""
    address = Address(token=CANARY)
    async with serve_grid(address) as url, connect(viewers.ws_url) as browser, browser.new_page() as page:
        await goto(page, live_url(url, address))
        yield page


@pytest.mark.chromium
async def test_a_person_sees_all_sessions_and_goes_into_one(
    supervised: LaunchedBrowser, chromium: LaunchedBrowser, sites: Sites
) -> None:
    sites.pages["/one"] = "<title>one</title><body style='background: red'>"
    sites.pages["/two"] = "<title>two</title><body style='background: lime'>"
    async with (
        session("first", supervised, sites.local("/one")) as first,
        session("second", supervised, sites.local("/two")),
        grid(chromium) as page,
    ):
        for name in ("first", "second"):
            await until(page, f"{card(name)}.querySelector('canvas').dataset.pictures")
        middle = "[...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data]"
        colours = [
            await js(page, f"(canvas => {middle})({card(name)}.querySelector('canvas'))")
            for name in ("first", "second")
        ]
        places = await js(page, "[...document.querySelectorAll('.session .quiet')].map(each => each.textContent)")
        await first.evaluate("setTimeout(() => confirm('Delete it?')); 1")
        asked = await until(page, f"{card('first')}.querySelector('.dialog')?.textContent")
        click = f"{card('first')}.querySelector('button').click()"
        opened = await js(page, f"window.open = url => window.opened = url; {click}; opened")
        address = await js(page, "location.href")

        assert [colour.index(max(colour[:3])) for colour in colours] == [0, 1]
        assert sorted(places) == ["one", "two"]
        assert asked == "confirm: Delete it?"
        assert opened.endswith(f"/#token={CANARY}-first")
        assert CANARY not in address
        async with connect(chromium.ws_url) as browser, browser.new_page() as tab:
            await goto(tab, opened)
            await until(tab, "!!document.querySelector('.card.dialog .buttons button')")
            await js(tab, "document.querySelector('.card.dialog .buttons button').click()")
            await until(page, f"!{card('first')}.querySelector('.dialog')")
            await until(tab, "!document.getElementById('take').disabled")
            await js(tab, "document.getElementById('take').click()")
            await until(page, f"{card('first')}.textContent.includes('a person is in control')")


@pytest.mark.chromium
async def test_a_session_that_ends_leaves_the_grid(
    supervised: LaunchedBrowser, chromium: LaunchedBrowser, sites: Sites
) -> None:
    sites.pages["/"] = "<title>one</title>"
    async with grid(chromium) as page:
        async with session("first", supervised, sites.local("/")):
            await until(page, f"!!{card('first')}")

        assert await until(page, "document.getElementById('sessions').childElementCount === 0")
        assert await until(page, "document.getElementById('connection').textContent.startsWith('No live view')")


async def test_the_list_needs_the_token_of_the_grid() -> None:
    with announce("first", URL, CANARY):
        async with serve_grid(Address(token=CANARY)) as url, httpx2.AsyncClient() as client:
            headers = [{"Authorization": f"Bearer {token}"} for token in ("wrong", CANARY)]
            answers = [await client.get(f"{url}/sessions", headers=each) for each in headers]

    assert [answer.status_code for answer in answers] == [401, 200]
