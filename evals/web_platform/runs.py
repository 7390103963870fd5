"""Plays the chain of pages in a browser, without any client and under supervision."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from cdp_typed.launch import LaunchedBrowser, find_browser
from evals.web_platform.chain import LIMIT_S, Chain
from evals.web_platform.feature import Feature
from supervisor import CDPSupervisor, Config, SupervisorRegistry, UrlRules
from supervisor.tools import Toolbox
from tests.support.browsers import launched

__all__ = ["SETTINGS", "Run", "run"]

ARGS = ("--disable-popup-blocking", "--test-type")
"""Popups open without a user gesture, and no bar at the top of the first tab warns of other flags."""
NOWHERE = UrlRules(deny_origins=("https://nowhere.example",))
LOG = "browser.log"
STALLS = 3
"""After so many pages that neither report nor go on, the rest of a run is given up."""
ESTABLISHED = "01"


@dataclass(frozen=True)
class Run:
    """The result of the chain in one setting."""

    outcomes: Mapping[str, str]
    """The reports of the pages, by the feature's name."""
    downloads: frozenset[str]
    """The names of the files that were downloaded."""
    clients: int
    """The number of our connections to the browser's debugging port at the end."""
    console: frozenset[str]
    """The console messages of the pages in the browser's log, without ports; empty if it writes no log. Messages of
    graphics drivers about their speed are left out."""


def run(
    setting: str,
    features: Sequence[Feature],
    home: Path,
    *,
    folders: Mapping[str, Path] | None = None,
    limit_s: float = LIMIT_S,
) -> Run:
    """Play the chain in one of `SETTINGS`. `home` becomes the browser's home directory; the rest is as in `Chain`."""
    clients = 0
    with Chain(features, folders=folders, limit_s=limit_s) as chain:
        for _ in range(STALLS):
            with SETTINGS[setting](chain, home) as browser:
                is_over = chain.wait_for_end()
                clients = _connections(urlsplit(browser.http_url).port or 0)
            if is_over:
                break
            chain.give_up_on_current()
        downloads = frozenset(path.name for path in (home / "Downloads").glob("*"))
        return Run(dict(chain.outcomes), downloads, clients, _console(home))


def _console(home: Path) -> frozenset[str]:
    log = home / LOG
    text = log.read_text(errors="replace") if log.exists() else ""
    lines = re.findall(r"CONSOLE:\d+\] (.*)", text)
    return frozenset(re.sub(r":\d{4,5}/", "...", line) for line in lines if "GL Driver Message" not in line)


def _connections(port: int) -> int:
    """Return the number of established connections of this process to a port of this machine.

    Others do not count: a test beside this one may try a port that nobody used a moment ago.
    """
    own = set[str]()
    for each in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            own.add(each.readlink().name)
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(
        row[2].endswith(f":{port:04X}") and row[3] == ESTABLISHED and f"socket:[{row[9]}]" in own for row in rows
    )


@contextmanager
def _browser(home: Path, url: str) -> Generator[LaunchedBrowser]:
    """A browser whose only tab shows `url`.

    `launch` always starts with `about:blank`, and headless Chromium takes only one address; a script that changes the
    last argument is in between. The tab of a browser that starts with `about:blank` never gets the focus (156).
    """
    script = home / "browser.sh"
    start = f'exec {shlex.quote(str(find_browser()))} "${{@:1:$#-1}}" {shlex.quote(url)}'
    script.write_text(f"#!/bin/bash\nexport HOME={shlex.quote(str(home))}\n{start}\n")
    script.chmod(0o755)
    with launched(script, args=(*ARGS, "--enable-logging", f"--log-file={home / LOG}")) as browser:
        yield browser


@contextmanager
def _bare(chain: Chain, home: Path) -> Generator[LaunchedBrowser]:
    """No client at all: the browser is started with the first address and left alone."""
    chain.let_go()
    with _browser(home, chain.start_url) as browser:
        yield browser


@contextmanager
def _supervised(
    chain: Chain, home: Path, *, bridge_always: bool = False, is_restricted: bool = False
) -> Generator[LaunchedBrowser]:
    """The page that is there goes to the first address."""
    chain.let_go()
    with (
        _browser(home, chain.waiting_url) as browser,
        CDPSupervisor(browser.ws_url, dialog_bridge="always" if bridge_always else "auto") as supervisor,
    ):
        if is_restricted:
            supervisor.restrict(NOWHERE)
        supervisor.navigate(chain.start_url)
        yield browser


@contextmanager
def _all_toolsets(chain: Chain, home: Path) -> Generator[LaunchedBrowser]:
    """A model is told of the tools of every toolset, and uses one of the default toolset alone."""
    chain.let_go()
    with _browser(home, chain.waiting_url) as browser:
        config = Config(cdp_url=browser.ws_url)
        with Toolbox(config, registry=SupervisorRegistry(), toolsets="all") as toolbox:
            assert {each.toolset for each in toolbox.chosen} > {"browser", "browser-network"}
            toolbox.definitions()
            toolbox.dispatch("browser_navigate", {"url": chain.start_url})
            yield browser


@contextmanager
def _opened_tab(chain: Chain, home: Path, *, is_behind: bool) -> Generator[LaunchedBrowser]:
    chain.let_go()
    with _browser(home, chain.waiting_url) as browser, CDPSupervisor(browser.ws_url) as supervisor:
        supervisor.open_page(chain.start_url, background=is_behind)
        yield browser


@contextmanager
def _after_stop(chain: Chain, home: Path) -> Generator[LaunchedBrowser]:
    """The supervisor sees the page before the first feature, and is gone when that begins."""
    with _browser(home, chain.waiting_url) as browser:
        with CDPSupervisor(browser.ws_url) as supervisor:
            supervisor.navigate(chain.start_url)
            chain.wait_for_arrival()
        chain.let_go()
        yield browser


SETTINGS: Mapping[str, Callable[[Chain, Path], AbstractContextManager[LaunchedBrowser]]] = {
    "bare": _bare,
    "agent_page": _supervised,
    "opened_tab": partial(_opened_tab, is_behind=True),
    "opened_in_front": partial(_opened_tab, is_behind=False),
    "all_toolsets": _all_toolsets,
    "bridge_always": partial(_supervised, bridge_always=True),
    "restricted": partial(_supervised, is_restricted=True),
    "after_stop": _after_stop,
}
"""The settings of a run, by name."""
