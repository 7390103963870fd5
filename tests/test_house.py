"""The rules of the house are held by checks that can fail."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_agent", "cdp_typed", "supervisor", "codegen")


def import_circle(root: Path) -> list[str]:
    """One circle of modules that import each other, its first module repeated at the end; empty if there is none.

    Every import statement counts, also one in a function or under `TYPE_CHECKING`. The implicit import of the packages
    that a module lies in does not.
    """
    paths = [path for package in PACKAGES for path in (root / f"{package}.py", *(root / package).rglob("*.py"))]
    modules = {module_name(root, path): path for path in paths if path.exists()}
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


LOCKS = {
    "all": ("idna", "mcp", "ray", "yaml"),
    "test": ("idna", "mcp", "yaml"),
    "demo": (),
    "docs": (),
}
"""Each lock with the extras of the package that it has. It also has the dependency group of its name, if any."""


def requirements_of(lock: str) -> set[NormalizedName]:
    """The packages that pyproject.toml asks for in the extras and the group of a lock."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = pyproject["project"], pyproject["dependency-groups"]
    lists: list[list[str]] = [
        project["dependencies"],
        *(project["optional-dependencies"][name] for name in LOCKS[lock]),
    ]
    lists.append([entry for entry in groups.get(lock, []) if isinstance(entry, str)])
    if lock == "test":
        lists.append(pyproject["build-system"]["requires"])
    return {canonicalize_name(Requirement(text).name) for texts in lists for text in texts}


def pins_of(lock: str) -> list[tuple[str, str]]:
    """Each package with its pinned version and hashes. One may have several versions, for several Pythons."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    entry = r"^([a-z0-9-]+)(?:\[[a-z,-]+\])?==(\S+[^\n]*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    return re.findall(entry, text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_every_requirement_with_hashes_and_names_no_place(lock: str) -> None:
    text, pins = (ROOT / "locks" / f"{lock}.txt").read_text(), pins_of(lock)
    comments = [line for line in text.splitlines() if line.startswith("#")]

    assert requirements_of(lock) - {name for name, _ in pins} == set()
    assert len(text.splitlines()) == len(comments) + sum(1 + entry.count("--hash") for _, entry in pins)
    assert len(comments) == 1
    assert "://" not in text


def test_locks_of_one_environment_agree() -> None:
    versions = {lock: {(name, entry.split()[0]) for name, entry in pins_of(lock)} for lock in LOCKS}

    assert versions["demo"] < versions["test"] < versions["all"]


@pytest.mark.parametrize("folder", ["evals/agents", "benchmarks/wire", "examples/foreign_clients", "evals/libraries"])
def test_the_locks_of_npm_have_hashes_and_name_no_registry(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}

    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []


def test_the_top_level_holds_only_what_a_reader_expects() -> None:
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    expected = {
        *PACKAGES, "tests", "evals", "docs", "website", "examples", "benchmarks", ".ci", ".git", ".github",
        ".gitignore", "deploy", "pyproject.toml",
        "locks", "Makefile", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
        "SECURITY.md",
    }  # fmt: skip
    there = {path.name for path in ROOT.iterdir() if not any(fnmatch(path.name, pattern) for pattern in ignored)}

    assert there - expected == set()
