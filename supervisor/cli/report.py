"""`report`: a flight recording as one HTML file."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import write
from cdp_typed.printable import visible
from supervisor.cli.arguments import new_parser, warn
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.report import report_html, report_json, report_of


def run(arguments: list[str]) -> int:
    """Write the report of a recording, and print the name of its file."""
    options = _parser().parse_args(arguments)
    if options.open and options.json:
        raise UsageError("--open shows the HTML file, and --json makes none")
    try:
        with _progress(options.recording.name) as progress:
            report = report_of(options.recording, progress=progress)
    except OSError as error:
        raise UsageError(f"{options.recording}: {error.strerror or os.fspath(options.recording)}") from None
    except InvalidConfig as error:
        raise UsageError(f"{visible(str(error.value))} is no flight recording: expected {error.allowed}") from None
    for note in report.summary.notes:
        warn(visible(note))
    if options.json and options.output is None:
        write(report_json(report))
        return 0
    output: Path = options.output or options.recording.with_suffix(".html")
    save(output, report_json(report) if options.json else report_html(report), options.recording)
    write(os.fspath(output))
    if options.open:
        webbrowser.open(output.resolve().as_uri())
    return 0


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
        "Write a report of a flight recording (the setting record_to): one HTML file that needs no network.",
        "report flight.jsonl -o report.html --open",
    )
    parser.add_argument("recording", metavar="RECORDING", help="the flight recording", type=Path)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write (default: beside it, .html)", type=Path)
    parser.add_argument("--open", action="store_true", help="show the report in the browser of this computer")
    parser.add_argument("--json", action="store_true", help="the data as JSON, on stdout or in FILE")
    return parser


def save(output: Path, text: str, recording: Path) -> None:
    """Write a file that only its owner can read (mode 0600). It replaces a file of that name, but never the recording."""
    if output.exists() and output.samefile(recording):
        raise UsageError(f"{output} is the recording itself")
    beside = output.with_name(f"{output.name}.part")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        beside.replace(output)
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}") from None
