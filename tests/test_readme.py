"""The README's examples run as they stand, also from the wheel, where nothing else is installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.support.wheels import ROOT, build_wheel, install_wheel, run_elsewhere

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(180)]

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
PRINTED = ["Ada\n", "Shop\ntext/html\n"]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("readme")
    return install_wheel(build_wheel(folder / "dist"), folder / "environment")


@pytest.mark.parametrize("number", range(len(PRINTED)), ids=["blocking", "async"])
def test_an_example_runs_as_it_stands(number: int, tmp_path: Path) -> None:
    assert printed(Path(sys.executable), number, tmp_path) == PRINTED[number]


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(PRINTED)), ids=["blocking", "async"])
def test_an_example_runs_with_the_wheel_alone(number: int, python: Path, tmp_path: Path) -> None:
    assert printed(python, number, tmp_path) == PRINTED[number]


def printed(python: Path, number: int, folder: Path) -> str:
    """What an example prints that a person has saved and runs."""
    (folder / "example.py").write_text(EXAMPLES[number], encoding="utf-8")
    done = run_elsewhere(python, "-W", "ignore", "example.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_run() -> None:
    assert len(EXAMPLES) == len(PRINTED) + 1  # the last is a test, which tests/test_examples.py runs
