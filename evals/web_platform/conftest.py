"""The runs of the suite, each of which is played once and then compared feature by feature."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evals.web_platform.everything import features_of
from evals.web_platform.runs import Run, run
from evals.web_platform.selection import IS_WHOLE, selected_names


@pytest.fixture(scope="session")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Plays the chain in a setting, with the features that the selected tests name, and returns its reports."""
    runs: dict[str, Run] = {}
    names = selected_names(request.session.items)

    def play(setting: str) -> Run:
        if setting not in runs:
            features = [feature for feature in features_of(setting, whole=IS_WHOLE) if feature.name in names]
            runs[setting] = run(setting, features, tmp_path_factory.mktemp(setting))
        return runs[setting]

    return play
