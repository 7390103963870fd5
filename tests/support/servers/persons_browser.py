"""A Chromium with windows whose person allows or refuses each connection."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cdp_typed import EndpointError
from cdp_typed.endpoint import find_running
from cdp_typed.launch import find_browser
from tests.support.servers.displays import press, virtual_display

_ALLOW, _CANCEL = ("Tab", "Return"), ("Return",)
"""The keys that answer the question: it begins at Cancel."""
_PROFILES = ("CHROME_USER_DATA_DIR", "CHROME_CONFIG_HOME", "XDG_CONFIG_HOME")


class Person:
    """The person at the keyboard of a browser that asks."""

    def __init__(self, display: str, environment: Mapping[str, str]) -> None:
        self._display = display
        self.environment = environment
        """Of the person's programs."""

    def allow(self) -> None:
        """Click Allow in the question that is shown."""
        self._answer(_ALLOW)

    def refuse(self) -> None:
        """Click Cancel in the question that is shown."""
        self._answer(_CANCEL)

    def _answer(self, keys: tuple[str, ...]) -> None:
        time.sleep(1)  # Chromium ignores a key that comes as soon as the question is shown
        press(self._display, *keys)


@contextmanager
def persons_browser(home: Path) -> Generator[Person]:
    """A browser with its default profile in this home, which allows remote debugging, for the length of the block."""
    for browser in ("chromium", "google-chrome"):  # whichever is installed
        profile = home / ".config" / browser
        profile.mkdir(parents=True)
        (profile / "Local State").write_text('{"devtools": {"remote_debugging": {"user-enabled": true}}}')
    environment = {name: text for name, text in os.environ.items() if name not in _PROFILES} | {"HOME": str(home)}
    command = [str(find_browser()), "--no-first-run", "--password-store=basic", "about:blank"]
    if os.geteuid() == 0:
        command.append("--no-sandbox")
    with virtual_display() as display:
        running = subprocess.Popen(
            command,
            env={**environment, "DISPLAY": display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _wait_for_port(environment)
            yield Person(display, environment)
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def _wait_for_port(environment: Mapping[str, str]) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            find_running(environ=environment)
        except EndpointError:
            assert time.monotonic() < deadline, "the browser does not listen"
            time.sleep(0.1)
        else:
            return
