"""Fixtures for every test: a real Chromium, two sites, and the proof that nothing is left behind or given away.

Real browsers are not optional here: without one the fixtures fail, with the instruction how to get one.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from cdp_typed.client import consent
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.testing.leaks import Traces, assert_no_leaks
from evals.browsers.catalogue import BROWSERS
from evals.browsers.expected import red_for
from tests.support.browsers import LaunchBrowser, launched
from tests.support.runs.parts import PARTS, choose, is_left_out, mark_packaging
from tests.support.runs.workers import (
    ByUnit,
    Producer,
    Told,
    begin_with_the_longest,
    number_of_workers,
    repeated,
    sendable,
)
from tests.support.servers.asking import AskingBrowser, asking_browser
from tests.support.servers.sites import Sites
from tests.support.stages.stage_names import REAL_STAGES

_PLUGINS = (Path(__file__).parents[1] / "supervisor" / "addons").glob("*/plugin.py")
pytest_plugins = ["tests.support.secrets", *(f"tests.supervisor.addons.{it.parent.name}.plugin" for it in _PLUGINS)]

settings.register_profile("untimed", deadline=None)  # on a busy machine any example may take long
settings.load_profile("untimed")

_BROWSERS = {
    "chromium",
    "chromium_factory",
    "cdp_chromium",
    "shared_chromium",
    "shared_ground",
    "chromium_stage",
    "doomed_stage",
    "supervised",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run play one part of the tests."""
    parser.addoption("--part", choices=PARTS, help="what `make test` plays, or the rest of `make all`")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of which `make test` plays nothing."""
    return True if config.getoption("part") == "test" and is_left_out(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep thousands of tests and the modules they import out of every later garbage collection."""
    gc.disable()  # nearly all that collecting tests makes stays: searching it for garbage took a third of the time
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what starts a real browser, and what cannot pass on one.

    Several workers begin with what takes longest.
    """
    if repetitions := repeated(items):
        config.hook.pytest_deselected(items=repetitions)
        left_out = {*repetitions}
        items[:] = [item for item in items if item not in left_out]
    for item in items:
        if isinstance(item, pytest.Function) and _starts_a_browser(item):
            item.add_marker("chromium")
        for browser in _chosen(item) & BROWSERS.keys():
            if (red := red_for(item.nodeid, browser)) is not None:
                item.add_marker(pytest.mark.xfail(reason=red.reason, run=red.run, strict=True))
    mark_packaging(items)
    if (part := config.getoption("part")) is not None:
        items[:], others = choose(part, items)
        config.hook.pytest_deselected(items=others)
    if hasattr(config, "workerinput"):
        begin_with_the_longest(items)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Told, Told]:
    """Make the report of a worker sendable."""
    return sendable((yield))


class FailuresAtOnce:
    """Prints at once why a test failed or runs again, because CI may end a run early."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the report of a failure."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None and report.outcome not in ("passed", "skipped"):
            terminal.ensure_newline()
            terminal.section(f"{report.nodeid}, {report.when}, {report.outcome}", sep="_")
            terminal.write_line(report.longreprtext)


def pytest_configure(config: pytest.Config) -> None:
    """Print failures at once in CI, where tests are also tried again."""
    if "CI" in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


@pytest.hookimpl(optionalhook=True, tryfirst=True)  # xdist would answer first, with the number of cores
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers of `-n auto`."""
    return number_of_workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByUnit:
    """Keep the tests that share a browser or a chain of pages on one worker."""
    return ByUnit(config, log)


def _chosen(item: pytest.Item) -> set[str]:
    """The values with which a parametrized test runs; a stage's name is one of them."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return set()
    return {value for value in item.callspec.params.values() if isinstance(value, str)}


def _starts_a_browser(item: pytest.Function) -> bool:
    by_hand = getattr(item.module, "launched", None) is launched
    on_stage = not {"chromium", *REAL_STAGES}.isdisjoint(_chosen(item))
    return by_hand or on_stage or not _BROWSERS.isdisjoint(item.fixturenames)


@pytest.fixture(scope="session", autouse=True)
def programs_get_signals() -> None:
    """Let the programs that tests start heed the signals that this run ignores, as under `nohup`.

    A signal with a handler is at its default in a program that is started.
    """
    for number in (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[LaunchedBrowser]:
    """One browser for the whole run, sites isolated. Use pages or contexts of your own in it, and do not end it."""
    with launched() as browser:
        yield browser


@pytest.fixture
def chromium_factory() -> Iterator[LaunchBrowser]:
    """Browsers of the test's own, for tests that crash or kill them. They end with the test."""
    with ExitStack() as stack:

        def start(*, isolate_sites: bool = True, args: Sequence[str] = ()) -> LaunchedBrowser:
            return stack.enter_context(launched(isolate_sites=isolate_sites, args=args, omnibox=False))

        yield start


@pytest.fixture
def sites() -> Iterator[Sites]:
    """A page server that is two sites, `localhost` and `127.0.0.1`; add to `sites.pages`."""
    with Sites() as running:
        yield running


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[AskingBrowser]:
    """A browser that asks its person, and clients that notice and tell it within a tenth of a second."""
    monkeypatch.setattr(consent, "CHECK_AFTER_S", 0.05)
    monkeypatch.setattr(consent, "TELL_AFTER_S", 0.1)
    with asking_browser() as browser:
        yield browser


@pytest.fixture
async def no_leaks() -> AsyncIterator[None]:
    """Fail if the test leaves a task, a thread, a child process, a socket or a browser's directory behind.

    Name it before other fixtures, so that what they hold is gone when this looks.
    """
    gc.collect()
    gc.freeze()  # with thousands of tests and reports in memory, each of the collections to come took 0.5 s
    before = Traces.now()
    yield
    await assert_no_leaks(before)
