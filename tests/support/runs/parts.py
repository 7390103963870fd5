"""Which tests `make test` plays, and which are left to `make all`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
PARTS: Final = ("test", "rest")
"""`test` is what `make test` plays; `rest` is all that `make all` plays besides."""

PACKAGING: Final = (
    "tests/cdp_typed/first_contact",
    "tests/codegen/test_completeness.py",
    "tests/supervisor/addons/fleet/deploy",
    "evals/foreign/migration",
    "tests/mutations",
    "tests/release",
    "tests/roll",
    "tests/test_addons.py",
    "tests/test_examples.py",
    "tests/test_house_arrows.py",
    "tests/test_public_imports.py",
    "tests/test_wheel.py",
    "tests/test_workers.py",
    "tests/typing",
    "tests/website",
)
"""Tests of the package, the documentation and the tools of this repository, which the marker `packaging` names."""

_ELSEWHERE: Final = (
    "evals/beside",
    "tests/honesty/test_chromium.py",
    "evals/libraries",
    "evals/tasks",
)
"""Folders that need more packages, or whose tests all take long. Folders named `on_ray` need Ray."""


def is_left_out(path: Path) -> bool:
    """Return whether `make test` plays nothing in this folder or file, so that it need not be imported."""
    name = path.relative_to(ROOT).as_posix()
    return name in (*PACKAGING, *_ELSEWHERE) or path.name == "on_ray"


def choose(part: str, items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Split what was collected into the tests of a part and the others. Every test is in exactly one part."""
    chosen: tuple[list[pytest.Item], list[pytest.Item]] = ([], [])
    for item in items:
        chosen[_is_in_test(item) == (part != "test")].append(item)
    return chosen


def mark_packaging(items: Iterable[pytest.Item]) -> None:
    """Give the marker `packaging` to the tests in these folders and files."""
    for item in items:
        if item.nodeid.startswith(PACKAGING):
            item.add_marker("packaging")


def _is_in_test(item: pytest.Item) -> bool:
    if _is_below_left_out(item.path):
        return False
    if item.get_closest_marker("thorough") is not None:
        return _is_named(item, promises())
    # An invariant whose test is also played on the mock needs no browser.
    needed = promises() if "[chromium" in item.nodeid else promises() | invariants()
    return item.get_closest_marker("chromium") is None or _is_named(item, needed)


@cache
def _is_below_left_out(path: Path) -> bool:
    return any(is_left_out(folder) for folder in (path, *path.parents) if folder.is_relative_to(ROOT))


def _is_named(item: pytest.Item, names: frozenset[str]) -> bool:
    name = item.nodeid.partition("[")[0]
    return not names.isdisjoint({item.nodeid, name, name.partition("::")[0]})


@cache
def promises() -> frozenset[str]:
    """The tests and files that `tests/promises.toml` names for its promises."""
    return frozenset(name for title, names in _named_tests() if title != "invariants" for name in names)


@cache
def invariants() -> frozenset[str]:
    """The tests that it names for the invariants."""
    return frozenset(name for title, names in _named_tests() if title == "invariants" for name in names)


def _named_tests() -> list[tuple[str, list[str]]]:
    groups = tomllib.loads((ROOT / "tests" / "promises.toml").read_text("utf-8"))
    return [(title, names) for title, group in groups.items() for names in group.values()]
