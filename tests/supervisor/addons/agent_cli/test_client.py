"""The client of `cdp-agent`: what it imports, which session it means, and the socket that it trusts."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

import pytest

import cdp_agent
from cdp_agent import DONE, LOST, MOST_BYTES, USAGE, NoAnswer
from cdp_agent.program import ask, main


def test_it_imports_nothing_of_the_packages_and_nothing_that_takes_long() -> None:
    script = """
import sys, cdp_agent.program
for name in ("cdp_agent", "cdp_typed", "supervisor", "msgspec", "json", "pathlib", "socket", "enum"):
    print(*(module for module in sys.modules if module.split(".")[0] == name))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["cdp_agent", "cdp_agent.program"]


def test_a_session_is_one_for_each_work_tree_or_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    monkeypatch.delenv("CDP_AGENT_SESSION", raising=False)

    assert cdp_agent.session_key(None) == f"tree:{tmp_path}"
    assert cdp_agent.session_key("a") == "session:a"
    monkeypatch.setenv("CDP_AGENT_SESSION", "b")
    assert cdp_agent.session_key(None) == "session:b"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["open", "x.test"], "open"),
        (["--session", "a", "--json", "open", "x.test"], "open"),
        (["--session=a", "look"], "look"),
        (["--json"], "help"),
    ],
)
def test_options_may_come_before_the_command(words: list[str], command: str) -> None:
    assert cdp_agent.command_of(words) == command


def test_a_socket_has_a_short_name_even_in_a_deep_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.setenv(name, str(deep))

    assert len(cdp_agent.socket_path(cdp_agent.runtime_folder(), f"tree:{deep}")) < 104


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_a_folder_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "cdp-agent"
    folder.mkdir()
    folder.chmod(mode)

    with pytest.raises(cdp_agent.NoAnswer, match="must be a folder of yours with mode 0700"):
        cdp_agent.check_folder(str(folder))


@pytest.mark.parametrize("size", [MOST_BYTES, 17 * 2**20, 40 * 2**20])
def test_more_than_a_command_takes_is_refused_before_it_is_sent(size: int) -> None:
    with pytest.raises(NoAnswer, match="at most 16 MiB") as refused:
        ask(cast("socket.socket", None), ["type", "-"], "", "/", bytes(size))
    assert refused.value.code == USAGE


@pytest.mark.parametrize("given", ["nan", "inf", "-1", "soon"])
def test_a_time_that_is_none_is_sent_to_the_session_which_refuses_it(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"2\n--timeout needs a positive number")
        theirs.shutdown(socket.SHUT_WR)

        assert ask(ours, ["look", "--timeout", given], "tree:x", str(tmp_path), b"") == USAGE
    assert "positive number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("look", LOST, "no session is open for {tree}; begin with: cdp-agent open URL\n"),
        ("close", DONE, "no session is open for {tree}"),
        ("--session a look", LOST, "no session is open for session 'a'; begin with: cdp-agent --session a open URL\n"),
        ("run steps", LOST, "no session is open for {tree}"),
        *((word, LOST, "no session is open for {tree}") for word in ("screenshot", "traffic", "check e1", "get title")),
        ("opne x.test", USAGE, "there is no command 'opne'; did you mean 'open'? (see cdp-agent --help)\n"),
        ("--nope", USAGE, "a command is missing after '--nope'"),
        ("--session", USAGE, "a command is missing after '--session'"),
        ("--session a", USAGE, "a command is missing after 'a'"),
        ("--json --max 9", USAGE, "a command is missing after '9'"),
    ],
)
def test_without_a_session_a_command_says_what_is_wrong_or_how_to_begin(
    words: str,
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("CDP_AGENT_SESSION", raising=False)
    monkeypatch.chdir(tmp_path)

    assert main(words.split()) == code
    shown = capsys.readouterr()
    assert (shown.out, shown.err.startswith("cdp-agent: " + told.format(tree=tmp_path))) == ("", True), shown


@pytest.mark.parametrize("words", [["--help"], ["help"], ["help", "help"], []])
def test_the_help_names_every_everyday_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from supervisor.addons.agent_cli.aliases import WORDS

    assert main(words) == DONE
    shown = capsys.readouterr().out
    assert [word for word in WORDS if word not in shown] == []


def test_a_session_that_hangs_holds_up_no_command_that_needs_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with tempfile.TemporaryDirectory(prefix="agent-", dir="/tmp") as runtime:  # the path of a socket must be short
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        monkeypatch.setenv("CDP_AGENT_SESSION", "a")
        private = Path(cdp_agent.private_folder(cdp_agent.runtime_folder(), "session:a"))
        private.mkdir(0o700, parents=True)
        private.parent.chmod(0o700)
        (private / cdp_agent.LOCAL_WORDS).write_text("policy\nsessions")
        with socket.socket(socket.AF_UNIX) as hanging:
            hanging.bind(f"{private}.sock")
            hanging.listen()

            assert main(["policy", "test", "https://a.test", "https://a.test/"]) == cdp_agent.DONE

    assert "deny_origins" in capsys.readouterr().out
