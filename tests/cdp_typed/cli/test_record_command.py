"""`record`: a file that the mock can replay, without credentials, and every way it can end."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import connect, connect_sync
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.record import TrafficRecorder, record
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import PERSONALITIES, MockServer, ReplayBrowser, ThreadedMockServer, load_recording
from cdp_typed.protocol import browser, fetch, page, runtime, target
from cdp_typed.recording.taps import Direction
from tests.cdp_typed.cli.conftest import Run
from tests.support.secrets import CANARY
from tests.support.servers.asking import asking_browser

NOWHERE = "127.0.0.1:1"
PREFIX = "DevTools listening on "


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((NOWHERE,), "the following arguments are required: FILE.jsonl"),
        ((NOWHERE, "x.jsonl", "--port", "65536"), "argument --port: a port is a number up to 65535, not '65536'"),
        ((NOWHERE, "x.jsonl", "--port", "a"), "argument --port: a port is a number up to 65535, not 'a'"),
        ((NOWHERE, "x.jsonl"), "http://127.0.0.1:1: unreachable (connection refused)"),
    ],
)
def test_a_mistake_is_found_before_a_file_is_made(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)

    code, out, err = run("record", *words)

    assert (code, out) == (2, "")
    assert complaint in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_written_over(run: Run, tmp_path: Path, mock: ThreadedMockServer) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("precious")

    assert run("record", mock.url, str(path)) == (2, "", f"cdp-typed: error: {path}: File exists\n")
    assert path.read_text() == "precious"


def test_a_port_that_is_taken_is_told(run: Run, tmp_path: Path, mock: ThreadedMockServer) -> None:
    port = mock.address.rpartition(":")[2]

    code, _, err = run("record", mock.url, str(tmp_path / "x.jsonl"), "--port", port)

    assert (code, err) == (2, f"cdp-typed: error: 127.0.0.1:{port}: Address already in use\n")


class Recording:
    """A recorder in a process of its own, as in a terminal."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    def stop(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """Its exit code, and what else it wrote."""
        os.kill(self.process.pid, number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@contextmanager
def recording(url: str, path: Path) -> Generator[Recording]:
    words = [sys.executable, "-m", "cdp_typed", "record", url, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            assert first.startswith(PREFIX)
            yield Recording(process, first.removeprefix(PREFIX).strip())
        finally:
            process.kill()


async def answer_an_alert(url: str) -> tuple[str, Any]:
    """Play a flow with events, replies and a session; return an alert's message and a script's result."""
    async with connect(url) as browser:
        created = await browser.send(target.CreateTarget(url="about:blank"))
        tab = await browser.attach(created.target_id)
        await tab.send(page.Enable())
        async with tab.expect(page.JavascriptDialogOpening, timeout=20) as opening:
            asked = tab.send_nowait(runtime.Evaluate(expression="alert('hello')"))
        await tab.send(page.HandleJavaScriptDialog(accept=True))
        await asked
        text = await tab.send(runtime.Evaluate(expression="'6 * 7'"))
        await browser.send(target.CloseTarget(target_id=created.target_id))
        return (await opening).message, text.result.value


def read(path: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of a recording, and the permissions of its file."""
    return [json.loads(line) for line in path.read_text("ascii").splitlines()], path.stat().st_mode & 0o777


async def assert_round_trip(url: str, path: Path) -> None:
    with recording(url, path) as recorder:
        said = await answer_an_alert(recorder.url)
        code, out, err = recorder.stop()
    replaying = ReplayBrowser(load_recording(path))
    async with MockServer(replaying) as replay:
        again = await answer_an_alert(replay.url)

    written, mode = read(path)
    assert (code, out) == (0, "")
    assert err == f"cdp-typed: note: {len(written)} messages are in {path}\n"
    assert said == again == ("hello", "6 * 7")
    assert replaying.unexpected == []
    assert mode == 0o600


async def test_the_mock_recorded_and_replayed_says_the_same(mock: ThreadedMockServer, tmp_path: Path) -> None:
    await assert_round_trip(mock.http_url, tmp_path / "mock.jsonl")


async def test_chromium_recorded_and_replayed_says_the_same(chromium: LaunchedBrowser, tmp_path: Path) -> None:
    await assert_round_trip(chromium.ws_url, tmp_path / "chromium.jsonl")


async def test_a_page_has_its_own_address_and_a_password_stays_out(mock: ThreadedMockServer, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    answer = fetch.AuthChallengeResponse(response="ProvideCredentials", username="ada", password=CANARY)
    with recording(mock.url, path) as recorder:
        address = recorder.url.replace("browser/relay", f"page/{mock.browser.pages[0].id}")
        async with connect(address) as tab:
            asked = tab.send_nowait(
                fetch.ContinueWithAuth(request_id=fetch.RequestId("r"), auth_challenge_response=answer)
            )
            await tab.send(runtime.Evaluate(expression="1"))
            asked.cancel()
        code, _, _ = recorder.stop(signal.SIGTERM)

    written, _ = read(path)
    assert code == 0
    assert CANARY not in str(written)
    assert [entry["method"] for entry in written if entry["dir"] == "send"] == [
        "Fetch.continueWithAuth",
        "Runtime.evaluate",
    ]


async def test_signs_of_life_that_a_client_asks_for_are_not_recorded(tmp_path: Path) -> None:
    """A replay would wait for the same heartbeat again."""
    path, asked = tmp_path / "r.jsonl", threading.Semaphore(0)

    def answer(_: dict[str, Any]) -> dict[str, Any]:
        asked.release()
        return {"protocolVersion": "1.3", "product": "P", "revision": "R", "userAgent": "U", "jsVersion": "9.2.0"}

    with ThreadedMockServer(personality=PERSONALITIES["drops_pings"]) as mock:
        mock.browser.on(browser.GetVersion, answer)
        with recording(mock.url, path) as recorder:
            async with connect(recorder.url, ping_interval=0.25) as connection:
                assert await asyncio.to_thread(asked.acquire, timeout=20)
                await connection.send(target.GetTargets())
            recorder.stop()
    await asyncio.get_running_loop().shutdown_default_executor()

    written, _ = read(path)
    assert [(line["dir"], line.get("method")) for line in written] == [("send", "Target.getTargets"), ("recv", None)]


def test_a_person_whose_browser_asks_is_asked_once(tmp_path: Path) -> None:
    with asking_browser() as asking:
        asking.allow_later()
        with recording(asking.url, tmp_path / "r.jsonl") as recorder:
            with connect_sync(recorder.url) as browser, browser.new_page() as tab:
                assert tab.send_raw("Runtime.evaluate", {"expression": "1 + 1"})["result"]["value"] == 2
            recorder.stop()
        assert asking.questions == 1
    assert "Runtime.evaluate" in (tmp_path / "r.jsonl").read_text()


def test_the_first_client_gets_a_new_connection_when_the_first_one_has_ended(tmp_path: Path) -> None:
    with asking_browser() as asking:
        asking.allow_later()
        with recording(asking.url, tmp_path / "r.jsonl") as recorder:
            asking.cut()
            asking.answer("allow")
            with connect_sync(recorder.url) as browser:
                assert browser.send_raw("Browser.getVersion")["protocolVersion"] == "1.3"
            recorder.stop()
        assert asking.questions == 2


def test_ctrl_c_is_its_end_and_no_failure(run: Run, mock: ThreadedMockServer, tmp_path: Path) -> None:
    port = free_port()

    def connect_and_stop() -> None:
        with connect_sync(f"127.0.0.1:{port}", wait_for_browser=True):
            os.kill(os.getpid(), signal.SIGINT)

    client = threading.Thread(target=connect_and_stop)
    client.start()
    code, out, _ = run("record", mock.url, str(tmp_path / "r.jsonl"), "--port", str(port))
    client.join()

    assert (code, out) == (0, f"{PREFIX}ws://127.0.0.1:{port}/devtools/browser/relay\n")


async def test_a_disk_that_is_full_ends_it(
    mock: ThreadedMockServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(recorder: TrafficRecorder, client: int, direction: Direction, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(TrafficRecorder, "see", fail)
    path, port = tmp_path / "r.jsonl", free_port()
    recorder = asyncio.create_task(record(mock.url, path, port, 10))
    async with connect(f"127.0.0.1:{port}", wait_for_browser=True) as browser:
        browser.send_nowait(target.GetTargets()).cancel()
        await browser.lost

    with pytest.raises(UsageError, match=r"r\.jsonl: No space left on device"):
        await recorder


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])
