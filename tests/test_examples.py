"""The consumer project and the recipes of the docs work as they stand."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.wheels import ROOT, build_wheel, install_wheel, run_elsewhere

pytestmark = pytest.mark.timeout(180)

PAGE = (ROOT / "docs" / "testing-with-the-mock.md").read_text(encoding="utf-8")
README = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL)
FIRST = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "start-testing.md").read_text("utf-8"), flags=re.DOTALL)
SMALLEST = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)[0]
RECIPES = re.findall(r"^## \d+\. .+?$(?:(?!^## ).)*?```python\n(.*?)```", PAGE, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and its extra `test`."""
    folder = tmp_path_factory.mktemp("testing")
    return install_wheel(build_wheel(folder / "dist"), folder / "environment", extra="test")


def test_the_consumer_project_passes_its_tests_with_the_installed_wheel(python: Path, tmp_path: Path) -> None:
    """Real Chromium too, and nothing skipped."""
    project = tmp_path / "consumer"
    shutil.copytree(ROOT / "examples" / "consumer", project, ignore=shutil.ignore_patterns("__pycache__", ".*"))

    (project / "test_readme.py").write_text(README[-1], encoding="utf-8")

    done = run_elsewhere(python, "-m", "pytest", "-v", "-p", "no:cacheprovider", cwd=project)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^=+ 8 passed in ", done.stdout, re.MULTILINE)
    assert re.findall(r"\[(\w+)\] PASSED", done.stdout) == ["mock", "chromium"]


PATIENT = """\
from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
"""
"""A profile without Hypothesis' checks of time: the speed of a busy machine says nothing about a recipe."""


def test_the_recipes_and_the_smallest_test_pass(python: Path, tmp_path: Path) -> None:
    """As one project, a file for each, with the installed wheel; a test with `cdp_browser` is two."""
    codes = [README[-1], *FIRST, SMALLEST, *RECIPES]
    for number, code in enumerate(codes):
        (tmp_path / f"test_recipe_{number}.py").write_text(code, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(PATIENT, encoding="utf-8")
    whole = "".join(codes)
    tests = len(re.findall(r"^def test_", whole, re.MULTILINE)) + whole.count("cdp_browser: BrowserUnderTest")

    done = run_elsewhere(python, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"^=+ {tests} passed in ", done.stdout, re.MULTILINE)
