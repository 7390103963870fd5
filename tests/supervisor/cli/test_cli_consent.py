"""Commands whose browser asks its person, while another program asks, too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed.client.consent import CLICK_ALLOW, OTHER_FIRST
from cdp_typed.endpoint.consent_lock import ConsentLock
from tests.support.servers.asking import AskingBrowser, asking_browser

pytestmark = pytest.mark.thorough

COMMANDS = {
    "targets": ("cdp_typed", "targets", "PROFILE"),
    "live": ("supervisor", "live", "--connect"),
    "doctor": ("supervisor", "doctor", "--connect"),
}
"""By name: the module, and its arguments."""
FIRST_LINES = {"targets": "ID ", "live": "live view: http://", "doctor": "CAPABILITY "}
"""The beginnings of what the commands print once they are connected."""


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[AskingBrowser]:
    """The browser of the person whose home is `tmp_path`."""
    with asking_browser() as browser:
        profile = tmp_path / ".config" / "chromium"
        profile.mkdir(parents=True)
        (profile / "DevToolsActivePort").write_text(f"{browser.port}\n{browser.path}")
        yield browser


def _begin(name: str, home: Path) -> subprocess.Popen[str]:
    module, *arguments = [word.replace("PROFILE", f"{home}/.config/chromium") for word in COMMANDS[name]]
    environment = {key: text for key, text in os.environ.items() if not key.startswith(("XDG_", "CHROME_"))}
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**environment, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("name", list(COMMANDS))
def test_it_says_that_another_program_asks_and_then_that_it_asks_itself(
    asking: AskingBrowser, tmp_path: Path, name: str
) -> None:
    other = ConsentLock(tmp_path / ".config" / "chromium" / "DevToolsActivePort")
    assert other.take()
    with _begin(name, tmp_path) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stderr.readline().endswith(f"{OTHER_FIRST}\n")
        assert asking.questions == 0
        other.give_back()
        assert command.stderr.readline().endswith(f"{CLICK_ALLOW}\n")
        asking.answer("allow")
        assert command.stdout.readline().startswith(FIRST_LINES[name])
        command.terminate()
        command.communicate()
    assert asking.questions == 1


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_refusal_ends_it_with_one_sentence(asking: AskingBrowser, tmp_path: Path, name: str) -> None:
    asking.answer("cancel")
    with _begin(name, tmp_path) as command:
        told = command.communicate(timeout=60)

    refused = 2 if COMMANDS[name][0] == "cdp_typed" else 1
    assert (command.returncode, told[0]) == (refused, "")
    assert told[1].endswith(f"error: ws://127.0.0.1:{asking.port}/devtools/browser/...: refused by the person\n")
    assert told[1].count("\n") == 1
    assert asking.questions == 1
