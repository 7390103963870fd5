"""Commands without a session: `report`, `doctor` with its remedies, and what `policy test` says of a pattern."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cdp_agent
from cdp_agent import DONE, LOST, REFUSED
from cdp_agent.program import main
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor.addons.agent_cli.background.session import AgentSession, CommandLine
from tests.supervisor.cli.conftest import Run

Folder = Callable[[str], Path]


@pytest.fixture
def folder_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    """The folder of a session's files, by the session's name. No browser can start."""
    with tempfile.TemporaryDirectory(prefix="agent-", dir="/tmp") as runtime:  # the path of a socket must be short
        Path(runtime, "cdp-agent").mkdir(mode=0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        monkeypatch.setenv("CDP_TYPED_CHROME", str(tmp_path / "no-browser"))
        monkeypatch.delenv("CDP_AGENT_SESSION", raising=False)
        monkeypatch.chdir(tmp_path)
        yield lambda name: Path(cdp_agent.socket_path(cdp_agent.runtime_folder(), f"session:{name}")).with_suffix("")


async def recorded(private: Path, address: str) -> None:
    session = AgentSession(private)
    with ThreadedMockServer({address: Page()}) as mock:
        words = ["open", "--cdp", mock.url, address]
        opened, _ = await session.answer(CommandLine(folder=str(private.parent), words=words))
        await session.close()
    assert opened.code == DONE, opened.text


async def test_report_shows_the_session_that_is_named_before_or_after_it(
    folder_of: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await recorded(folder_of("a"), "http://a.test/")
    await recorded(folder_of("b"), "http://b.test/")

    for words, own, other in (
        (["--session", "a", "report", "--json"], "http://a.test/", "http://b.test/"),
        (["report", "--session=b", "--json"], "http://b.test/", "http://a.test/"),
    ):
        assert main(words) == DONE
        told = capsys.readouterr().out
        assert (own in told, other in told) == (True, False)
    assert main(["--session=a", "report"]) == DONE
    assert capsys.readouterr().out == ".cdp-agent/report-1.html\n"
    assert (tmp_path / ".cdp-agent" / "report-1.html").read_text().startswith("<!doctype html>")


def test_report_of_a_session_that_does_not_exist_writes_nothing(
    folder_of: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--session", "report", "report"]) == LOST
    assert "no session is open for session 'report'" in capsys.readouterr().err
    assert not (tmp_path / ".cdp-agent").exists()


def test_local_commands_obey_options_before_them(folder_of: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "sessions"]) == DONE
    assert capsys.readouterr().out == "[]\n"


def test_doctor_names_the_missing_browser_and_the_remedy(folder_of: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == REFUSED
    wrong = [line for line in capsys.readouterr().out.splitlines() if line.startswith("wrong browser: ")]
    assert len(wrong) == 1
    assert "no-browser" in wrong[0]
    assert wrong[0].endswith("; remedy: install one, or set CDP_TYPED_CHROME to its path")


@pytest.mark.parametrize(
    ("used", "told"),
    [
        ("chromium", "ok    memory: CDP_TYPED_CHROME=chromium-headless-shell takes a third less. It has no window"),
        ("chromium-headless-shell", "ok    memory: a headless shell takes a third less. It has no window"),
    ],
)
def test_doctor_tells_of_a_headless_shell(
    folder_of: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    used: str, told: str,
) -> None:  # fmt: skip
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CDP_TYPED_CHROME", used)

    main(["doctor"])

    assert told in capsys.readouterr().out


@pytest.fixture
def killed(folder_of: Folder) -> Path:
    """The folder of a session that was killed."""
    killed = folder_of("a")
    killed.mkdir()
    (killed / "session.json").write_text(json.dumps({"key": "session:a", "pid": 1}))
    return killed


def test_doctor_removes_the_files_of_a_killed_session_with_fix_alone(
    killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == REFUSED
    assert "wrong session: session 'a' was killed" in capsys.readouterr().out
    assert killed.exists()
    main(["doctor", "--fix"])
    assert "ok    session: session 'a' was killed; its files are removed" in capsys.readouterr().out
    assert not killed.exists()


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_doctor_touches_nothing_in_a_folder_that_others_can_use(
    killed: Path, capsys: pytest.CaptureFixture[str], mode: int
) -> None:
    killed.parent.chmod(mode)

    assert main(["doctor", "--fix"]) == REFUSED
    assert "must be a folder of yours with mode 0700" in capsys.readouterr().out
    assert killed.exists()


DENIED = "refused, its origin is denied"
NOT_ALLOWED = "refused, its origin is not among those allowed"
UNREADABLE = "refused, its address cannot be read"


@pytest.mark.parametrize(
    ("pattern", "url", "address", "denying", "allowing"),
    [
        ("https://*.example.com", "https://a.example.com/x", "https://a.example.com", DENIED, "allowed"),
        ("https://*.example.com", "https://a.example.com:8443/", "https://a.example.com:8443", DENIED, NOT_ALLOWED),
        ("10.0.0.0/8", "http://10.attacker.example/", "http://10.attacker.example", "allowed", NOT_ALLOWED),
        ("http://127.1", "http:\\\\0x7f000001", "http://127.0.0.1", DENIED, "allowed"),
        ("*", "http://[::1", "an address that cannot be read", UNREADABLE, UNREADABLE),
        ("*", "about:blank", "about:", "allowed", "allowed"),
    ],
)
def test_it_says_what_the_pattern_does_in_each_list(
    run: Run, pattern: str, url: str, address: str, denying: str, allowing: str
) -> None:
    done = run("policy", "test", pattern, url)
    as_json = run("policy", "test", pattern, url, "--json")

    assert (done.code, done.err, as_json.code, as_json.err) == (0, "", 0, "")
    told = {"pattern": pattern, "address": address, "deny_origins": denying, "allow_origins": allowing}
    assert done.out.splitlines() == [f"{name:<15}{text}" for name, text in told.items()]
    assert json.loads(as_json.out) == told


def test_a_pattern_that_is_refused_is_one_line_and_exit_code_2(run: Run) -> None:
    done = run("policy", "test", "10.*", "http://10.0.0.1/")

    told = "cdp-agent: error: the pattern '10.*' is not allowed; expected the network, 10.0.0.0/8\n"
    assert (done.code, done.out, done.err) == (2, "", told)


def test_an_action_is_needed(run: Run) -> None:
    assert run("policy").code == 2
