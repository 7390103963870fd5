"""Help, mistakes, and exit codes of the commands of `cdp-agent` that need no session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cdp_typed import __version__
from supervisor import addons
from supervisor.declarations import commands
from tests.supervisor.cli.conftest import Run
from tests.support.secrets import CANARY


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("sessions", "--josn"),
            "unrecognized arguments: --josn; did you mean '--json'? (see cdp-agent sessions --help)",
        ),
        (("--session", "a", "sessions"), "unrecognized arguments: --session a (see cdp-agent sessions --help)"),
        (("live", "x", "--headed"), "--headed is for --launch, which is not given"),
        (("doctor", "--headed"), "--headed is for --launch, which is not given"),
        (("doctor", "--json"), "--json, --page and --require are about a browser: give URL, --launch or --connect"),
        (("doctor", "x", "--fix"), "--fix is about this machine: leave URL, --launch and --connect out"),
        (("mcp", "--connect", "--profile", "x"), "--profile is for --launch, which is not given"),
        (
            ("live", "--launch", "--window-size", "0x0"),
            "window_size must be a width and a height from 1 to 10000 pixels, not (0, 0)",
        ),
        (("live", "x", "--launch"), "URL, --launch and --connect exclude each other (see cdp-agent live --help)"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run: Run, words: tuple[str, ...], complaint: str) -> None:
    done = run(*words)

    assert (done.code, done.out, done.err) == (2, "", f"cdp-agent: error: {complaint}\n")


@pytest.mark.parametrize("asking", ["{} --help", "help {}"])
@pytest.mark.parametrize("command", commands())
def test_each_command_has_help_that_ends_with_an_example(run: Run, command: str, asking: str) -> None:
    done = run(*asking.format(command).split())

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith(f"example: cdp-agent {command}")


def test_the_help_has_a_sentence_for_every_command(run: Run) -> None:
    done = run("--help")

    assert done.code == 0
    lines = done.out.partition("without a session:\n")[2].partition("\n\n")[0].splitlines()
    assert {line.split()[0]: line.split(maxsplit=1)[1] for line in lines} == {
        command.word: command.sentence for command in commands().values()
    }


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version") == (0, f"cdp-agent {__version__}\n", "")


def test_a_declaration_imports_none_of_what_carries_the_command_out() -> None:
    """So the help needs no extra, and a missing package harms only the command that needs it."""
    program = """
import sys
from supervisor.declarations import commands
found = commands()
print(*(command.module for command in found.values() if command.module in sys.modules))
print(*({"mcp", "ray", "starlette", "uvicorn", "supervisor.tools"} & {*sys.modules}))"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


def test_a_folder_that_is_deleted_takes_its_command_away_and_nothing_else(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {*commands()}
    folder = tmp_path / "addons"
    shutil.copytree(Path(addons.__file__).parent, folder, ignore=shutil.ignore_patterns("live", "__pycache__"))
    monkeypatch.setattr("supervisor.declarations._FOLDER", folder)

    assert {*commands()} == before - {"live"}
    assert (run("live").code, run("policy", "--help").code) == (2, 0)


def test_another_package_adds_a_command_but_does_not_replace_ours(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greeting.py").write_text(
        "from supervisor.declarations import LocalCommand\n"
        "COMMANDS = (LocalCommand('greet', 'say hello', 'greeting'), LocalCommand('mcp', 'mine', 'greeting'))\n"
        "def run(words): print('hello', *words); return 0\n"
    )
    metadata = tmp_path / "greeting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[cdp_typed.tools]\ngreeting = greeting\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    assert run("greet", "you") == (0, "hello you\n", "")
    assert "  greet     say hello\n" in run("--help").out
    assert commands()["mcp"].module != "greeting"


@pytest.mark.thorough
def test_no_browser_is_one_line_without_the_token(run: Run) -> None:
    done = run("live", f"ws://127.0.0.1:9/devtools/browser/x?token={CANARY}")

    assert (done.code, done.out, done.err.count("\n")) == (5, "", 1)
    assert CANARY not in done.err


def test_an_interruption_is_exit_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("supervisor.addons.live.command.live_command.run", interrupt)

    assert run("live", "x") == (130, "", "cdp-agent: error: interrupted\n")


def test_an_argument_that_is_not_utf_8_is_named(run: Run) -> None:
    done = run("live", "http://\udcff/")

    assert (done.code, done.out, done.err) == (2, "", "cdp-agent: error: argument 2 is not valid UTF-8\n")


@pytest.mark.parametrize("package", ["mcp", "starlette", "uvicorn"])
@pytest.mark.parametrize("browser", [["--launch"], ["--cdp-url", "http://127.0.0.1:9"]], ids=["launch", "cdp_url"])
def test_the_mcp_server_names_the_library_that_is_missing_before_it_starts(package: str, browser: list[str]) -> None:
    """Without the extra `mcp` its libraries cannot be imported. No browser is started, or its own error would come."""
    hidden = f"import sys; sys.modules[{package!r}] = None"
    program = f"{hidden}; from cdp_agent.program import main; sys.exit(main(sys.argv[1:]))"
    environ = {**os.environ, "CDP_TYPED_CHROME": "no-such-browser"}

    done = subprocess.run(
        [sys.executable, "-c", program, "mcp", *browser], capture_output=True, text=True, check=False, env=environ
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"the MCP server needs {package}: pip install 'cdp-typed[mcp]'\n")
