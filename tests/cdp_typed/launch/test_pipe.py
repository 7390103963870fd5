"""Browsers at the end of a pipe: no port, one connection, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import warnings
from pathlib import Path

import pytest

from cdp_typed import ConnectionLost, EndpointError, connect
from cdp_typed.errors import LaunchError
from cdp_typed.launch import NoSandboxWarning, PipeLaunch, launch
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import runtime, target
from tests.cdp_typed.launch.conftest import FakeBrowser
from tests.support.processes import assert_gone

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("no_leaks")]

ANSWERS = r"""printf '{"id":0,"result":{}}\0' >&4; """


def piped(executable: Path | None = None, *, timeout: float = 30.0) -> PipeLaunch:
    """`launch(pipe=True)` without the warning that CI, which is often root, cannot avoid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        return launch(executable, pipe=True, args=["--disable-gpu"], timeout=timeout)


def test_a_pipe_is_refused_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(ValueError, match="pipe=True is not for Windows"):
        _ = launch(pipe=True)


async def test_a_file_that_is_no_program_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "chrome"
    path.write_bytes(b"\x7fELF not really")
    path.chmod(0o755)

    with pytest.raises(LaunchError, match=r"^the browser ended with status 126 before it answered; it printed:\n"):
        piped(path).start()


async def test_a_browser_that_ends_at_once_or_a_shell_that_is_missing_is_an_error(
    monkeypatch: pytest.MonkeyPatch, fake_browser: FakeBrowser
) -> None:
    browser = fake_browser("echo 'no usable sandbox' >&2; exit 3")
    with pytest.raises(LaunchError) as caught:
        piped(browser).start()
    assert str(caught.value) == ("the browser ended with status 3 before it answered; it printed:\nno usable sandbox")

    monkeypatch.setattr("cdp_typed.launch.process._MOVE_PIPE", ("/no/such/shell",))
    with pytest.raises(LaunchError, match="could not be started: No such file or directory"):
        piped(browser).start()


@pytest.mark.parametrize("script", ["sleep 60", "exec 3<&- 4<&-; sleep 60"], ids=["silent", "closes the pipe"])
async def test_a_browser_that_never_answers_is_an_error_at_the_deadline(fake_browser: FakeBrowser, script: str) -> None:
    with pytest.raises(LaunchError) as caught:
        piped(fake_browser(script), timeout=0.3).start()

    assert str(caught.value) == (
        "the browser did not answer within 0.3 s (nothing came through the pipe) and printed nothing"
    )


async def test_an_answer_that_comes_in_pieces_is_awaited(fake_browser: FakeBrowser) -> None:
    script = r"""printf '{"id":0,' >&4; sleep 0.1; printf '"result":{}}\0' >&4; exec sleep 60"""
    with piped(fake_browser(script)) as browser:
        assert repr(browser).endswith(f"profile={browser.profile!r})")

    assert_gone(browser.pid, browser.profile)


async def test_the_browser_has_the_pipe_and_no_port(fake_browser: FakeBrowser, tmp_path: Path) -> None:
    script = 'printf "%s\\n" "$@" > "$here/flags"; head -c 38 <&3 > "$here/asked"; ' + ANSWERS + "exec sleep 60"
    with piped(fake_browser(script)):
        flags = (tmp_path / "flags").read_text().splitlines()

    assert [flag for flag in flags if "remote-debugging" in flag] == ["--remote-debugging-pipe"]
    assert (tmp_path / "asked").read_bytes() == b'{"id":0,"method":"Browser.getVersion"}'


async def test_a_cancelled_start_leaves_nothing(fake_browser: FakeBrowser, tmp_path: Path) -> None:
    starting = asyncio.create_task(piped(fake_browser('touch "$here/waiting"; sleep 60')).__aenter__())
    while not (tmp_path / "waiting").exists():  # noqa: ASYNC110 - a file has no event
        await asyncio.sleep(0.01)
    starting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await starting


async def test_a_launch_can_be_used_again_and_closed_twice(fake_browser: FakeBrowser) -> None:
    launching = piped(fake_browser(ANSWERS + "exec sleep 60"))
    with launching as first:
        pass
    with launching as second:
        assert second.profile != first.profile
    launching.close()


async def test_a_real_browser_on_a_pipe_has_no_open_port_and_serves_one_connection() -> None:
    async with piped() as browser:
        async with connect(browser) as connection:
            version = await connection.send(browser_domain.GetVersion())
            assert version.protocol_version == "1.3"
            assert not (browser.profile / "DevToolsActivePort").exists()
            with pytest.raises(EndpointError, match=rf"pipe of process {browser.pid}: a pipe serves one connection"):
                await connect(browser)
        with pytest.raises(ConnectionLost, match="closed by this side"):
            await connection.send(browser_domain.GetVersion())

    assert_gone(browser.pid, browser.profile)


async def test_a_real_browser_ends_when_its_connection_is_closed() -> None:
    async with piped() as browser:
        async with connect(browser) as connection:
            await connection.send(browser_domain.GetVersion())
        while (state := (Path("/proc") / str(browser.pid) / "stat").read_text().rpartition(") ")[2][0]) not in "ZX":  # noqa: ASYNC110 - a process of /proc has no event
            await asyncio.sleep(0.01)

        assert state in "ZX"


async def test_a_real_browser_that_nobody_connects_to_leaves_nothing() -> None:
    with piped() as browser:
        pass

    assert_gone(browser.pid, browser.profile)


async def test_f08_a_real_browser_that_is_killed_is_told_at_once() -> None:
    async with piped() as browser, connect(browser) as connection:
        os.kill(browser.pid, signal.SIGKILL)

        lost = await asyncio.wait_for(asyncio.shield(connection.lost), 5)

    assert lost.reason == "the browser is gone: the pipe closed"


async def test_a_real_browser_takes_no_text_for_a_command_and_gives_the_pipe_to_no_process() -> None:
    inside = '\0{"id":99,"method":"Browser.close"}\0'
    async with piped() as browser, connect(browser) as connection:
        made = await connection.send(target.CreateTarget(url="about:blank"))
        page = await connection.attach(made.target_id)
        same = await page.send(runtime.Evaluate(expression=f"'{inside}'"))
        holders = {pid for pid in pids() if pipe_of(browser.pid) & ends_of(pid)}

        assert same.result.value == inside
        assert holders == {browser.pid}
        assert (await connection.send(browser_domain.GetVersion())).protocol_version == "1.3"


def pids() -> list[int]:
    return [int(each.name) for each in Path("/proc").glob("[0-9]*")]


def pipe_of(pid: int) -> set[str]:
    return {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (3, 4)}


def ends_of(pid: int) -> set[str]:
    """The files of a process that is there still."""
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                found.add(str(file.readlink()))
    return found
