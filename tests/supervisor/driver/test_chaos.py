"""Connections cut and browsers killed at random: nothing hangs, nothing is left behind, and no answer is a wrong one.

A short form by default; `make chaos` runs the whole. A failure is played again with its seed.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import signal
import sys
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cdp_typed.launch import LaunchedBrowser
from supervisor import BrowserReplaced, CDPSupervisor, SupervisorRegistry
from tests.support.browsers import LaunchBrowser, launched
from tests.support.servers.cutting import CuttingProxy
from tests.support.servers.sites import Sites
from tests.support.stages.chaos import CALL_TIMEOUT_S, Chaos, chaos_pages

IS_WHOLE = os.environ.get("CDP_TYPED_CHAOS") == "whole"
SEED = int(os.environ.get("CDP_TYPED_CHAOS_SEED", random.SystemRandom().randrange(10**6)))
FLOWS, RESTARTS = (760, 50) if IS_WHOLE else (8, 1)
WARM_UP = 60 if IS_WHOLE else 1
"""Flows before memory is counted: buffers of a fixed size are full then."""
MOST_KEPT = 2 * 2**20
"""Bytes that all further flows may keep."""


@contextmanager
def counted_memory() -> Generator[Callable[[], int]]:
    """The bytes that Python has more at the end of the block than at its beginning. Nothing is logged in it, because
    pytest keeps every record."""
    counts = [0, 0]
    logging.disable()
    gc.collect()
    tracemalloc.start()
    try:
        yield lambda: counts[1] - counts[0]
        gc.collect()
        counts[1] = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        logging.disable(logging.NOTSET)


def port_of(browser: LaunchedBrowser) -> int:
    return urlsplit(browser.ws_url).port or 0


def kill(browser: LaunchedBrowser) -> None:
    os.kill(browser.pid, signal.SIGKILL)


@pytest.mark.timeout(3600 if IS_WHOLE else 120)
def test_flows_whose_connection_is_cut_end_in_time_and_with_the_truth(
    no_leaks: None, sites: Sites, tmp_path: Path
) -> None:
    chaos_pages(sites)
    with launched(omnibox=False) as browser, CuttingProxy(port_of(browser)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        with CDPSupervisor(
            address, call_timeout_s=CALL_TIMEOUT_S, reconnect_attempts=10**6, record_to=str(tmp_path / "flight.jsonl")
        ) as supervisor:
            tabs = len(supervisor.snapshot().pages)
            chaos = Chaos(supervisor, proxy, sites, SEED)
            chaos.run(WARM_UP)
            with counted_memory() as kept:
                report = chaos.run(FLOWS - WARM_UP)
                sites.requests.clear()  # what the tests' own server kept

            now = supervisor.snapshot()
        sys.stdout.write(
            f"seed {SEED}: {report.cuts} cuts, {now.epoch} connections, {kept()} bytes kept, {dict(report.ended)}\n"
        )
    assert (report.wrong, report.late) == ([], []), f"seed {SEED}, {tmp_path}"
    assert report.ended.total() == FLOWS
    assert kept() < MOST_KEPT
    assert len(now.pages) == tabs, f"seed {SEED}: tabs were opened"


@pytest.mark.timeout(3600 if IS_WHOLE else 120)
def test_a_browser_that_is_killed_and_comes_back_is_another_one(
    no_leaks: None, chromium_factory: LaunchBrowser, sites: Sites
) -> None:
    """The old supervisor touches nothing in it and says so; the registry gives a new one."""
    registry = SupervisorRegistry()
    browser = chromium_factory()
    with CuttingProxy(port_of(browser)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        for _ in range(RESTARTS):
            supervisor = registry.get_or_start("task", address, call_timeout_s=CALL_TIMEOUT_S)
            assert supervisor.evaluate("1+1").value == 2
            kill(browser)
            browser = chromium_factory()
            proxy.to = port_of(browser)

            now = supervisor.wait_for(lambda now: now.state == "lost", timeout_s=60)

            assert now.reason == str(BrowserReplaced())
            with pytest.raises(BrowserReplaced):
                supervisor.evaluate("1+1")
        assert registry.get_or_start("task", address).evaluate("1+1").value == 2
        registry.stop_all()
