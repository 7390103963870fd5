"""Starting a browser: what can go wrong, what it is started with, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.errors import LaunchError
from cdp_typed.launch import LaunchedBrowser, NoSandboxWarning, launch, process
from cdp_typed.testing.leaks import launch_directories
from tests.support.browsers import quiet_launch
from tests.support.processes import assert_gone, processes_of
from tests.support.secrets import CANARY

pytestmark = pytest.mark.thorough

FakeBrowser = Callable[[str], Path]

LISTENS = """printf '4321\\n/devtools/browser/abc' > "$profile/DevToolsActivePort"; exec sleep 60"""


@pytest.fixture
def fake_browser(tmp_path: Path) -> FakeBrowser:
    """Write a shell script that can be launched; `$profile` is the user data directory, `$here` the test's."""

    def write(script: str) -> Path:
        path = tmp_path / "fake-browser"
        path.write_text(
            "#!/bin/sh\n"
            'for arg; do case "$arg" in --user-data-dir=*) profile="${arg#*=}";; esac; done\n'
            f"here='{tmp_path}'\n{script}\n"
        )
        path.chmod(0o755)
        return path

    return write


def test_flags_in_one_string_are_refused() -> None:
    with pytest.raises(TypeError, match=r"args must be a sequence of flags, not one string: '--mute-audio'"):
        launch(args="--mute-audio")


@pytest.mark.parametrize("flag", ["--user-data-dir=x", "--remote-debugging-port=9222", "--remote-debugging-pipe"])
def test_flags_that_would_move_the_port_or_the_profile_are_refused(flag: str) -> None:
    with pytest.raises(ValueError, match=rf"{flag}: launch\(\) chooses the port itself"):
        launch(args=[flag])


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="port must be a number from 1 to 65535, or 0 for a free port, not 65536"):
        launch(port=65536)
    pipe_and_port: Any = {"pipe": True, "port": 9222}
    with pytest.raises(ValueError, match="a browser on a pipe listens on no port; give either pipe or port"):
        launch(**pipe_and_port)


@pytest.mark.parametrize("timeout", [0, -1.0, float("nan")])
def test_a_timeout_that_is_not_positive_is_refused(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout must be a positive number of seconds"):
        launch(timeout=timeout)


async def test_a_file_that_is_no_program_is_an_error(no_leaks: None, tmp_path: Path) -> None:
    path = tmp_path / "chrome"
    path.write_bytes(b"\x7fELF not really")
    path.chmod(0o755)

    with pytest.raises(LaunchError) as caught:
        quiet_launch(path).start()

    assert str(caught.value) == f"{path} could not be started: Exec format error"


async def test_a_browser_that_ends_at_once_is_an_error_with_its_last_words(
    no_leaks: None, fake_browser: FakeBrowser
) -> None:
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser("echo starting; echo 'no usable sandbox' >&2; exit 3")).start()

    assert str(caught.value) == (
        "the browser ended with status 3 before it listened; it printed:\nstarting\nno usable sandbox"
    )


async def test_a_browser_that_ends_in_silence_is_an_error_that_says_so(
    no_leaks: None, fake_browser: FakeBrowser
) -> None:
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser("kill -9 $$")).start()

    assert str(caught.value) == "the browser ended with status -9 before it listened and printed nothing"


async def test_a_browser_that_removes_its_own_log_has_said_nothing(no_leaks: None, fake_browser: FakeBrowser) -> None:
    with pytest.raises(LaunchError) as caught:
        quiet_launch(fake_browser('rm -r "${profile%/profile}"; exit 5')).start()

    assert str(caught.value) == "the browser ended with status 5 before it listened and printed nothing"


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


def test_a_process_that_ends_while_it_is_looked_at_is_not_ours(tmp_path: Path) -> None:
    assert not process._is_ours(tmp_path, 1, "mark")  # pyright: ignore[reportPrivateUsage]  # a race cannot be staged


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


def test_root_starts_it_without_the_sandbox_and_is_warned(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.warns(NoSandboxWarning, match="running as root") as caught:
        launching = launch(fake_browser('echo "$@" > "$here/flags"; ' + LISTENS))
    with launching:
        flags = (tmp_path / "flags").read_text().split()

    assert flags.count("--no-sandbox") == 1
    assert [warning.filename for warning in caught] == [__file__]


def test_others_start_it_with_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with launch(fake_browser('echo "$@" > "$here/flags"; ' + LISTENS)):
        flags = (tmp_path / "flags").read_text().split()

    assert "--no-sandbox" not in flags


def test_root_that_asks_for_no_sandbox_is_not_warned(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with launch(fake_browser('echo "$@" > "$here/flags"; ' + LISTENS), args=["--no-sandbox"]):
        flags = (tmp_path / "flags").read_text().split()

    assert flags.count("--no-sandbox") == 1


def test_the_options_become_flags_and_the_arguments_come_last(fake_browser: FakeBrowser, tmp_path: Path) -> None:
    fake = fake_browser('echo "$@" > "$here/flags"; ' + LISTENS)

    def flags_of(*, headless: bool, isolate_sites: bool) -> list[str]:
        with launch(fake, headless=headless, isolate_sites=isolate_sites, args=["--no-sandbox", "--mute-audio"]):
            return (tmp_path / "flags").read_text().split()

    plain = flags_of(headless=False, isolate_sites=False)
    both = flags_of(headless=True, isolate_sites=True)

    assert "--remote-debugging-port=0" in plain
    assert [flag for flag in both if flag not in plain and not flag.startswith("--user-data-dir=")] == [
        "--headless=new",
        "--hide-scrollbars",
        "--site-per-process",
    ]
    assert both[-3:] == ["--no-sandbox", "--mute-audio", "about:blank"]


def test_the_browser_gets_no_keys_and_tokens_of_the_program(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    theirs = {
        "OPENAI_API_KEY": CANARY,
        "CDP_MCP_TOKEN": CANARY,
        "CDP_SUPERVISOR_CDP_URL": f"wss://browsers.example/?token={CANARY}",
        "PATH_TO_SECRETS": CANARY,
        "LC_TIME": "de_DE.UTF-8",
        "XDG_RUNTIME_DIR": "/run/user/1000",
        "FONTCONFIG_PATH": "/etc/fonts",
        "TZ": "Europe/Berlin",
        "https_proxy": f"http://me:{CANARY}@proxy.example:3128",
        "HTTP_PROXY": f"{CANARY}:x@proxy.example",
        "no_proxy": "localhost",
    }
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in {"PATH": os.defpath, "HOME": "/home/me", **theirs}.items():
        monkeypatch.setenv(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        launching = launch(fake_browser("env > $here/env; " + LISTENS), env={"SSLKEYLOGFILE": "keys", "TZ": "UTC"})
    with launching as browser:
        lines = (tmp_path / "env").read_text().splitlines()

    root = browser.profile.parent
    shells_own = {"PWD", "OLDPWD", "_", "SHLVL"}
    assert {line for line in lines if line.partition("=")[0] not in shells_own} == {
        f"BREAKPAD_DUMP_LOCATION={root}/tmp",
        f"CDP_TYPED_LAUNCH={root}",
        "FONTCONFIG_PATH=/etc/fonts",
        "HOME=/home/me",
        "HTTP_PROXY=proxy.example",
        "LC_TIME=de_DE.UTF-8",
        f"PATH={os.defpath}",
        "SSLKEYLOGFILE=keys",
        f"TMPDIR={root}/tmp",
        "TZ=UTC",
        "XDG_RUNTIME_DIR=/run/user/1000",
        "https_proxy=http://proxy.example:3128",
        "no_proxy=localhost",
    }


def test_a_launch_runs_one_browser_at_a_time(fake_browser: FakeBrowser) -> None:
    launching = quiet_launch(fake_browser(LISTENS))
    with launching as first:
        with pytest.raises(RuntimeError, match="already running"):
            launching.start()
        assert processes_of(first.pid, first.profile)
    with launching as second:
        assert second.profile != first.profile
    launching.close()


def test_helpers_that_ignore_politeness_are_killed(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    """The browser and a child ignore SIGTERM, and another child has left the process group."""
    monkeypatch.setattr(process, "_POLITE_S", 0.2)
    script = "trap '' TERM; sleep 61 & setsid sleep 62 & " + LISTENS
    with quiet_launch(fake_browser(script)) as browser:
        names: list[str] = []
        while names != ["sh", "sh", "sleep", "sleep", "sleep"]:  # the watch is two; first all are shells
            names = sorted(processes_of(browser.pid, browser.profile.parent).values())

    assert_gone(browser.pid, browser.profile)


def test_a_profile_that_cannot_be_removed_is_reported(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser
) -> None:
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


async def test_an_async_start_does_not_block_the_loop(
    no_leaks: None, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
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


async def test_a_start_that_is_cancelled_when_it_is_just_done_leaves_nothing(
    no_leaks: None, fake_browser: FakeBrowser
) -> None:
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
