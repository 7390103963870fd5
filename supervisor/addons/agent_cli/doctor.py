"""`doctor`: what is wrong on this machine, and what a browser can do."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cdp_agent import DONE, REFUSED, NoAnswer, check_folder, runtime_folder, shown
from cdp_typed import __version__
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, table, write
from cdp_typed.ending_signals import run_in_order
from cdp_typed.errors import LaunchError
from cdp_typed.launch import find_browser, launch
from cdp_typed.launch.executables import HEADLESS_SHELLS, is_headless_shell
from supervisor.cli.arguments import add_browser, browser_of, check_unlaunched, settings_of
from supervisor.cli.exit_codes import Failed
from supervisor.cli.parsers import new_parser, warn
from supervisor.cli.session_notes import SessionNote, notes
from supervisor.config import Config
from supervisor.probe import CAPABILITIES, Row, probe

_NAMESPACES = (
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for the browser",
    ),
)  # fmt: skip
"""Settings of Linux under which the browser's sandbox does not start, and the remedy."""
_SHARED_MEMORY = Path("/dev/shm")
_LEAST_SHARED_BYTES = 128 * 2**20
_VERSION_S = 10.0
_LACKS = (
    "It has no window, no extensions and no chrome:// pages, grants no notifications, and saves downloads only after "
    "`page download_to`"
)


class Finding(Struct, frozen=True):
    """One line."""

    subject: str
    text: str
    remedy: str = ""
    """Empty when nothing is wrong."""

    def __str__(self) -> str:
        return f"{'wrong' if self.remedy else 'ok':5} {self.subject}: {self.text}" + (
            f"; remedy: {self.remedy}" if self.remedy else ""
        )


def run(words: list[str]) -> int:
    """Print the findings, or what a browser can do; exit code 1 when something is wrong or missing."""
    parser = new_parser(
        "doctor",
        "Check this machine, and print a line for each finding, with the remedy for each problem. With URL, --launch\n"
        "or --connect: open a new page and check what that browser, or a service in front of one, can do.",
        "doctor http://127.0.0.1:9222 --require dialog_respond oopif_evaluate",
    )
    parser.add_argument("--fix", action="store_true", help="remove the files that killed sessions left on this machine")
    add_browser(parser)
    group = parser.add_argument_group("with URL, --launch or --connect")
    group.add_argument("--json", action="store_true", help="print the features of the browser as JSON")
    group.add_argument(
        "--page",
        metavar="URL",
        help="a page with a cross-origin iframe (default: two made-up pages, served through Fetch)",
    )
    group.add_argument(
        "--require",
        nargs="+",
        choices=CAPABILITIES,
        default=[],
        metavar="NAME",
        help="exit with 1 unless these features work",
    )
    options = parser.parse_args(words)
    if options.url is not None or options.launch or options.connect:
        return _probe(options)
    check_unlaunched(options)
    if options.json or options.page or options.require:
        raise UsageError("--json, --page and --require are about a browser: give URL, --launch or --connect")
    findings = [*_machine(), *_folder(), *_sessions(fix=options.fix)]
    write("\n".join(map(str, findings)))
    return REFUSED if any(finding.remedy for finding in findings) else DONE


def _probe(options: argparse.Namespace) -> int:
    """Print what a browser can do."""
    if options.fix:
        raise UsageError("--fix is about this machine: leave URL, --launch and --connect out")
    with browser_of(options) as url:
        settings = settings_of(options)
        settings["reconnect_attempts"] = 0
        rows = run_in_order(probe(Config(cdp_url=url, **settings), page_url=options.page, on_consent=warn))
    write(json_text([_plain(row) for row in rows]) if options.json else _table(rows))
    missing = [row.capability for row in rows if row.capability in options.require and not row.works]
    if missing:
        raise Failed(f"not there: {', '.join(missing)}")
    return DONE


def _table(rows: tuple[Row, ...]) -> str:
    body = [(row.capability, row.answer, CAPABILITIES[row.capability], row.detail) for row in rows]
    return table([("CAPABILITY", "WORKS", "MEANING", "SEEN"), *body])


def _plain(row: Row) -> dict[str, object]:
    return {"capability": row.capability, "works": row.works, "detail": row.detail, "took_ms": row.took_ms}


def _machine() -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("version", f"cdp-typed {__version__}, Python {python}, {sys.platform}")
    try:
        executable = find_browser()
    except LaunchError as error:
        yield Finding("browser", str(error), "install one, or set CDP_TYPED_CHROME to its path")
        return
    yield Finding("browser", f"{executable} ({_version_of(executable)})")
    yield from _memory(executable)
    yield from _sandbox()
    yield _start()
    if _SHARED_MEMORY.is_dir() and shutil.disk_usage(_SHARED_MEMORY).total < _LEAST_SHARED_BYTES:
        yield Finding("shared memory", "/dev/shm is small, and pages crash", "docker run --shm-size=1g")


def _memory(executable: Path) -> Iterator[Finding]:
    if is_headless_shell(executable):
        yield Finding("memory", f"a headless shell takes a third less. {_LACKS}")
        return
    for name in HEADLESS_SHELLS:
        if shutil.which(name):
            yield Finding("memory", f"CDP_TYPED_CHROME={name} takes a third less. {_LACKS}")
            return


def _version_of(executable: Path) -> str:
    if sys.platform == "win32":  # where --version opens a window; the version is the name of a folder beside the file
        versions = [path.name for path in executable.parent.glob("*.*.*.*") if path.is_dir()]
        return ", ".join(versions) or "it does not tell its version"
    try:
        done = subprocess.run(
            [executable, "--version"], capture_output=True, text=True, timeout=_VERSION_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return "it does not tell its version"
    return done.stdout.strip() or "it does not tell its version"


def _sandbox() -> Iterator[Finding]:
    if sys.platform != "linux":
        return
    if os.geteuid() == 0:
        yield Finding("sandbox", "off, because the user is root", "run as another user")
    for file, bad, remedy in _NAMESPACES:
        path = Path(file)
        if os.geteuid() != 0 and path.exists() and path.read_text().strip() == bad:
            yield Finding("sandbox", f"{path.name} is {bad}", remedy)


def _start() -> Finding:
    began = time.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with launch(pipe=sys.platform != "win32"):
                pass
    except LaunchError as error:
        return Finding("start", str(error), "see what the browser printed")
    return Finding("start", f"the browser starts and ends in {time.monotonic() - began:.1f} s, with a private profile")


def _folder() -> Iterator[Finding]:
    folder = runtime_folder()
    try:
        check_folder(folder)
    except FileNotFoundError:
        yield Finding("sessions", "none")
    except NoAnswer as error:
        yield Finding("sessions", str(error), f"rm -r {folder}")


def _sessions(*, fix: bool) -> Iterator[Finding]:
    try:
        found = list(notes())
    except NoAnswer:
        return
    for note in found:
        if note.lives:
            yield Finding("session", f"{shown(note.key)} (process {note.pid})")
        elif fix:
            _remove(note)
            yield Finding("session", f"{shown(note.key)} was killed; its files are removed")
        else:
            yield Finding("session", f"{shown(note.key)} was killed; its recording is left", "cdp-agent doctor --fix")


def _remove(note: SessionNote) -> None:
    note.private.with_suffix(".sock").unlink(missing_ok=True)
    shutil.rmtree(note.private)
