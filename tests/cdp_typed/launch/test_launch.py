"""Starting a browser: what can go wrong, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
import warnings
from pathlib import Path

import pytest

from cdp_typed.errors import LaunchError
from cdp_typed.launch import LaunchedBrowser, NoSandboxWarning, launch, process
from cdp_typed.testing.leaks import launch_directories
from tests.cdp_typed.launch.conftest import LISTENS, FakeBrowser
from tests.support.browsers import quiet_launch
from tests.support.processes import assert_gone, processes_of

pytestmark = pytest.mark.thorough


async def test_a_file_that_is_no_program_is_an_error(no_leaks: None, tmp_path: Path) -> None:
    path = tmp_path / "chrome"
    path.write_bytes(b"\x7fELF not really")
    path.chmod(0o755)

    with pytest.raises(LaunchError) as caught:
        quiet_launch(path).start()

    assert str(caught.value) == f"{path} could not be started: Exec format error"


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        ("echo starting; echo 'no usable sandbox' >&2; exit 3", 3, "; it printed:\nstarting\nno usable sandbox"),
        ("kill -9 $$", -9, " and printed nothing"),
        ('rm -r "${profile%/profile}"; exit 5', 5, " and printed nothing"),  # with its log
    ],
)
async def test_a_browser_that_ends_at_once_is_an_error_with_its_last_words(
    no_leaks: None, fake_browser: FakeBrowser, script: str, status: int, said: str
) -> None:
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser(script)).start()

    assert str(caught.value) == f"the browser ended with status {status} before it listened{said}"


async def test_a_start_that_is_interrupted_leaves_nothing(
    no_leaks: None, monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", interrupt)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        launches = launch(fake_browser("")), launch(fake_browser(""), pipe=True)
    for launching in launches:
        with pytest.raises(KeyboardInterrupt):
            launching.start()


@pytest.mark.parametrize(
    ("script", "tail"),
    [
        ("seq 1 100000; exit 1", "\n".join(str(n) for n in range(99_981, 100_001))),
        ("head -c 1000000 /dev/zero | tr '\\0' x; exit 1", "x" * 16_384),
    ],
    ids=["many lines", "one long line"],
)
def test_the_last_words_are_bounded(fake_browser: FakeBrowser, script: str, tail: str) -> None:
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser(script)).start()

    assert str(caught.value).partition(":\n")[2] == tail


async def test_a_browser_that_never_listens_is_an_error_at_the_deadline(
    no_leaks: None, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    script = 'echo $$ > "$here/pid"; dirname "$profile" > "$here/root"; echo still thinking; sleep 60'
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser(script), timeout=0.3).start()

    assert str(caught.value) == (
        "the browser did not listen within 0.3 s (no DevToolsActivePort); it printed:\nstill thinking"
    )
    assert_gone(int((tmp_path / "pid").read_text()), Path((tmp_path / "root").read_text().strip(), "profile"))


def test_a_port_file_that_is_half_written_is_read_again(fake_browser: FakeBrowser) -> None:
    script = """printf 43 > "$profile/DevToolsActivePort"; sleep 0.2; """

    with quiet_launch(fake_browser(script + LISTENS)) as browser:
        urls = browser.http_url, browser.ws_url

    assert urls == ("http://127.0.0.1:4321", "ws://127.0.0.1:4321/devtools/browser/abc")


def test_a_port_file_that_the_browser_holds_while_it_writes_is_read_again(
    fake_browser: FakeBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_text
    held = [PermissionError(13, "Permission denied")]

    def read_later(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        if path.name == "DevToolsActivePort" and path.exists() and held:
            raise held.pop()
        return read(path, encoding, errors)

    monkeypatch.setattr(Path, "read_text", read_later)

    with quiet_launch(fake_browser(LISTENS)) as browser:
        assert browser.http_url == "http://127.0.0.1:4321"
    assert held == []


def test_a_launch_runs_one_browser_at_a_time(fake_browser: FakeBrowser) -> None:
    launching = quiet_launch(fake_browser(LISTENS))
    with launching as first:
        with pytest.raises(RuntimeError, match="already running"):
            launching.start()
        assert processes_of(first.pid, first.profile)
    with launching as second:
        assert second.profile != first.profile
    launching.close()


def test_helpers_that_ignore_politeness_are_killed(monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser) -> None:
    """The browser and a child ignore SIGTERM, and another child has left the process group."""
    monkeypatch.setattr(process, "_POLITE_S", 0.2)
    script = "trap '' TERM; sleep 61 & setsid sleep 62 & " + LISTENS
    with quiet_launch(fake_browser(script)) as browser:
        names: list[str] = []
        while names != ["sh", "sh", "sleep", "sleep", "sleep"]:  # the watch is two; first all are shells
            names = sorted(processes_of(browser.pid, browser.profile.parent).values())

    assert_gone(browser.pid, browser.profile)


def test_a_profile_that_is_not_removed_is_reported(monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    launching = quiet_launch(fake_browser(LISTENS))
    browser = launching.start()
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", refuse)
        patch.setattr(process, "_KILLED_S", 0.1)
        with pytest.warns(ResourceWarning, match=f"{browser.profile.parent} could not be removed: .*Permission denied"):
            launching.close()

    shutil.rmtree(browser.profile.parent)
    assert_gone(browser.pid, browser.profile)


def test_files_that_appear_while_the_profile_is_removed_are_removed_too(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser
) -> None:
    """The removals fail as they do when a dying process still writes, or removes the last file itself."""
    real, left = shutil.rmtree, [FileNotFoundError(2, "gone"), OSError(39, "Directory not empty")]

    def busy(path: Path) -> None:
        if left:
            raise left.pop()
        real(path)
        raise FileNotFoundError(2, "gone")

    with quiet_launch(fake_browser(LISTENS)) as browser:
        monkeypatch.setattr(shutil, "rmtree", busy)

    assert_gone(browser.pid, browser.profile)


async def test_an_async_start_never_blocks_the_loop(no_leaks: None, fake_browser: FakeBrowser, tmp_path: Path) -> None:
    """The fake listens only after this very loop has made a file, so a blocked loop would end at the deadline."""

    async def allow() -> None:
        while not (tmp_path / "waiting").exists():  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.01)
        (tmp_path / "go").touch()

    script = 'touch "$here/waiting"; until [ -e "$here/go" ]; do sleep 0.01; done; '
    allowing = asyncio.create_task(allow())
    async with quiet_launch(fake_browser(script + LISTENS), timeout=10) as browser:
        await allowing

    assert_gone(browser.pid, browser.profile)


async def test_a_cancelled_start_leaves_nothing(no_leaks: None, fake_browser: FakeBrowser, tmp_path: Path) -> None:
    before = launch_directories()
    starting = asyncio.create_task(quiet_launch(fake_browser('touch "$here/waiting"; sleep 60')).__aenter__())
    while not (tmp_path / "waiting").exists():  # noqa: ASYNC110 - a file has no event
        await asyncio.sleep(0.01)
    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting

    assert launch_directories() == before


async def test_a_start_that_is_cancelled_when_done_leaves_nothing(no_leaks: None, fake_browser: FakeBrowser) -> None:
    before = launch_directories()
    starting = asyncio.create_task(quiet_launch(fake_browser(LISTENS)).__aenter__())
    await asyncio.sleep(0)
    (thread,) = (thread for thread in threading.enumerate() if thread.name.startswith("cdp-typed-launch"))
    thread.join()  # blocks the loop, which cannot learn of the browser before the cancellation
    assert launch_directories() > before
    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting

    assert launch_directories() == before


async def test_leaving_is_finished_even_when_it_is_cancelled(
    no_leaks: None, monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    """The browser hesitates at SIGTERM; the cancellation comes meanwhile, and is raised when all is gone."""
    monkeypatch.setattr(process, "_POLITE_S", 0.3)
    hesitant = LISTENS.replace("exec sleep 60", "trap 'touch \"$here/asked\"' TERM; while :; do sleep 0.02; done")
    launching = quiet_launch(fake_browser(hesitant))
    browser = await launching.__aenter__()
    leaving = asyncio.create_task(launching.__aexit__(None, None, None))
    while not (tmp_path / "asked").exists():  # noqa: ASYNC110 - a file has no event
        await asyncio.sleep(0.01)
    leaving.cancel()

    with pytest.raises(asyncio.CancelledError):
        await leaving

    assert (processes_of(browser.pid, browser.profile.parent), browser.profile.parent.exists()) == ({}, False)


async def test_a_cancelled_body_leaves_nothing(no_leaks: None, fake_browser: FakeBrowser) -> None:
    entered: asyncio.Future[LaunchedBrowser] = asyncio.get_running_loop().create_future()

    async def body() -> None:
        async with quiet_launch(fake_browser(LISTENS)) as browser:
            entered.set_result(browser)
            await asyncio.Event().wait()

    task = asyncio.create_task(body())
    browser = await entered
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert_gone(browser.pid, browser.profile)
