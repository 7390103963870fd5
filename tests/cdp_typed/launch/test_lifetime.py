"""A Python that launched a browser ends: by Ctrl-C, by a signal, by itself, or as a forked child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cdp_typed.launch.conftest import LISTENS, FakeBrowser
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
    pid, profile = child.stdout.readline().rstrip("\n").split(" ", 1)
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


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda ending: ending.name)
@pytest.mark.parametrize("options", ["", "pipe=True"], ids=["port", "pipe"])
def test_a_killed_python_takes_the_browser_with_it(script: Script, options: str, ending: signal.Signals) -> None:
    child = script(f"with launch({options}) as browser:\n    tell(browser); sys.stdin.read()")
    pid, profile = told(child)

    child.send_signal(ending)
    child.communicate(timeout=20)

    assert child.returncode == -ending
    assert_gone(pid, profile)


def test_a_killed_python_takes_the_browser_with_it_though_its_child_lives_on(script: Script) -> None:
    child = script(
        """
with launch() as browser:
    left = os.fork()
    if left == 0:
        signal.pause()
    print(left, flush=True)
    tell(browser)
    signal.pause()
"""
    )
    assert child.stdout is not None
    left = int(child.stdout.readline())
    pid, profile = told(child)

    child.kill()
    child.wait()

    try:
        assert_gone(pid, profile)
    finally:
        os.kill(left, signal.SIGKILL)


@pytest.mark.parametrize("options", ["", "pipe=True"], ids=["port", "pipe"])
def test_a_python_that_kills_its_children_and_dies_takes_the_browser_with_it(script: Script, options: str) -> None:
    """So end the workers of Ray 2.60 whose node is lost: the browser's processes and its directory would stay."""
    child = script(
        f"""
from pathlib import Path
with launch({options}) as browser:
    tell(browser)
    sys.stdin.readline()
    for pid in Path(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read_text().split():
        os.kill(int(pid), signal.SIGKILL)
    os._exit(1)
"""
    )
    pid, profile = told(child)

    child.communicate("now\n", timeout=20)

    assert child.returncode == 1
    assert_gone(pid, profile)


def test_a_python_that_is_killed_while_its_browser_starts_leaves_nothing(
    script: Script, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    """The browser, which has left its process group, has not answered yet."""
    os.mkfifo(tmp_path / "told")
    fake = fake_browser("""setsid sh -c 'echo $$ "$0" > "$1"; exec sleep 60' "$profile" "$here/told" & wait""")
    child = script(f"launch({str(fake)!r}).start()")
    words = (tmp_path / "told").read_text().rstrip("\n").split(" ", 1)

    child.kill()
    child.wait()

    assert_gone(int(words[0]), Path(words[1]))


def test_a_helper_whose_environment_says_nothing_ends_with_a_python_that_is_killed(
    script: Script, fake_browser: FakeBrowser, tmp_path: Path
) -> None:
    """Nobody but root may read the environment of a sandboxed process; its process group tells it."""
    os.mkfifo(tmp_path / "helps")
    helper = """env -i sh -c 'echo yes > "$0"; exec sleep 61' "$here/helps" & """
    fake = fake_browser(helper + LISTENS.replace("exec sleep 60", "wait"))
    child = script(f"with launch({str(fake)!r}) as browser:\n    tell(browser); sys.stdin.read()")
    pid, profile = told(child)
    assert (tmp_path / "helps").read_text() == "yes\n"
    assert len(processes_of(pid, profile)) == 2

    child.kill()
    child.wait()

    assert_gone(pid, profile)


def test_the_watch_ends_with_the_block_and_nobody_waits_for_it(script: Script) -> None:
    child = script(
        """
from pathlib import Path
def children():
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
with launch() as browser:
    during = len(children())
print(during, len(children()), flush=True)
sys.stdin.read()
"""
    )

    out, errors = child.communicate(timeout=20)

    assert (child.returncode, out, errors) == (0, "2 0\n", "")


def test_ctrl_c_twice_ends_a_stubborn_browser(script: Script, fake_browser: FakeBrowser, tmp_path: Path) -> None:
    """The second one comes while the launch waits for a browser that ignores SIGTERM."""
    os.mkfifo(tmp_path / "asked")
    stubborn = LISTENS.replace("exec sleep 60", "while :; do sleep 0.05; done")
    fake = fake_browser("trap 'echo yes > \"$here/asked\"' TERM; " + stubborn)
    child = script(f"with launch({str(fake)!r}) as browser:\n    tell(browser); sys.stdin.read()")
    pid, profile = told(child)

    child.send_signal(signal.SIGINT)
    assert (tmp_path / "asked").read_text() == "yes\n"
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
