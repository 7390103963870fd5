"""The libraries that `make libraries` installs, and the runs of the pages that use them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.libraries.pages import FEATURES
from tests.web_platform.runs import Run, run

LIMIT_S = 30.0
"""An editor of several megabytes takes seconds to load."""


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder of the packages."""
    root = Path(os.environ.get("CDP_TYPED_LIBRARIES", ".venv/libraries")) / "node_modules"
    if not root.is_dir():
        pytest.fail(f"{root} is not there; `make libraries` installs it")
    return root


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
