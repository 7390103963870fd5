"""Which scenarios fail on which browsers, and why: limits of those browsers, not of ours."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.browsers.catalogue import BROWSERS

__all__ = ["RED", "Red", "reason_of"]


@dataclass(frozen=True)
class Red:
    """Tests that are red on some browsers."""

    reason: str
    browsers: tuple[str, ...]
    tests: tuple[str, ...]
    """`file::test`, as pytest names them, in folders of any depth; `*` and the like stand for parts."""


def _read() -> tuple[Red, ...]:
    entries = tomllib.loads(Path(__file__).with_name("expected.toml").read_text())["red"]
    red = tuple(Red(entry["reason"], tuple(entry["browsers"]), tuple(entry["tests"])) for entry in entries)
    unknown = {name for entry in red for name in entry.browsers} - BROWSERS.keys()
    assert not unknown, f"expected.toml names browsers that there are not: {unknown}"
    return red


RED = _read()


def reason_of(node_id: str, browser: str) -> str | None:
    """Why a test is expected to fail on a browser; nothing, if it is not."""
    name = node_id.rpartition("/")[2]
    for red in RED:
        if browser in red.browsers and any(
            fnmatch(name.replace("[", "("), test.replace("[", "(")) for test in red.tests
        ):
            return red.reason
    return None
