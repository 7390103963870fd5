"""The cases that are played: the input of another server's tools, our calls, and what the page has afterwards."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import msgspec

FOLDER = Path(__file__).parent / "cases"

Theirs: TypeAlias = tuple[str, str, dict[str, Any]]
"""Another server (see `SHORT`), its tool, and the arguments."""


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Calls of other servers, and what does the same here: our calls, or a test with them."""

    name: str
    theirs: list[Theirs]
    test: str = ""
    """A test that plays it: `path::name` below `tests`. Else `ours` is played."""
    page: str = ""
    """The HTML of the page."""
    others: Mapping[str, str | dict[str, Any]] = {}
    """Further paths of its server -> HTML, or `body`, `status` and `headers`."""
    files: Mapping[str, str] = {}
    """Files in the folder `{tmp}`."""
    ours: list[list[Any]] = []
    """Our calls: a tool, its arguments, what its result has, and values of the result that later calls use."""
    then: Mapping[str, Any] = {}
    """An expression in the page -> its value after the calls."""
    server: Mapping[str, int] = {}
    """A path -> how often the calls made the page's server answer it."""

    def __post_init__(self) -> None:
        if bool(self.test) == bool(self.ours):
            raise ValueError(f"{self.name}: a case has either `test` or `ours`")


def cases() -> list[Case]:
    """All cases."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.toml")))
    return [msgspec.convert(each, Case) for text in texts for each in tomllib.loads(text)["case"]]


def values_in(argument: object) -> set[str]:
    """Every text in the value of an argument."""
    if isinstance(argument, str):
        return {argument, *argument.split(",")}
    match argument:
        case dict():
            nested = list(cast("dict[str, object]", argument).values())
        case list():
            nested = cast("list[object]", argument)
        case _:
            nested = []
    return {text for each in nested for text in values_in(each)}
