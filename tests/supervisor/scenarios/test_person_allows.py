"""A Chromium with windows whose person allows or refuses each connection."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cdp_typed import EndpointError, NotAllowed, connect_sync
from cdp_typed.endpoint import find_running
from cdp_typed.launch import find_browser
from supervisor import CDPSupervisor
from tests.support.servers.displays import needs_display, press, virtual_display

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, needs_display]

ALLOW, CANCEL = ("Tab", "Return"), ("Return",)
"""The keys that answer the question: it begins at Cancel."""


@pytest.fixture
def display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The display of a person whose Chromium runs, with its default profile, and allows remote debugging."""
    for name in ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for browser in ("chromium", "google-chrome"):  # whichever is installed
        profile = tmp_path / "config" / browser
        profile.mkdir(parents=True)
        (profile / "Local State").write_text('{"devtools": {"remote_debugging": {"user-enabled": true}}}')
    command = [str(find_browser()), "--no-first-run", "--password-store=basic", "about:blank"]
    if os.geteuid() == 0:
        command.append("--no-sandbox")
    with virtual_display() as name, (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            command, env={**os.environ, "DISPLAY": name}, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_for_port()
            yield name
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def _wait_for_port() -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            find_running()
        except EndpointError:
            assert time.monotonic() < deadline, "the browser does not listen"
            time.sleep(0.1)
        else:
            return


def _answer(display: str, supervisor: CDPSupervisor, keys: tuple[str, ...]) -> None:
    deadline = time.monotonic() + 30
    while supervisor.status().state != "waiting_for_person":
        assert time.monotonic() < deadline, supervisor.status()
        time.sleep(0.05)
    time.sleep(1)  # Chromium ignores a key that comes as soon as the question is shown
    press(display, *keys)


def test_one_question_is_enough_and_a_refusal_is_told(display: str) -> None:
    with ThreadPoolExecutor(1) as person:
        allowed, refused = CDPSupervisor(find_running), CDPSupervisor(find_running)
        answering = person.submit(_answer, display, allowed, ALLOW)
        with allowed.start():
            answering.result()
            assert allowed.evaluate("1 + 1").value == 2
            with connect_sync(allowed.aio.config_of_others.cdp_url) as other:  # nobody is asked
                assert other.kind() == "browser"

            answering = person.submit(_answer, display, refused, CANCEL)
            with pytest.raises(NotAllowed, match="refused by the person"):
                refused.start()
            answering.result()
            assert allowed.evaluate("2 + 2").value == 4
