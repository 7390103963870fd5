"""`cdp-agent` on a simulated Windows: who is trusted at a named pipe, and that no state of a pipe hangs a command."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent import DIALOG, DONE, LOST, REFUSED, UNSURE, program
from cdp_agent.program import main
from cdp_typed.mock import ThreadedMockServer
from supervisor.addons.agent_cli import starting
from supervisor.addons.agent_cli.background.owner import is_running
from tests.supervisor.addons.agent_cli.simulated_windows import ThreadProcess, Winapi, simulate

NAME = r"\\.\pipe\cdp-agent-0123456789abcdef"
SECRETS = ("said", "answered")


@pytest.fixture
def windows(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Winapi:
    folder = tmp_path_factory.mktemp("w")
    monkeypatch.setenv("CDP_AGENT_SESSION", "a")
    return simulate(monkeypatch, folder)


@pytest.fixture
def note(windows: Winapi) -> Path:
    """The file of a session whose pipe is `NAME`."""
    folder = Path(cdp_agent.runtime_folder())
    folder.mkdir()
    path = Path(cdp_agent.socket_path(str(folder), "session:a"))
    path.write_text(f"{NAME} {' '.join(SECRETS)}\n")
    return path


@pytest.fixture
def pipe(windows: Winapi) -> Iterator[Callable[[Callable[[socket.socket], object]], None]]:
    """Serve one client of the pipe `NAME` with a function."""
    threads: list[threading.Thread] = []

    def serve(client: Callable[[socket.socket], object]) -> None:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(windows.place(NAME))
        listening.listen()

        def accept() -> None:
            with listening, listening.accept()[0] as wire:
                client(wire)

        threads.append(threading.Thread(target=accept))
        threads[-1].start()

    yield serve
    for thread in threads:
        thread.join()


def greet(wire: socket.socket) -> bytes:
    """The session's part of the greeting; what the client has said."""
    said = wire.recv(len(SECRETS[0]) + 1)
    wire.sendall(SECRETS[1].encode())
    return said


def test_a_session_opens_answers_a_dialog_and_closes(
    windows: Winapi, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with ThreadedMockServer() as server:
        codes = [
            main(["open", "about:blank", "--cdp", server.http_url]),
            main(["open", "about:blank"]),
            main(["eval", "confirm('sure?')"]),
            main(["dialog", "accept"]),
            main(["sessions"]),
            main(["close"]),
        ]

    assert codes == [DONE, DONE, DIALOG, DONE, DONE, DONE], capsysbinary.readouterr()
    assert b"session 'a' (process " in capsysbinary.readouterr().out
    assert {flags & 0x1F0000 for flags in windows.flags} == {0x100000}, "the server of a pipe could act as this user"
    wait_for(lambda: not Path(cdp_agent.runtime_folder()).exists())


def test_the_pipe_of_another_program_gets_no_command(
    note: Path, pipe: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[bytes] = []

    def stranger(wire: socket.socket) -> None:
        heard.append(wire.recv(100))
        wire.sendall(b"x" * len(SECRETS[1]))
        while more := wire.recv(100):
            heard.append(more)

    pipe(stranger)

    assert main(["type", "label=Password", "hunter2"]) == LOST
    assert "the process of the session was killed" in capsys.readouterr().err
    assert heard == [b"said\n"]


def test_a_client_without_the_secret_gets_no_answer(windows: Winapi) -> None:
    with ThreadedMockServer() as server:
        assert main(["open", "about:blank", "--cdp", server.http_url]) == DONE
        path = Path(cdp_agent.socket_path(cdp_agent.runtime_folder(), "session:a"))
        name, secret, _ = path.read_text().split()
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(windows.place(name))
            wire.sendall(f"{secret[:-1]}?\n".encode())
            wire.settimeout(20)
            answer = wire.recv(100)
        closed = main(["close"])

    assert (answer, closed) == (b"", DONE)


def test_a_pipe_without_a_free_end_is_waited_for(windows: Winapi, note: Path, pipe: Callable[..., None]) -> None:
    def session(wire: socket.socket) -> None:
        greet(wire)
        wire.recv(65_536)
        wire.sendall(b"0\n")

    windows.busy = 3
    pipe(session)

    assert main(["look"]) == DONE
    assert windows.busy == 0


def test_a_pipe_that_never_has_a_free_end_is_an_error(
    windows: Winapi, note: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    windows.busy = 10**9
    monkeypatch.setattr(cdp_agent, "CONNECT_S", 0.1)

    assert main(["look"]) == REFUSED
    assert capsys.readouterr().err == "cdp-agent: the session takes no connection; nothing was done\n"


def test_a_dead_pipe_is_a_killed_session_and_open_begins_anew(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["look"]), main(["close"])) == (LOST, DONE)
    assert capsys.readouterr().err.count("the process of the session was killed (session 'a')") == 2
    with ThreadedMockServer() as server:
        assert (main(["open", "about:blank", "--cdp", server.http_url]), main(["close"])) == (DONE, DONE)


@pytest.mark.parametrize(
    ("answers", "code", "told"),
    [(False, UNSURE, "did not answer within 0.1 s; it may have been done"), (True, LOST, "ended during this command")],
)
def test_a_session_that_is_silent_or_dies_is_told(
    note: Path,
    pipe: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: bool,
    code: int,
    told: str,
) -> None:
    is_over = threading.Event()

    def session(wire: socket.socket) -> None:
        greet(wire)
        wire.recv(65_536)
        if not answers:
            is_over.wait(60)

    monkeypatch.setattr(program, "GRACE_S", 0.1)
    pipe(session)
    got = main(["look", "--timeout", "0.1"])
    is_over.set()

    assert got == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("state", "why", "killed"),
    [({"fails": 7}, "ended with status 7", 0), ({"hangs": True}, "did not start within 0.05 s", 1)],
    ids=["ends", "hangs"],
)
def test_a_session_that_does_not_start_is_an_error_with_its_log(
    windows: Winapi,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    state: dict[str, int],
    why: str,
    killed: int,
) -> None:
    monkeypatch.setattr(starting, "_START_S", 0.05)
    monkeypatch.setattr(ThreadProcess, "killed", 0)
    for name, value in state.items():
        monkeypatch.setattr(ThreadProcess, name, value)

    assert (main(["open", "about:blank"]), ThreadProcess.killed) == (LOST, killed)
    told = capsys.readouterr().err
    assert f"the process of the session {why} (see " in told
    assert Path(told.rpartition("(see ")[2].rstrip(")\n")).exists()


def test_a_lock_that_is_held_is_waited_for(windows: Winapi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadProcess, "fails", 7)
    folder = Path(cdp_agent.runtime_folder())
    folder.mkdir()
    lock = folder / "lock"
    lock.touch()
    released: list[str] = []

    def release() -> None:
        released.append("before the command went on")
        lock.unlink()

    threading.Timer(0.2, release).start()

    assert main(["open", "about:blank"]) == LOST
    assert released == ["before the command went on"]


def test_an_owner_is_looked_for_without_a_signal(windows: Winapi) -> None:
    windows.running, windows.forbidden = {5}, {6}

    assert [is_running(pid) for pid in (4, 5, 6)] == [False, True, True]


def wait_for(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)
