"""Several workers share the tests so that what is costly is made once, and what takes long comes first."""

from __future__ import annotations

import pytest

from tests.support.runs.workers import begin_with_the_longest, repeated, sendable, unit_of

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("tests/test_a.py::test_of_nothing", "tests/test_a.py"),
        ("tests/test_a.py::test_of_a_class[a-mock]", "tests/test_a.py"),
        ("tests/test_a.py::test_on_a_stage[mock]", "tests/test_a.py[mock]"),
        ("tests/test_a.py::test_on_a_stage[mock-http://a/::b]", "tests/test_a.py[mock]"),
        ("evals/beside/test_beside.py::test_it[raw_cdp-new-bridge-links]", "evals/beside/test_beside.py[raw_cdp-new]"),
        ("tests/a/on_ray/test_a.py::test_on_a_stage[mock]", "/on_ray/"),
        ("tests/b/on_ray/test_b.py::test_of_nothing", "/on_ray/"),
    ],
)
def test_the_tests_of_a_file_stay_together_on_each_stage(name: str, unit: str) -> None:
    assert unit_of(name) == unit


def test_a_further_browser_plays_each_scenario_once(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.runs.workers.FURTHER_STAGES", {"qt6.8"})
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    items = pytester.getitems(
        "import pytest\n"
        "@pytest.mark.parametrize('number', [1, 2])\n"
        "@pytest.mark.parametrize('stage', ['chromium', 'qt6.8'])\n"
        "def test_a_scenario(stage, number): pass\n"
        "@pytest.mark.parametrize('stage', ['qt6.8'])\n"
        "def test_another(stage): pass\n"
    )

    assert [item.name for item in repeated(items)] == ["test_a_scenario[qt6.8-2]"]


def test_what_a_test_tells_can_be_sent() -> None:
    told = sendable({"sections": [("Captured log", "half a \ud83d pair, ü")], "duration": 0.5, "longrepr": None})

    assert told == {"sections": [["Captured log", "half a \\ud83d pair, ü"]], "duration": 0.5, "longrepr": None}


def test_several_workers_begin_with_what_has_the_most_patience(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_a="def test_it(): pass\n",
        test_b="import pytest\n@pytest.mark.chromium\ndef test_it(): pass\n",
        test_c="import pytest\n@pytest.mark.timeout(900)\ndef test_it(): pass\n",
    )
    pytester.makeini("[pytest]\nmarkers = chromium: starts a browser\nasyncio_default_fixture_loop_scope = function")
    items, _ = pytester.inline_genitems()  # pyright: ignore[reportUnknownMemberType] # its arguments have no types

    begin_with_the_longest(items)

    assert [item.nodeid for item in items] == ["test_c.py::test_it", "test_b.py::test_it", "test_a.py::test_it"]
