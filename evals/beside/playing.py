"""Lets a client play its scenarios on a browser of its own, alone or beside a supervisor."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cdp_typed import connect_sync
from cdp_typed.protocol import page, target
from evals.beside.pages import add_pages
from evals.beside.programs import Group, Program
from evals.beside.settings import make_supervisor
from tests.support.browsers import launched
from tests.support.processes import kill_group
from tests.support.secrets import heard
from tests.support.servers.sites import Sites

__all__ = ["Outcomes", "Play", "play"]

ROOT = Path(__file__).parents[2]
PLAY_S = 900

Outcomes = Mapping[str, Sequence[Sequence[Any]]]
"""The names and values that each scenario saw, in order."""


@dataclass(frozen=True)
class Play:
    """A client, and the supervisor beside which it plays."""

    program: Program
    group: Group = "new"
    setting: str | None = None
    """The supervisor's; without one the client is alone."""
    is_after: bool = False
    """True if the supervisor starts after the client has connected."""
    only: tuple[str, ...] = ()
    """Scenarios; all, if none is named."""


def play(wanted: Play) -> Outcomes:
    """Every scenario's outcome. Addresses and folders are written as names, so that two plays can be compared."""
    with ExitStack() as stack:
        sites = stack.enter_context(Sites())
        add_pages(sites)
        # Foreign clients see all that users have; to ours the pages of the address bar are targets like any other.
        browser = stack.enter_context(launched(omnibox="CDP_TYPED_FOREIGN" in os.environ))
        folder = stack.enter_context(TemporaryDirectory(prefix="beside-", ignore_cleanup_errors=True))
        own, other = sites.local(""), sites.remote("")
        _show(browser.ws_url, f"{own}/plain")
        if wanted.setting is not None and not wanted.is_after:
            stack.enter_context(make_supervisor(browser.ws_url, wanted.setting))
        arguments = (browser.http_url, own, other, folder, wanted.group, *wanted.only)
        program = stack.enter_context(_started(wanted.program, arguments))
        assert program.stdin is not None
        assert program.stdout is not None
        connected = program.stdout.readline()
        if wanted.setting is not None and wanted.is_after:
            stack.enter_context(make_supervisor(browser.ws_url, wanted.setting))
        program.stdin.write("begin\n")
        program.stdin.flush()
        said = heard(connected + program.stdout.read())
        assert program.wait() == 0, f"{wanted}\n{said[-2000:]}\n{_read(Path(folder) / 'stderr')[-4000:]}"
    for text, name in ((own, "own:"), (other, "other:"), (folder, "folder:")):
        said = said.replace(text, name)
    _, *lines = map(json.loads, said.splitlines())
    return {line["scenario"]: line["seen"] for line in lines}


def _read(file: Path) -> str:
    return heard(file.read_text(errors="replace"))


def _show(ws_url: str, url: str) -> None:
    """Navigate the browser's first page there, over a connection that is closed again."""
    with connect_sync(ws_url) as browser:
        (first,) = (info for info in browser.send(target.GetTargets()).target_infos if info.type == "page")
        session = browser.attach(first.target_id)
        session.send(page.Enable())
        with session.expect(page.LoadEventFired, timeout=20):
            session.send(page.Navigate(url=url))


@contextmanager
def _started(wanted: Program, arguments: Sequence[str]) -> Generator[subprocess.Popen[str]]:
    """The client's process, in a group of its own that ends with the block, or after `PLAY_S`."""
    environment = {**os.environ, "no_proxy": "127.0.0.1,localhost", "PYTHONPATH": str(ROOT)}
    with (Path(arguments[3]) / "stderr").open("w") as errors:
        program = subprocess.Popen(
            [*wanted.command, *arguments],
            cwd=wanted.working_directory or ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    watchdog = threading.Timer(PLAY_S, _kill, [program])
    watchdog.start()
    try:
        with program:
            yield program
            _kill(program)
    except BaseException:
        _kill(program)
        raise
    finally:
        watchdog.cancel()
        watchdog.join()


def _kill(program: subprocess.Popen[str]) -> None:
    if program.poll() is None:
        kill_group(program.pid)
