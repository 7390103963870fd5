"""`pytest --cdp-report`, seen from the runs of projects that use it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from supervisor.driver.recorder import DEFAULT_RECORDING

pytestmark = pytest.mark.thorough
pytest_plugins = ["pytester"]

CODE = """
import pytest
from cdp_typed.mock import ThreadedMockServer
from supervisor import BlockedByDialog, CDPSupervisor

@pytest.fixture(scope="module")
def supervisor():
    with ThreadedMockServer() as server, CDPSupervisor(server.url) as running:
        yield running

def test_of_one_that_passes():
    with ThreadedMockServer() as server, CDPSupervisor(server.url) as supervisor:
        assert supervisor.evaluate("1 + 1").value == 2

@pytest.mark.parametrize("name", ["a/b <c>"])
def test_of_two_that_fail(supervisor, name):
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("confirm('Sure?')")
    with ThreadedMockServer() as server, CDPSupervisor(server.url) as other:
        other.evaluate("41 + 1")
        assert not supervisor.snapshot().pending_dialogs

def test_without_any():
    assert False
"""


def data_in(page: Path) -> Any:
    (packed,) = re.findall(r'id="data">([^<]*)<', page.read_text("utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture
def pytester(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(test_shop=CODE)
    return pytester


def test_each_supervisor_of_a_failed_test_has_a_report(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("-p", "no:asyncio", "--cdp-report")

    result.assert_outcomes(passed=1, failed=2)
    names = ["test_shop.py-test_of_two_that_fail-a-b-c", "test_shop.py-test_of_two_that_fail-a-b-c-2"]
    folder = pytester.path / "cdp-reports"
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.html" for name in names)
    result.stdout.fnmatch_lines([f"*{folder / names[0]}.html", f"*{folder / names[1]}.html"])
    first, second = (data_in(folder / f"{name}.html") for name in names)
    assert first["summary"]["title"] == "test_shop.py::test_of_two_that_fail[a/b <c>]"
    assert [(dialog["message"], dialog["end"]) for dialog in first["dialogs"]] == [("Sure?", None)]
    assert [(call["arguments"], call["text"]) for call in second["calls"]] == [("41 + 1", "42")]
    assert DEFAULT_RECORDING.folder is None


def test_nothing_is_recorded_without_the_option(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("-p", "no:asyncio")

    result.assert_outcomes(passed=1, failed=2)
    assert not (pytester.path / "cdp-reports").exists()


def test_a_folder_that_cannot_be_made_is_told_and_fails_nothing_else(pytester: pytest.Pytester) -> None:
    (pytester.path / "taken").write_text("theirs")

    result = pytester.runpytest("-p", "no:asyncio", "--cdp-report", "--cdp-report-dir=taken")

    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["no report in *taken*"])
    assert (pytester.path / "taken").read_text() == "theirs"
