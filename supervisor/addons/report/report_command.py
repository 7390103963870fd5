"""`report`: the flight recording of a session, or of a file, as one HTML file."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import webbrowser
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from cdp_agent import LOST, runtime_folder, session_key, shown, socket_path
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import write
from cdp_typed.printable import visible
from supervisor.addons.report import Report, report_html, report_json, report_of
from supervisor.cli.caller_files import free_path, save_report
from supervisor.cli.exit_codes import Failed
from supervisor.cli.parsers import new_parser, warn
from supervisor.core.vocabulary.errors import InvalidConfig


def run(words: list[str]) -> int:
    """Write the report of a recording, and print the name of its file."""
    options = _parser().parse_args(words)
    if options.open and options.json:
        raise UsageError("--open shows the HTML file, and --json makes none")
    recording = options.recording or _of_session(options.session)
    report = _read(recording)
    if options.json and options.output is None:
        write(report_json(report))
        return 0
    output: Path = options.output or _free_output(options.recording)
    save_report(output, report_json(report) if options.json else report_html(report), recording)
    write(os.fspath(output))
    if options.open:
        webbrowser.open(output.resolve().as_uri())
    return 0


def _of_session(name: str | None) -> Path:
    """The recording of a session. Raises `Failed` when none is open."""
    key = session_key(name)
    recording = Path(socket_path(runtime_folder(), key)).with_suffix("") / "flight.jsonl"
    if not recording.exists():
        raise Failed(f"no session is open for {shown(key)}: a recording lasts as long as its session", LOST)
    return recording


def _free_output(recording: Path | None) -> Path:
    return free_path("report", "html") if recording is None else recording.with_suffix(".html")


def _read(recording: Path) -> Report:
    try:
        with _progress(recording.name) as progress, _without_collector():
            report = report_of(recording, progress=progress)
    except OSError as error:
        raise UsageError(f"{recording}: {error.strerror or os.fspath(recording)}") from None
    except InvalidConfig as error:
        raise UsageError(f"cannot read {visible(str(error.value))}: expected {error.allowed}") from None
    for note in report.summary.notes:
        warn(visible(note))
    return report


@contextmanager
def _without_collector() -> Generator[None]:
    """No search for circular references, of which a report makes none. It would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _progress(name: str) -> Generator[Callable[[float], None]]:
    """On a terminal, a line on stderr that says how much of the recording was read; it goes at the end."""
    if not sys.stderr.isatty():
        yield lambda share: None
        return
    line = f"reading {visible(name)[:60]}"

    def show(share: float) -> None:
        sys.stderr.write(f"\r{line}: {share:.0%}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write(f"\r{' ' * (len(line) + 6)}\r")
        sys.stderr.flush()


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "report",
        "Write a report of what a session did, or of a flight recording (the setting record_to): one HTML file that\n"
        "needs no network.",
        "report flight.jsonl -o report.html --open",
    )
    about = "a flight recording (default: that of the session of this work tree)"
    parser.add_argument("recording", metavar="RECORDING", nargs="?", help=about, type=Path)
    parser.add_argument("--session", metavar="NAME", help="the session of this name")
    about = "the file to write (default: RECORDING.html next to the recording; for a session, in .cdp-agent)"
    parser.add_argument("-o", "--output", metavar="FILE", help=about, type=Path)
    parser.add_argument("--open", action="store_true", help="show the report in the browser of this computer")
    parser.add_argument("--json", action="store_true", help="write the data as JSON, to stdout or FILE")
    return parser
