"""Libraries that many sites are made of work under supervision as without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evals.libraries.pages import FEATURES
from evals.web_platform.runs import Run

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, pytest.mark.timeout(600)]

Play = Callable[[str], Run]
NAMES = [feature.name for feature in FEATURES]
SUPERVISED = ("agent_page", "opened_tab")


@pytest.mark.parametrize("name", NAMES)
def test_a_library_works_without_supervision(played: Play, name: str) -> None:
    assert played("bare").outcomes.get(name, "not reached") == "ok"


@pytest.mark.parametrize("setting", SUPERVISED)
@pytest.mark.parametrize("name", NAMES)
def test_a_library_works_the_same_under_supervision(played: Play, setting: str, name: str) -> None:
    assert played(setting).outcomes.get(name, "not reached") == played("bare").outcomes.get(name)


@pytest.mark.parametrize("setting", SUPERVISED)
def test_the_console_has_nothing_more_under_supervision(played: Play, setting: str) -> None:
    assert played(setting).console - played("bare").console == set()
