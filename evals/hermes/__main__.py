"""Plays Hermes Agent's own browser tools over our supervisor, or with `--theirs` over its own; prints what each did."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final

from evals.hermes.scenarios import SCENARIOS, Hermes, pages
from supervisor.addons import hermes
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

_SUPERVISOR: Final = "tools.browser_supervisor"
"""Hermes' module in whose place ours is put."""


def main(words: list[str]) -> int:
    """Play each scenario in a new browser, and return 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m evals.hermes", description=__doc__)
    parser.add_argument("place", type=Path, help="where hermes-agent is installed")
    parser.add_argument("--theirs", action="store_true", help="over Hermes' own supervisor")
    options = parser.parse_args(words)
    with TemporaryDirectory() as home, Sites() as sites:
        os.environ["HERMES_HOME"] = home
        sys.path.insert(0, str(options.place))
        if not options.theirs:
            sys.modules[_SUPERVISOR] = hermes
        supervisors = import_module(_SUPERVISOR)
        tools = [import_module(f"tools.{name}") for name in ("browser_dialog_tool", "browser_cdp_tool", "browser_tool")]
        sites.pages.update(pages(sites))
        outcomes = {play.__name__: _outcome(play, supervisors, tools, sites) for play in SCENARIOS}
    print(f"{sum(outcome == 'done' for outcome in outcomes.values())} of {len(outcomes)} done")
    return int(set(outcomes.values()) != {"done"})


def _outcome(play: Callable[[Hermes], object], supervisors: ModuleType, tools: list[ModuleType], sites: Sites) -> str:
    with launched(omnibox=False) as browser:
        try:
            play(Hermes(supervisors, tools, browser, sites))
            outcome = "done"
        except Exception as error:  # Hermes' own supervisor may raise anything
            outcome = f"{type(error).__name__}: {error}"
        finally:
            supervisors.SUPERVISOR_REGISTRY.stop_all()
    print(f"{play.__name__.replace('_', ' ')}: {outcome}", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
