"""The runs of the suite, each of which is played once and then compared feature by feature."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web_platform.everything import features_of
from tests.web_platform.runs import Run, run
from tests.web_platform.selection import IS_WHOLE


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """What the pages of the chain report in one of the settings."""
    runs: dict[str, Run] = {}

    def play(setting: str) -> Run:
        if setting not in runs:
            runs[setting] = run(setting, features_of(setting, whole=IS_WHOLE), tmp_path_factory.mktemp(setting))
        return runs[setting]

    return play
