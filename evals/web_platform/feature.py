"""The description of one page of the suite."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.support.servers.sites import Page, Response

__all__ = ["Feature", "File", "Held", "javascript", "page"]


@dataclass(frozen=True)
class Held:
    """A response whose further pieces are sent one by one, each when the page asks for `more`."""

    pieces: tuple[str, ...]
    content_type: str = "text/plain"


File = Page | Held


@dataclass(frozen=True)
class Feature:
    """One feature of the web platform, and the page that uses it. The pages use the functions of `harness.js`."""

    name: str
    script: str
    """The body of an async function. It returns nothing when all is well, or throws what it saw."""
    html: str = ""
    """The page, above the script."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of the response with the page."""
    files: Mapping[str, File] = field(default_factory=dict[str, File])
    """Further files of the page's folder, by name; the page itself is the folder's index."""

    @property
    def label(self) -> str:
        """The name as a part of a host's name."""
        return self.name.replace("_", "-")

    @property
    def can_vary(self) -> bool:
        """True if it may report something else than `ok` when all is well: a value, or that the browser lacks it."""
        return "tell(" in self.script or "need(" in self.script


def page(script: str = "", html: str = "", *, title: str = "") -> str:
    """A document with the functions of `harness.js`, for frames and popups. The script is the body of an async one."""
    head = f'<!doctype html><meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">'
    return f'{head}{html}<body><script src="/harness.js"></script><script>(async () => {{{script}}})()</script>'


def javascript(script: str, **headers: str) -> Response:
    """A script with headers of its own; `_` in a header's name stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(textwrap.dedent(script), headers={"Content-Type": "text/javascript", **named})
