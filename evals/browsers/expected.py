"""The scenarios that must fail on some browsers, with the reasons: limits of those browsers, not of ours."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from evals.browsers.catalogue import BROWSERS

__all__ = ["RED", "Red", "red_for"]


@dataclass(frozen=True)
class Red:
    """Tests that are red on some browsers."""

    reason: str
    browsers: tuple[str, ...]
    tests: tuple[str, ...]
    """`file::test`, as pytest names them, in folders of any depth; `*` and the like stand for parts."""
    run: bool = True
    """True if they are tried all the same; False where they could only wait for a timeout."""


def _read() -> tuple[Red, ...]:
    entries = tomllib.loads(Path(__file__).with_name("expected.toml").read_text())["red"]
    red = tuple(
        Red(entry["reason"], tuple(entry["browsers"]), tuple(entry["tests"]), entry.get("run", True))
        for entry in entries
    )
    unknown = {name for entry in red for name in entry.browsers} - BROWSERS.keys()
    assert not unknown, f"expected.toml names browsers that there are not: {unknown}"
    return red


RED = _read()


def red_for(node_id: str, browser: str) -> Red | None:
    """Return the entry for a test that must fail on a browser, or None."""
    path, _, test_name = node_id.partition("::")
    name = f"{path.rpartition('/')[2]}::{test_name}"
    for red in RED:
        if browser in red.browsers and any(
            fnmatch(name.replace("[", "("), test.replace("[", "(")) for test in red.tests
        ):
            return red
    return None
