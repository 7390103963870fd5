"""The rules of the house are held by checks that can fail."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_typed", "supervisor", "codegen")


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


LOCKS = {
    "all": ("cli", "idna", "mcp", "ray", "yaml"),
    "test": ("cli", "idna", "mcp", "yaml"),
    "demo": ("cli",),
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
        "deploy", "pyproject.toml", "cdp_agent.py",
        "locks", "Makefile", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
        "SECURITY.md",
    }  # fmt: skip
    there = {path.name for path in ROOT.iterdir() if not any(fnmatch(path.name, pattern) for pattern in ignored)}

    assert there - expected == set()


WRITTEN = (*PACKAGES, "website", "examples", "benchmarks")
"""The folders whose texts a person or a model reads."""
GENERATED = ROOT / "cdp_typed" / "protocol"
"""The protocol's own descriptions, whose words are Chromium's."""

HABITS = re.compile(
    r"\b(?:is|are|was|were|be) told\b|\bof (?:its|their|our|your) own\b|\bof (?:ours|yours)\b|\bas it is\b"
    r"|\bsuch as there are\b|\bgoes? (?:together )?with\b|\bstands?\b",
    re.IGNORECASE,
)
"""Phrases that have to be read twice, and that keep coming back."""


def habits_in(text: str) -> list[str]:
    """The phrases of the prose; code and tables, which are short of room, may have them."""
    blocks = re.sub(r"^```.*?^```|^\|.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return [found[0] for found in HABITS.finditer(" ".join(re.sub(r"`[^`]*`", "", blocks).split()))]


def texts_of(source: str) -> Iterator[str]:
    """Docstrings, errors, descriptions and other strings of a module; its comments as one text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield " ".join(token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT)


def whats_in(source: str) -> list[str]:
    """The docstrings of a module, also those of fields, that begin with "What" instead of the name of a thing."""
    statements = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr))
    texts = (node.value.value for node in statements if isinstance(node.value, ast.Constant))
    return [text for text in texts if isinstance(text, str) and text.lstrip().startswith("What ")]


def unreleased(changelog: str) -> str:
    """The first section of the changelog, which the next release publishes; older ones stay unchanged."""
    return re.split(r"^## ", changelog, flags=re.MULTILINE)[1]


def test_the_guides_have_none_of_the_habits_that_make_english_hard_to_read() -> None:
    texts = {path.name: path.read_text("utf-8") for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))}
    texts["CHANGELOG.md"] = unreleased(texts["CHANGELOG.md"])

    assert {name: habits for name, text in texts.items() if (habits := habits_in(text))} == {}


def test_only_the_first_section_of_the_changelog_can_still_change() -> None:
    assert unreleased("# Changes\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n") == "Unreleased\n\n- new\n\n"


@pytest.mark.parametrize("package", WRITTEN)
def test_docstrings_comments_errors_and_descriptions_have_none_of_them(package: str) -> None:
    modules = [path for path in (ROOT / package).rglob("*.py") if not path.is_relative_to(GENERATED)]
    found = {
        str(path.relative_to(ROOT)): habits
        for path in modules
        if (habits := [habit for text in texts_of(path.read_text("utf-8")) for habit in habits_in(text)])
    }
    whats = {str(path.relative_to(ROOT)): texts for path in modules if (texts := whats_in(path.read_text("utf-8")))}

    assert modules
    assert found == {}
    assert whats == {}


def test_a_docstring_that_begins_with_what_is_found_in_modules_classes_and_fields() -> None:
    source = (
        '"""What is here."""\nclass A:\n    """A. What it is."""\n    b: int\n    """What b is."""\nc = "What else"\n'
    )

    assert whats_in(source) == ["What is here.", "What b is."]


def test_the_glossary_explains_in_order_the_terms_that_the_other_guides_use() -> None:
    glossary = ROOT / "docs" / "glossary.md"
    terms = re.findall(r"^\| (?!term )([^|]+) \|", glossary.read_text("utf-8"), flags=re.MULTILINE)
    guides = " ".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md") if path != glossary)

    assert terms
    assert terms == sorted(terms, key=str.casefold)
    assert [term for term in terms if not re.search(rf"\b{term}s?\b", " ".join(guides.split()), re.IGNORECASE)] == []


def test_habits_are_found_in_prose_only() -> None:
    assert habits_in("It stands\nin a file of its own, and that is told.") == ["stands", "of its own", "is told"]
    assert habits_in("| it is told |\n```\nof its own\n```\nA `goes with` b.") == []


def test_every_kind_of_text_of_a_module_is_read() -> None:
    source = '"""Of its\n    own."""\n# It is\n# told.\nraise TypeError(f"{1} goes "\n                f"with {2}")\n'

    assert {habit for text in texts_of(source) for habit in habits_in(text)} == {"Of its own", "goes with", "is told"}
