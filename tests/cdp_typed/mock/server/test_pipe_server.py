"""The mock at the end of a pipe, for one client: in a test, and as the program that a launcher starts."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import socket
import sys
import warnings
from pathlib import Path

import pytest

from cdp_typed import Connection, ConnectionLost, connect
from cdp_typed.launch import NoSandboxWarning, launch
from cdp_typed.mock import Cut, Ends, MockBrowser, MockPipe, NonConforming, Page
from cdp_typed.mock.command_line import main
from cdp_typed.mock.personality import PERSONALITIES
from cdp_typed.protocol import browser, runtime, system_info, target
from cdp_typed.transport.pipe import open_pipe

MAX_SIZE = 2**20
VERSION = b'{"id":1,"method":"Browser.getVersion"}\0'


async def client_of(mock: MockPipe) -> Connection:
    """Return our client at the other end."""
    return Connection(await open_pipe(mock.sock.dup(), max_size=MAX_SIZE))


async def test_a_client_speaks_through_the_pipe(no_leaks: None) -> None:
    async with MockPipe({"http://x/": Page(title="X")}) as mock, await client_of(mock) as client:
        async with client.new_page("http://x/") as tab:
            title = await tab.send(runtime.Evaluate(expression="document.title"))

        assert title.result.value == "X"


async def test_a_pipe_leads_to_the_browser_that_it_is_given(no_leaks: None) -> None:
    async with MockPipe(MockBrowser(samples=True)) as mock, await client_of(mock) as client:
        assert (await client.send(system_info.GetInfo())).model_name == "text"


async def test_messages_may_come_in_pieces_and_together(no_leaks: None) -> None:
    async with MockPipe() as mock:
        reader, writer = await asyncio.open_unix_connection(sock=mock.sock.dup())
        writer.write(VERSION[:20])
        await asyncio.sleep(0)
        writer.write(VERSION[20:] + VERSION.replace(b"1", b"2") + VERSION[:5])

        answers = [json.loads((await reader.readuntil(b"\0"))[:-1]) for _ in range(2)]
        assert [answer["id"] for answer in answers] == [1, 2]
        writer.close()


async def test_a_pipe_without_client_ends_with_its_block(no_leaks: None) -> None:
    async with MockPipe(personality=PERSONALITIES["no_auto_attach"]) as mock:
        assert mock.browser.pages


async def test_the_browser_ends_with_its_client(no_leaks: None) -> None:
    async with MockPipe() as mock:
        mock.sock.close()
        await asyncio.wait_for(mock.wait_ended(), 20)

        assert mock.browser.state.sessions == {}


@pytest.mark.parametrize("fault", [Ends("fin"), Ends("reset"), Cut("fin")])
async def test_a_pipe_breaks_as_told(no_leaks: None, fault: Ends | Cut) -> None:
    async with MockPipe() as mock, await client_of(mock) as client:
        mock.sock.close()
        mock.browser.fault(browser.GetVersion, fault)

        with pytest.raises(ConnectionLost):
            await client.send(browser.GetVersion())


@pytest.mark.parametrize("how", ["silence", "goodbye"])
async def test_a_pipe_may_fall_silent(no_leaks: None, how: str) -> None:
    """A pipe has no closing frame."""
    async with MockPipe() as mock:
        reader, writer = await asyncio.open_unix_connection(sock=mock.sock.dup())
        mock.browser.fault(browser.GetVersion, Ends("silence" if how == "silence" else "goodbye"), nth=2)
        writer.write(VERSION * 3)

        await reader.readuntil(b"\0")
        mock.browser.send_raw("heard by nobody")
        mock.sock.close()
    assert await reader.read() == b""
    assert [call.method for call in mock.browser.calls] == ["Browser.getVersion"] * 2
    writer.close()


async def test_a_pipe_that_reads_slowly_makes_its_client_wait(no_leaks: None) -> None:
    async with MockPipe() as mock, await client_of(mock) as client:
        await client.send(browser.GetVersion())
        mock.browser.read_slowly(2_000)

        for _ in range(3):
            await client.send(browser.GetVersion(), timeout=20)


async def test_a_mistake_in_a_script_is_raised_when_the_pipe_ends(no_leaks: None) -> None:
    mock = await MockPipe().__aenter__()
    async with await client_of(mock) as client:
        mock.browser.on(target.CreateTarget, lambda params: {"targetId": 5})
        with pytest.raises(ConnectionLost):
            await client.send(target.CreateTarget(url="about:blank"), timeout=20)

    with pytest.raises(NonConforming, match=r"result\.targetId"):
        await mock.__aexit__(None, None, None)


async def test_two_pipes_do_as_well(no_leaks: None) -> None:
    """As Chrome's own launchers on Linux pass them: one for each direction."""
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    async with MockPipe(files=(theirs_in, theirs_out)) as mock:
        reader = asyncio.StreamReader()
        reading, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours_in, "rb")
        )
        os.write(ours_out, VERSION)
        answer = await reader.readuntil(b"\0")
        os.close(ours_out)
        await asyncio.wait_for(mock.wait_ended(), 20)

    reading.close()
    assert json.loads(answer[:-1])["id"] == 1


@pytest.fixture
def fake_chrome(tmp_path: Path) -> Path:
    """Write two lines of shell that are started in place of Chrome."""
    scenario = tmp_path / "shop.json"
    scenario.write_text('{"pages": {"http://shop.test/": {"title": "Shop"}}}')
    script = tmp_path / "chrome"
    command = [sys.executable, "-m", "cdp_typed.mock", "--pipe", "--scenario", str(scenario)]
    script.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
    script.chmod(0o755)
    return script


async def test_a_launcher_starts_the_mock_in_place_of_chrome(no_leaks: None, fake_chrome: Path) -> None:
    with warnings.catch_warnings():
        # Root starts real browsers without their sandbox; this one has none.
        warnings.simplefilter("ignore", NoSandboxWarning)
        launching = launch(fake_chrome, pipe=True)
    async with launching as launched, connect(launched) as client:
        async with client.new_page("http://shop.test/") as tab:
            title = await tab.send(runtime.Evaluate(expression="document.title"))

        assert title.result.value == "Shop"


def test_descriptors_that_are_no_pipe_are_an_error(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file, pytest.raises(OSError, match="neither a pipe nor a socket"):
        MockPipe(files=(file.fileno(), file.fileno()))


async def run_program(*arguments: str, pass_on: socket.socket | None) -> asyncio.subprocess.Process:
    """Run the program with that socket as its descriptors 3 and 4, or with none."""
    descriptors = "3<&- 4<&-" if pass_on is None else "3<&0 4>&0"
    return await asyncio.create_subprocess_shell(
        f"exec {shlex.join([sys.executable, '-m', 'cdp_typed.mock', '--pipe', *arguments])} {descriptors}",
        stdin=None if pass_on is None else pass_on.fileno(),
        stderr=asyncio.subprocess.PIPE,
    )


async def test_the_program_without_a_pipe_says_so() -> None:
    process = await run_program(pass_on=None)
    _, error = await process.communicate()

    assert (process.returncode, error) == (2, b"error: the pipe: Bad file descriptor\n")


async def test_the_program_ends_when_it_is_told_to() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = await run_program(pass_on=theirs)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        writer.write(VERSION)
        await reader.readuntil(b"\0")
        process.terminate()

        assert await process.wait() == 0
        writer.close()


def test_the_program_speaks_until_its_client_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    files = (theirs.detach(), os.dup(ours.fileno()))
    os.dup2(files[0], files[1])
    monkeypatch.setattr("cdp_typed.mock.command_line._FILES", files)
    ours.sendall(VERSION)
    ours.shutdown(socket.SHUT_WR)

    assert main(["--pipe"]) == 0
    assert json.loads(ours.recv(2**16)[:-1])["id"] == 1
    ours.close()
