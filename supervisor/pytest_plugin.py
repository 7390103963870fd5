"""`pytest --cdp-report`: a report of every flight of a test that failed.

pytest loads this module in every run where cdp-typed is installed, so it imports nothing but pytest until it is used.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_FOLDER = pytest.StashKey[TemporaryDirectory[str]]()
_SIZES = pytest.StashKey[dict[Path, int]]()
LONGEST_NAME = 150
"""Characters of the name of a report; a file system takes about a hundred more."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cdp-typed")
    group.addoption("--cdp-report", action="store_true", help="write a report of each supervisor of a failed test")
    group.addoption(
        "--cdp-report-dir",
        metavar="DIR",
        default="cdp-reports",
        help="where to (default: cdp-reports), with --cdp-report",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--cdp-report"):
        return
    from supervisor.driver.recorder import DEFAULT_RECORDING

    folder = config.stash[_FOLDER] = TemporaryDirectory(prefix="cdp-report-")
    DEFAULT_RECORDING.folder = Path(folder.name)


def pytest_unconfigure(config: pytest.Config) -> None:
    if _FOLDER in config.stash:
        from supervisor.driver.recorder import DEFAULT_RECORDING

        DEFAULT_RECORDING.folder = None
        config.stash[_FOLDER].cleanup()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember how long each recording is before the test."""
    if _FOLDER in item.config.stash:
        item.stash[_SIZES] = _sizes(Path(item.config.stash[_FOLDER].name))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the reports as soon as a phase of a test has failed: they end where it did."""
    reported = yield
    if reported.failed and _FOLDER in item.config.stash:
        folder = Path(item.config.stash[_FOLDER].name)
        written = "\n".join(_write_reports(item, folder))
        if written:
            reported.sections.append(("cdp-report", written))
    return reported


def _write_reports(item: pytest.Item, recordings: Path) -> Iterator[str]:
    """One for each supervisor that has taken something in since the test began; what cannot be written is said."""
    from supervisor.core.vocabulary.errors import InvalidConfig
    from supervisor.declarations import NoAddon, offered

    try:
        report = offered("report")
    except NoAddon as error:
        yield f"no report: {error}"
        return
    before = item.stash.get(_SIZES, dict[Path, int]())
    flights = [path for path, size in _sizes(recordings).items() if size != before.get(path)]
    to = item.config.rootpath / str(item.config.getoption("--cdp-report-dir"))
    for number, path in enumerate(sorted(flights, key=_number), 1):
        name = re.sub(r"[^\w.-]+", "-", item.nodeid)[-LONGEST_NAME:].strip("-")
        target = to / f"{name}{'' if number == 1 else f'-{number}'}.html"
        try:
            to.mkdir(parents=True, exist_ok=True)
            target.write_text(report.report_html(report.report_of(path, item.nodeid)), "utf-8")
        except (OSError, InvalidConfig) as error:
            yield f"no report in {target}: {error}"
        else:
            yield str(target)


def _sizes(recordings: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for path in recordings.glob("*.jsonl")}


def _number(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])
