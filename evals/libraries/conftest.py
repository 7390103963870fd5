"""The libraries that `make libraries` installs, and the runs of the pages that use them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.libraries.installed import installed_packages
from evals.libraries.pages import FEATURES
from evals.web_platform.runs import Run, run

LIMIT_S = 30.0
"""An editor of several megabytes takes seconds to load."""


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder of the packages."""
    return installed_packages("make libraries")


@pytest.fixture(scope="session")
def played(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Plays the pages in a setting once, and returns their reports."""
    runs: dict[str, Run] = {}

    def play(setting: str) -> Run:
        if setting not in runs:
            home = tmp_path_factory.mktemp(setting)
            runs[setting] = run(setting, FEATURES, home, folders={"/node_modules/": packages}, limit_s=LIMIT_S)
        return runs[setting]

    return play
