"""The rules of the house are held by checks that can fail."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from tests.support.layers import modules_in_no_layer

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_typed", "supervisor", "codegen")


@pytest.fixture(scope="module")
def lint_imports() -> str:
    """The command, from the environment that runs the tests."""
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert command is not None
    return command


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The packages and their contracts, as links, to plant violations in."""
    for package in PACKAGES:
        unneeded = ("__pycache__", "schema") if package == "codegen" else ("__pycache__",)
        ignore = shutil.ignore_patterns(*unneeded)
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore, copy_function=os.symlink)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(house: Path, module: str, lines: str) -> None:
    """Add lines to a module of the house, which has a file of its own from then on."""
    path = house / module
    text = path.read_text() if path.exists() else ""
    path.unlink(missing_ok=True)
    path.write_text(f"{text}\n{lines}\n")


def broken_contracts(lint_imports: str, house: Path) -> list[str]:
    """The names of the contracts that `lint-imports` finds broken; its exit status agrees."""
    run = subprocess.run(
        [lint_imports, "--no-cache", "--no-logo"], cwd=house, capture_output=True, text=True, check=False
    )
    broken = re.findall(r"^(.+) BROKEN(?: \(.*\))?$", run.stdout, re.MULTILINE)
    assert run.returncode == bool(broken), run.stdout + run.stderr
    return broken


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("cdp_typed/errors.py", "import supervisor", "supervisor stands on cdp_typed"),
        ("supervisor/driver.py", "import supervisor.facade", "supervisor: surfaces, tools"),
        ("supervisor/tools/framework/tool.py", "import supervisor.tools.page.refs", "supervisor.tools: browser"),
        ("cdp_typed/wire/router.py", "import cdp_typed.transport", "cdp_typed: cli, client"),
        ("cdp_typed/client/subscriptions.py", "import cdp_typed.client.session", "cdp_typed.client: connect"),
        ("cdp_typed/wire/decoding.py", "import cdp_typed.wire.router", "cdp_typed.wire: router"),
        ("cdp_typed/endpoint/http_get.py", "import cdp_typed.endpoint.sources", "cdp_typed.endpoint: sources"),
        ("supervisor/core/step.py", "import asyncio", "supervisor.core is pure"),
        ("supervisor/core/step.py", "import time", "supervisor.core is pure"),
        ("supervisor/core/step.py", "from cdp_typed import client", "supervisor.core is pure"),
        (
            "cdp_typed/mock/state/browser_state.py",
            "import cdp_typed.mock.flows.popups",
            "cdp_typed.mock: server, control",
        ),
        ("cdp_typed/mock/__init__.py", "import cdp_typed.wire.router", "the fake browser never imports the client"),
        ("cdp_typed/mock/__init__.py", "from cdp_typed import connect", "the fake browser never imports the client"),
        ("cdp_typed/wire/router.py", "import websockets", "only transports, the relay and"),
        ("supervisor/driver.py", "import codegen.model", "nothing imports codegen"),
        ("codegen/model.py", "import cdp_typed.errors", "codegen imports nothing"),
    ],
)
def test_an_arrow_that_points_up_is_caught(
    lint_imports: str, house: Path, module: str, line: str, contract: str
) -> None:
    plant(house, module, line)

    assert any(name.startswith(contract) for name in broken_contracts(lint_imports, house))


def test_a_module_in_no_layer_is_named_with_the_list_that_it_joins(house: Path) -> None:
    assert list(modules_in_no_layer(house)) == []
    plant(house, "supervisor/driver/new_thing.py", '"""New."""')

    (told,) = modules_in_no_layer(house)

    start, line = told.rsplit(" ", 1)
    assert start.startswith("supervisor/driver/new_thing.py is in no layer: add 'new_thing' to the list `layers` of ")
    assert start.endswith(
        "the contract 'supervisor.driver: host, driver, connection, recorder' in pyproject.toml, line"
    )
    assert (house / "pyproject.toml").read_text().splitlines()[int(line) - 1] == "layers = ["


def test_the_house_as_it_is_keeps_every_contract(lint_imports: str, house: Path) -> None:
    assert broken_contracts(lint_imports, house) == []


def import_circle(root: Path) -> list[str]:
    """One circle of modules that import each other, its first module repeated at the end; empty if there is none.

    Every import statement counts, also one in a function or under `TYPE_CHECKING`. The implicit import of the packages
    that a module lies in does not.
    """
    modules = {module_name(root, path): path for package in PACKAGES for path in (root / package).rglob("*.py")}
    graph = {name: set(imported_modules(name, path, modules)) - {name} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle[::-1]  # graphlib lists a module after what it imports
    return []


def module_name(root: Path, path: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(name: str, path: Path, modules: dict[str, Path]) -> Iterator[str]:
    """The modules among `modules` that the import statements of this one name."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in modules)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else []
                source = ".".join([*above, *([module] if module else [])])
                for alias in names:
                    submodule = f"{source}.{alias.name}"
                    if submodule in modules:
                        yield submodule
                    elif source in modules:
                        yield source
            case _:
                pass


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert import_circle(ROOT) == []


@pytest.mark.parametrize(
    ("module", "lines"),
    [
        ("cdp_typed/client/auto_attach.py", "from cdp_typed.client import session"),
        (
            "cdp_typed/client/auto_attach.py",
            "if TYPE_CHECKING:\n    from cdp_typed.client.session import Session",
        ),
        ("cdp_typed/client/auto_attach.py", "def late():\n    import cdp_typed.client.session"),
        ("cdp_typed/client/auto_attach.py", "from .session import Session"),
    ],
)
def test_a_circle_of_imports_is_caught(house: Path, module: str, lines: str) -> None:
    plant(house, module, lines)

    assert set(import_circle(house)) == {"cdp_typed.client.auto_attach", "cdp_typed.client.session"}


LOCKS = {"constraints.txt": None, "website/requirements.txt": "docs"}
"""Each lock with the extra that it is for; the first has all others, and what builds the package."""


def requirements_of_the_project(extra: str | None) -> set[NormalizedName]:
    """The packages that pyproject.toml asks for in an extra, or in all that have no lock of their own, and to build."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = pyproject["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    chosen = [extras[extra]] if extra else [extras[name] for name in extras if name not in LOCKS.values()]
    lists: list[list[str]] = [project["dependencies"], *chosen]
    if extra is None:
        lists.append(pyproject["build-system"]["requires"])
    names = {canonicalize_name(Requirement(text).name) for texts in lists for text in texts}
    return names - {canonicalize_name(project["name"])}


@pytest.mark.parametrize(("file", "extra"), LOCKS.items())
def test_a_lock_pins_every_requirement_with_hashes_and_names_no_place(file: str, extra: str | None) -> None:
    lock = (ROOT / file).read_text()
    blocks = re.findall(
        r"^([a-z0-9-]+)==\S+[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", lock, re.MULTILINE
    )
    comments = [line for line in lock.splitlines() if line.startswith("#")]

    assert requirements_of_the_project(extra) - {name for name, _ in blocks} == set()
    assert len(lock.splitlines()) == len(comments) + len(blocks) + sum(hashes.count("--hash") for _, hashes in blocks)
    assert len(comments) == 1
    assert "://" not in lock


@pytest.mark.parametrize(
    "folder", ["benchmarks/agents", "benchmarks/wire", "examples/foreign_clients", "tests/libraries"]
)
def test_the_locks_of_npm_have_hashes_and_name_no_registry(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}

    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []


def test_the_core_needs_two_packages_and_no_more() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert [Requirement(text).name for text in pyproject["project"]["dependencies"]] == ["msgspec", "websockets"]


def test_the_top_level_holds_only_what_a_reader_expects() -> None:
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    expected = {
        *PACKAGES, "tests", "docs", "website", "examples", "benchmarks", ".ci", ".git", ".github", ".gitignore",
        "pyproject.toml",
        "constraints.txt", "Makefile", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
        "SECURITY.md",
    }  # fmt: skip
    there = {path.name for path in ROOT.iterdir() if not any(fnmatch(path.name, pattern) for pattern in ignored)}

    assert there - expected == set()
