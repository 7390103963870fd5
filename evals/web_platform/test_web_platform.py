"""Supervision changes nothing about any page: each feature of the web platform does what it does without a client."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evals.web_platform.everything import features_of
from evals.web_platform.features.resources import downloads
from evals.web_platform.runs import SETTINGS, Run
from evals.web_platform.selection import IS_WHOLE, SUPERVISED

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, pytest.mark.timeout(600)]

Play = Callable[[str], Run]

WITHOUT_SUPERVISION = [feature.name for feature in features_of("bare", whole=IS_WHOLE)]
PAIRS = [(setting, feature.name) for setting in SUPERVISED for feature in features_of(setting, whole=IS_WHOLE)]


@pytest.mark.parametrize("name", WITHOUT_SUPERVISION)
def test_a_feature_works_without_supervision(played: Play, name: str) -> None:
    outcome = played("bare").outcomes.get(name, "not reached")

    assert outcome.partition(":")[0] in {"ok", "told", "absent"}, outcome


@pytest.mark.parametrize(("setting", "name"), PAIRS)
def test_a_feature_is_the_same_under_supervision(played: Play, setting: str, name: str) -> None:
    outcome = played(setting).outcomes.get(name, "not reached")

    # A feature that says `ok` needs nothing to compare with.
    assert outcome == (played("bare").outcomes.get(name) if name in WITHOUT_SUPERVISION else "ok")


@pytest.mark.parametrize(
    "setting", [setting for setting in SUPERVISED if downloads.FEATURES[0] in features_of(setting, whole=True)]
)
def test_the_same_files_are_downloaded_under_supervision(played: Play, setting: str) -> None:
    assert played(setting).downloads == played("bare").downloads


def test_nobody_is_connected_to_the_browser_without_supervision(played: Play) -> None:
    assert {setting: played(setting).clients for setting in ("bare", "agent_page")} == {"bare": 0, "agent_page": 1}


def test_there_are_no_two_features_of_one_name() -> None:
    names = [feature.name for feature in features_of("bare", whole=True)]

    assert len(names) == len(set(names)) >= 140
    assert {*SUPERVISED} <= {*SETTINGS}
