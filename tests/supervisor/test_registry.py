"""One supervisor per task id, however many ask for it, replace it or stop it at once."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from cdp_typed import EndpointError
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import CDPSupervisor, NotRunning, SupervisorRegistry
from tests.support.servers.silent import silence

SITE = {"http://a.test/": Page(title="A")}


@pytest.fixture
def registry(no_leaks: None) -> Iterator[SupervisorRegistry]:
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


@pytest.fixture
def mock(no_leaks: None) -> Iterator[ThreadedMockServer]:
    with ThreadedMockServer(SITE) as server:
        yield server


def test_a_start_that_was_stopped_is_never_handed_out(registry: SupervisorRegistry) -> None:
    with silence() as silent, ThreadPoolExecutor(3) as pool:
        asking = [pool.submit(registry.get_or_start, "task", silent.url) for _ in range(3)]
        silent.accept()
        assert registry.get("task") is None

        assert registry.stop("task")

        for future in asking:
            with pytest.raises(NotRunning):
                future.result(30)
    assert registry.get("task") is None
    assert not registry.stop("task")


def test_a_start_that_is_about_to_begin_is_stopped_too(
    registry: SupervisorRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_about_to, goes_on, start = threading.Event(), threading.Event(), CDPSupervisor.start

    def held(supervisor: CDPSupervisor, timeout_s: float = 15.0) -> CDPSupervisor:
        is_about_to.set()
        assert goes_on.wait(30)
        return start(supervisor, timeout_s)

    monkeypatch.setattr(CDPSupervisor, "start", held)
    with silence() as silent, ThreadPoolExecutor(2) as pool:
        starting = pool.submit(registry.get_or_start, "task", silent.url, start_timeout_s=60)
        assert is_about_to.wait(30)
        stopping = pool.submit(registry.stop, "task")
        wait([stopping], 0.5)
        goes_on.set()

        with pytest.raises(NotRunning):
            starting.result(30)
        assert stopping.result(30)


def test_other_settings_replace_a_start_under_way(registry: SupervisorRegistry, mock: ThreadedMockServer) -> None:
    with silence() as silent, ThreadPoolExecutor(1) as pool:
        stale = pool.submit(registry.get_or_start, "task", silent.url)
        silent.accept()

        fresh = registry.get_or_start("task", mock.url)

        with pytest.raises(NotRunning):
            stale.result(30)
    assert registry.get("task") is fresh
    assert fresh.is_running


@pytest.mark.thorough
def test_a_start_that_fails_fails_for_all_who_waited_and_can_be_tried_again(
    registry: SupervisorRegistry, mock: ThreadedMockServer
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(EndpointError):
            registry.get_or_start("task", f"http://127.0.0.1:{closed.getsockname()[1]}")

    assert registry.get("task") is None
    assert registry.get_or_start("task", mock.url).is_running


def test_one_that_is_lost_for_good_is_not_handed_out(registry: SupervisorRegistry) -> None:
    with ThreadedMockServer(SITE) as server:
        supervisor = registry.get_or_start("task", server.url, reconnect_attempts=0)
        assert registry.get("task") is supervisor

        server.browser.end("reset")
        supervisor.wait_for(lambda now: now.state == "lost", timeout_s=20)

        assert registry.get("task") is None


def test_one_that_is_lost_is_replaced_only_after_a_stop_where_that_is_wanted(mock: ThreadedMockServer) -> None:
    registry = SupervisorRegistry(replaces_lost=False)
    first = registry.get_or_start("task", mock.url, reconnect_attempts=0)
    mock.browser.end("reset")
    first.wait_for(lambda now: now.state == "lost", timeout_s=20)
    with pytest.raises(NotRunning, match="not running: "):
        registry.get_or_start("task", mock.url, reconnect_attempts=0)
    assert registry.status("task").state == "lost"

    assert registry.stop("task")
    with ThreadedMockServer(SITE) as other:
        assert registry.get_or_start("task", other.url).is_running
        registry.stop_all()


def test_a_start_ends_within_its_time(registry: SupervisorRegistry) -> None:
    with silence() as silent, pytest.raises((EndpointError, NotRunning)):
        registry.get_or_start("task", silent.url, start_timeout_s=0.2)


def test_the_process_ends_cleanly_with_a_supervisor_running(mock: ThreadedMockServer) -> None:
    program = f"import supervisor; supervisor.SUPERVISOR_REGISTRY.get_or_start('task', {mock.url!r}); print('up')"

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "up\n", "")
