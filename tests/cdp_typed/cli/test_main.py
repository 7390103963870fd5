"""Every mistake is one line on stderr and an exit code; nothing secret is in any line."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from cdp_typed import PROTOCOL, InsecureEndpointWarning, __version__
from cdp_typed.cli import main
from cdp_typed.cli.arguments import clean
from cdp_typed.cli.main import COMMANDS
from cdp_typed.mock import ThreadedMockServer
from tests.cdp_typed.cli.conftest import Run, refused
from tests.support.secrets import CANARY

NOWHERE = "127.0.0.1:1"
SEE_TARGETS = "(see cdp-typed targets --help)"
NO_SECONDS = "argument --timeout: a number of seconds above 0 is expected, not"
SECRET = f"ws://user:{CANARY}@127.0.0.1:1/devtools/browser/{CANARY}-{CANARY}-{CANARY}?token={CANARY}"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "a command is missing: diff, call, events, targets (see cdp-typed --help)"),
        (("cal",), "no command 'cal'; did you mean 'call'? (see cdp-typed --help)"),
        (("\x1b[31m",), r"no command '\x1b[31m' (see cdp-typed --help)"),
        (("call", "bad \udcff byte"), "argument 2 is not valid UTF-8"),
        (("targets",), f"the following arguments are required: URL {SEE_TARGETS}"),
        (("targets", NOWHERE, "--jsn"), f"unrecognized arguments: --jsn; did you mean '--json'? {SEE_TARGETS}"),
        (("targets", NOWHERE, "--timeout", "0"), f"{NO_SECONDS} '0' {SEE_TARGETS}"),
        (("targets", NOWHERE, "--timeout", "soon"), f"{NO_SECONDS} 'soon' {SEE_TARGETS}"),
        (
            ("targets", NOWHERE),
            "http://127.0.0.1:1: unreachable (connection refused); "
            "is the browser running, with --remote-debugging-port?",
        ),
        (
            ("targets", "ftp://x"),
            "ftp://x: not an address of a browser; use ws://..., wss://..., http://host:port or host:port",
        ),
    ],
)
def test_a_mistake_is_one_line_and_2(run: Run, words: tuple[str, ...], complaint: str) -> None:
    assert run(*words) == refused(complaint)


def test_a_command_runs_on_any_thread(run: Run) -> None:
    """Only the main thread can set handlers of signals; the others run without."""
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(run, "targets").result()

    assert done.code == 2


@contextmanager
def disposition(number: signal.Signals, handler: signal.Handlers) -> Generator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_ends_a_command_in_order_and_a_second_one_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    ended: list[str] = []

    def wait(arguments: list[str]) -> int:
        try:
            signal.raise_signal(number)
        finally:
            ended.append("in order")
        return 0

    monkeypatch.setattr("cdp_typed.cli.targets.run", wait)

    with disposition(number, signal.SIG_DFL):
        assert run("targets", "x").code == 128 + number
        signal.raise_signal(number)
    assert ended == ["in order"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_an_ignored_signal_stays_ignored(run: Run, monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    """As `nohup` has it, and a shell without job control in its background."""

    def survive(arguments: list[str]) -> int:
        signal.raise_signal(number)
        return 0

    monkeypatch.setattr("cdp_typed.cli.targets.run", survive)
    with disposition(number, signal.SIG_IGN):
        assert run("targets", "x").code == 0
        assert signal.getsignal(number) is signal.SIG_IGN


@pytest.mark.parametrize(
    "words",
    [
        ("targets", SECRET),
        ("diff", SECRET),
        ("events", SECRET, "Page.*"),
        ("call", SECRET, "Page.enable"),
        ("call", "Page.enable", SECRET),
        ("call", "Page.enable", SECRET.removeprefix("ws://")),
        (SECRET, "targets"),
        ("targets", "x", SECRET),
        ("events", "x", SECRET),
    ],
)
def test_no_token_of_an_address_is_shown_wherever_it_stands(run: Run, words: tuple[str, ...]) -> None:
    code, out, err = run(*words)

    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert CANARY not in err


@pytest.mark.parametrize("address", ["", "http://[", "http://h:port", "ws://", "a b", "http://h/\x00"])
@pytest.mark.parametrize("words", [("targets",), ("diff",), ("events", "Page.*"), ("call", "Page.enable")])
def test_what_is_no_address_is_2(run: Run, words: tuple[str, ...], address: str) -> None:
    code, out, err = run(words[0], address, *words[1:])

    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_command_that_the_browser_refuses_is_1(run: Run, mock: ThreadedMockServer) -> None:
    done = run("call", mock.url, "Page.handleJavaScriptDialog", "--accept")

    assert done == refused("Page.handleJavaScriptDialog: No dialog is showing [-32602]", 1)


def test_help_lists_the_commands_and_ends_with_an_example_and_the_version_names_the_protocol(run: Run) -> None:
    code, out, err = run("--help")

    assert (code, err) == (0, "")
    assert all(f"  {name} " in out for name in COMMANDS)
    assert out.splitlines()[-1].startswith("example: cdp-typed ")
    assert run("--version") == (0, f"cdp-typed {__version__} (devtools-protocol {PROTOCOL.version})\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_an_example_of_its_own(run: Run, name: str) -> None:
    code, out, err = run(name, "--help")

    assert (code, err) == (0, "")
    assert out.startswith(f"usage: cdp-typed {name} ")
    example = out.splitlines()[-1]
    assert example.startswith("example: ")
    assert f"cdp-typed {name} " in example


def interrupted(_arguments: list[str]) -> int:
    raise KeyboardInterrupt


def warned(_arguments: list[str]) -> int:
    warnings.warn("http://h:1/?token=t: not encrypted", InsecureEndpointWarning, stacklevel=2)
    return 0


@pytest.mark.parametrize(
    ("command", "done"),
    [(interrupted, (130, "", "")), (warned, (0, "", "cdp-typed: note: http://h:1/: not encrypted\n"))],
)
def test_an_interruption_is_quiet_and_a_warning_one_line_without_the_place_in_the_library(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: Callable[[list[str]], int], done: tuple[int, str, str]
) -> None:
    monkeypatch.setattr("cdp_typed.cli.targets.run", command)

    assert run("targets", NOWHERE) == done


def test_a_closed_pipe_ends_it_quietly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Closed(io.TextIOWrapper):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    with Closed((tmp_path / "out").open("wb")) as closed:
        monkeypatch.setattr(sys, "stdout", closed)

        assert main(["--version"]) == 0
        os.fstat(closed.fileno())  # and what is flushed at the interpreter's end goes nowhere


@pytest.fixture
def much(tmp_path: Path) -> str:
    """A command that has more to say than a pipe holds, and would end with 1."""
    file = tmp_path / "protocol.json"
    domains = [{"domain": f"Domain{number}"} for number in range(5000)]
    file.write_text(json.dumps({"version": {"major": "1", "minor": "3"}, "domains": domains}))
    return shlex.join([sys.executable, "-m", "cdp_typed", "diff", str(file)])


def _bash(command: str) -> tuple[int, str, str]:
    """In a process of its own, as it is used: the exit code of the pipe's first command, stdout and stderr."""
    done = subprocess.run(
        f"{command}; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="bash",
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONUNBUFFERED": ""},  # an unbuffered stdout drops what the pipe did not take
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(("reader", "read"), [("head -c 1", "r"), ("true", "")])
def test_a_reader_may_go_after_the_first_byte_or_never_come(much: str, reader: str, read: str) -> None:
    assert _bash(f"{much} | {reader}") == (0, read, "")


def test_it_is_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["cdp_typed", "--version"])
    monkeypatch.delitem(sys.modules, "cdp_typed.__main__", raising=False)

    with pytest.raises(SystemExit) as ended:
        import_module("cdp_typed.__main__")

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("cdp-typed ")


def test_the_console_script_is_this_function() -> None:
    declared = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, _, name = declared["cdp-typed"].partition(":")

    assert getattr(import_module(module), name) is main


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("see wss://u:p@h/x?t=1 now", "see wss://h/x now"),
        ("wss://u:p@h/x?t=1: no, h:1/?t; h:1/", "wss://h/x: no, h:1/; h:1/"),
        ("'http://h:1/?a=b'", "'http://h:1/'"),
        ("h:9222/devtools/page/0123456789ABCDEF?x", "h:9222/devtools/page/..."),
        ("at 12:30 two\nlines", r"at 12:30 two\nlines"),
    ],
)
def test_messages_are_cleaned(message: str, shown: str) -> None:
    assert clean(message) == shown
