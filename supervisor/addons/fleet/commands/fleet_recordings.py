"""`fleet record` and `fleet report`: the recordings of a task, from the machines where it ran."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, write
from cdp_typed.printable import visible
from supervisor.cli.caller_files import save_report
from supervisor.cli.exit_codes import Failed
from supervisor.cli.parsers import warn
from supervisor.declarations import offered

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet


def fetch(fleet: Fleet, options: argparse.Namespace) -> None:
    """Copy all recordings of a task into a directory, and print their paths."""
    paths = [os.fspath(path) for path in _fetched(fleet, options.task, options.output)]
    write(json_text(paths) if options.json else "\n".join(paths))


def write_report(fleet: Fleet, options: argparse.Namespace) -> None:
    """Write the report of the last recording of a task, and print the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        paths = _fetched(fleet, options.task, Path(folder))
        if len(paths) > 1:
            warn(f"the task has {len(paths)} recordings; this is the last one (fleet record fetches all)")
        reports = offered("report")
        report = reports.report_of(paths[-1])
        for note in report.summary.notes:
            warn(visible(note))
        if options.json and options.output is None:
            write(reports.report_json(report))
            return
        output: Path = options.output or Path(paths[-1].name).with_suffix(".html")
        save_report(output, reports.report_json(report) if options.json else reports.report_html(report), paths[-1])
    write(os.fspath(output))


def _fetched(fleet: Fleet, task_id: str, folder: Path) -> list[Path]:
    try:
        paths = list(fleet.fetch_recordings(task_id, folder))
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    if not paths:
        raise Failed(f"no host of the fleet {fleet.name!r} has a recording of the task {task_id!r}")
    return paths
