"""`report`: a flight recording as one HTML file."""

from __future__ import annotations

import argparse
import gc
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
from supervisor.report import Report, first_difference, report_html, report_json, report_of


def run(arguments: list[str]) -> int:
    """Write the report of a recording, and print the name of its file."""
    options = _parser().parse_args(arguments)
    if options.open and options.json:
        raise UsageError("--open shows the HTML file, and --json makes none")
    if options.against and options.json:
        raise UsageError("--against compares two recordings, and --json has the data of one: leave one of them out")
    report = _read(options.recording)
    other = None if options.against is None else _read(options.against)
    status = 0 if other is None else _compare(report, other)
    if other is not None and options.output is None and not options.open:
        return status
    if options.json and options.output is None:
        write(report_json(report))
        return status
    output: Path = options.output or options.recording.with_suffix(".html")
    save(
        output, report_json(report) if options.json else report_html(report, other), options.recording, options.against
    )
    write(os.fspath(output))
    if options.open:
        webbrowser.open(output.resolve().as_uri())
    return status


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


def _compare(one: Report, other: Report) -> int:
    """Print the first action in which two flights differ, and return 1 if there is one."""
    difference = first_difference(one, other)
    if difference is None:
        write(f"no difference; actions compared: {len(one.actions)}")
        return 0
    write(f"the first difference is action {difference.number}")
    for report, action in ((one, difference.one), (other, difference.other)):
        did = f"{action.text}: {action.status}: {action.outcome}" if action else "no more actions"
        write(visible(f"{report.summary.title}: {did}"))
    return 1


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
        "Write a report of a flight recording (the setting record_to): one HTML file that needs no network.",
        "report flight.jsonl -o report.html --open",
    )
    parser.add_argument("recording", metavar="RECORDING", help="the flight recording", type=Path)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write (default: beside it, .html)", type=Path)
    parser.add_argument("--open", action="store_true", help="show the report in the browser of this computer")
    parser.add_argument(
        "--against",
        metavar="OTHER",
        help="print the first action that differs from this recording's; with -o or --open the report shows both",
        type=Path,
    )
    parser.add_argument("--json", action="store_true", help="the data as JSON, on stdout or in FILE")
    return parser


def save(output: Path, text: str, *recordings: Path | None) -> None:
    """Write a file that only its owner can read (mode 0600). It replaces a file of that name, except a recording."""
    if output.exists() and any(output.samefile(recording) for recording in recordings if recording):
        raise UsageError(f"{output} is the recording itself")
    beside = output.with_name(f"{output.name}.part")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        beside.replace(output)
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}") from None
