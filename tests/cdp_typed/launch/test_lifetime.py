"""A Python that launched a browser ends: by Ctrl-C, by itself, or as a forked child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.processes import assert_gone, processes_of

pytestmark = pytest.mark.thorough

PRELUDE = """
import os, sys, signal, warnings
warnings.simplefilter("ignore")
from cdp_typed.launch import launch
def tell(browser):
    print(browser.pid, browser.profile, flush=True)
"""

Script = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def script() -> Iterator[Script]:
    """Start a Python on a piece of code, from the repository's root; it does not outlive the test."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + code],
            cwd=Path(__file__).parents[3],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        with child:
            child.kill()


def told(child: subprocess.Popen[str]) -> tuple[int, Path]:
    """The pid and profile that the script printed when its browser was up."""
    assert child.stdout is not None
    pid, profile = child.stdout.readline().split()
    assert processes_of(int(pid), Path(profile).parent)
    return int(pid), Path(profile)


@pytest.mark.parametrize(
    "body",
    [
        "with launch() as browser:\n    tell(browser); sys.stdin.read()",
        """
import asyncio
async def main():
    async with launch() as browser:
        tell(browser); await asyncio.Event().wait()
asyncio.run(main())""",
    ],
    ids=["sync", "async"],
)
def test_ctrl_c_ends_the_browser(script: Script, body: str) -> None:
    child = script(body)
    pid, profile = told(child)

    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)

    assert child.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert_gone(pid, profile)


def test_ctrl_c_twice_ends_a_browser_that_does_not_want_to(script: Script, tmp_path: Path) -> None:
    """The second one comes while the launch waits for a browser that ignores SIGTERM."""
    fake = tmp_path / "stubborn"
    fake.write_text(
        f"""#!/bin/sh
trap 'touch {tmp_path}/asked' TERM
for arg; do case "$arg" in --user-data-dir=*) profile="${{arg#*=}}";; esac; done
printf '4321\\n/devtools/browser/abc' > "$profile/DevToolsActivePort"
while :; do sleep 0.05; done
"""
    )
    fake.chmod(0o755)
    child = script(f"with launch({str(fake)!r}) as browser:\n    tell(browser); sys.stdin.read()")
    pid, profile = told(child)

    child.send_signal(signal.SIGINT)
    while not (tmp_path / "asked").exists():
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=2.5)

    assert child.returncode == -signal.SIGINT
    assert_gone(pid, profile)


def test_ctrl_c_does_not_reach_the_browser_itself(script: Script) -> None:
    """The browser lives on until the block is left: a program may handle Ctrl-C and go on."""
    child = script(
        """
signal.signal(signal.SIGINT, lambda *_: None)
with launch() as browser:
    tell(browser)
    sys.stdin.readline()
    os.killpg(os.getpgid(browser.pid), 0)
    tell(browser)
    sys.stdin.read()
"""
    )
    told(child)
    child.send_signal(signal.SIGINT)
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()
    pid, profile = told(child)

    _, errors = child.communicate(timeout=20)

    assert (child.returncode, errors) == (0, "")
    assert_gone(pid, profile)


@pytest.mark.parametrize("ending", ["", "sys.exit(0)", "del running"], ids=["falls off", "sys.exit", "forgets it"])
def test_an_interpreter_that_ends_takes_the_browser_with_it(script: Script, ending: str) -> None:
    child = script(f"running = launch()\ntell(running.start())\nsys.stdin.read()\n{ending}")
    pid, profile = told(child)

    _, errors = child.communicate(timeout=20)

    assert (child.returncode, errors) == (0, "")
    assert_gone(pid, profile)


def test_a_forked_child_does_not_end_its_parents_browser(script: Script) -> None:
    child = script(
        """
with launch() as browser:
    if os.fork() == 0:
        sys.exit(0)  # leaves the block and runs the exit handlers, in the child
    os.wait()
    tell(browser)
    sys.stdin.read()
"""
    )
    pid, profile = told(child)
    running = processes_of(pid, profile.parent)

    _, errors = child.communicate(timeout=20)

    assert (child.returncode, errors) == (0, "")
    assert pid in running
    assert os.getpid() not in running
    assert_gone(pid, profile)
