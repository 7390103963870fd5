"""The programs of the README and of the start pages run as they stand, also from the wheel without other packages.

The tests of the other examples run with the wheel, too (`tests/website/test_code_blocks.py`), in the environment of our
tests; here it is seen that their imports need no other packages.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support.wheels import ROOT, build_wheel, install_wheel, run_elsewhere

pytestmark = pytest.mark.timeout(180)

EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
STARTS = {
    f"{page}-{number}": example
    for page in ("start-agent.md", "start-client.md")
    for number, example in enumerate(
        re.findall(
            r"```python\n(.*?)```(?:(?!```).)*?```text\n(.*?)```",
            (ROOT / "docs" / page).read_text("utf-8"),
            flags=re.DOTALL,
        )
    )
}
"""The programs of the start pages, each with what its page says that it prints."""
README = {"blocking": (EXAMPLES[0], "Ada\n"), "async": (EXAMPLES[1], "Shop\ntext/html\n")}
PROGRAMS = README | STARTS
OTHERS = {
    "fleet.md": {"ray"},
    "live.md": {"uvicorn"},
    "mcp.md": {"mcp"},
    "migration.md": {"cdp", "pydoll"},
    "notebooks.md": {"IPython"},
    "recipes.md": {"playwright"},
    "start-testing.md": {"pytest"},
    "testing-with-the-mock.md": {"hypothesis", "pytest"},
}
"""What examples of the docs import that `pip install cdp-typed` does not bring: the page says so, or makes it."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("readme")
    return install_wheel(build_wheel(folder / "dist"), folder / "environment")


@pytest.mark.thorough
@pytest.mark.chromium
@pytest.mark.parametrize(("example", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_runs_with_the_wheel_alone(example: str, expected: str, python: Path, tmp_path: Path) -> None:
    assert printed(python, example, tmp_path) == expected


@pytest.mark.chromium
@pytest.mark.parametrize(("example", "expected"), README.values(), ids=README)
def test_an_example_runs_as_it_stands(example: str, expected: str, tmp_path: Path) -> None:
    assert printed(Path(sys.executable), example, tmp_path) == expected


def printed(python: Path, example: str, folder: Path) -> str:
    """What an example prints that a person has saved and runs."""
    (folder / "example.py").write_text(example, encoding="utf-8")
    done = run_elsewhere(python, "-W", "ignore", "example.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
def test_examples_import_nothing_that_the_wheel_does_not_bring(python: Path, tmp_path: Path) -> None:
    wanted = {page.name: imports_of(page) for page in (ROOT / "docs").glob("*.md")}
    (tmp_path / "wanted.json").write_text(json.dumps(wanted))

    done = run_elsewhere(python, "-c", IMPORT, cwd=tmp_path)

    assert json.loads(done.stdout or "{}") == {page: sorted(names) for page, names in OTHERS.items()}, done.stderr


IMPORT = """
import json

missing = {}
for page, lines in json.load(open("wanted.json")).items():
    for line in lines:
        try:
            exec(line, {})
        except ModuleNotFoundError as error:
            missing.setdefault(page, set()).add(error.name.partition(".")[0])
print(json.dumps({page: sorted(names) for page, names in missing.items()}))
"""


def imports_of(page: Path) -> list[str]:
    """The imports of a page's examples, wherever they are."""
    examples = re.findall(r"^ *```python\n(.*?)^ *```$", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    trees = [compile(textwrap.dedent(example), page.name, "exec", flags) for example in examples]
    return [
        ast.unparse(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def test_every_example_is_run() -> None:
    assert len(EXAMPLES) == len(README) + 1  # the last is a test, which tests/test_examples.py runs
    assert len(STARTS) == 3
