"""Help, mistakes, and exit codes of the supervisor's command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from supervisor.cli.main import COMMANDS
from tests.supervisor.cli.conftest import Run
from tests.support.secrets import CANARY


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), f"a command is missing: {', '.join(COMMANDS)} (see cdp-supervisor --help)"),
        (("snapshto",), "no command 'snapshto'; did you mean 'snapshot'? (see cdp-supervisor --help)"),
        (("tools", "--josn"), "unrecognized arguments: --josn (see cdp-supervisor tools --help)"),
        (("snapshot",), "URL, --launch or --connect is required (see cdp-supervisor snapshot --help)"),
        (("snapshot", "x", "--headed"), "--headed is for --launch, which is not given"),
        (("mcp", "--connect", "--profile", "x"), "--profile is for --launch, which is not given"),
        (
            ("snapshot", "--launch", "--window-size", "0x0"),
            "window_size must be a width and a height from 1 to 10000 pixels, not (0, 0)",
        ),
        (
            ("live", "x", "--launch"),
            "URL, --launch and --connect exclude each other (see cdp-supervisor live --help)",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run: Run, words: tuple[str, ...], complaint: str) -> None:
    done = run(*words)

    assert (done.code, done.out, done.err) == (2, "", f"cdp-supervisor: error: {complaint}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_that_ends_with_an_example(run: Run, command: str) -> None:
    done = run(command, "--help")

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith(f"example: cdp-supervisor {command}")


def test_the_help_lists_every_command(run: Run) -> None:
    done = run("--help")

    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")] == list(COMMANDS)


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").out.startswith("cdp-supervisor ")


@pytest.mark.thorough
def test_no_browser_is_one_line_without_the_token(run: Run) -> None:
    done = run("snapshot", f"ws://127.0.0.1:9/devtools/browser/x?token={CANARY}")

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert CANARY not in done.err


def test_an_interruption_is_exit_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("supervisor.cli.snapshot.run", interrupt)

    assert run("snapshot", "x") == (130, "", "cdp-supervisor: error: interrupted\n")


def test_an_argument_that_is_not_utf_8_is_named(run: Run) -> None:
    done = run("snapshot", "http://\udcff/")

    assert (done.code, done.out, done.err) == (2, "", "cdp-supervisor: error: argument 2 is not valid UTF-8\n")


def test_the_mcp_server_names_the_library_that_is_missing() -> None:
    """Without the extra `mcp` its library cannot be imported."""
    program = "import sys; sys.modules['mcp'] = None; from supervisor.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "mcp", "--cdp-url", "http://127.0.0.1:9"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert "the MCP server needs mcp" in done.stderr
    assert done.stderr.endswith("pip install 'cdp-typed[mcp]'\n")
