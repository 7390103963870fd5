"""The programs that play: other clients, and our own."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Group", "Program", "own_programs", "programs"]

CLIENTS = Path(__file__).parent / "clients"

Group = Literal["new", "shared"]
"""`new`: each scenario has a page that its client opens; `shared`: all use the page that existed before the client."""

# `@scenario` or `@SCENARIOS.add` before a function, `scenario("name"` in JavaScript; and those for new pages only
_IN_PYTHON = re.compile(
    r"^@(?:scenario|SCENARIOS\.add|(new_pages_only|SCENARIOS\.add_for_new_pages))\nasync def (\w+)", re.M
)
_IN_JAVASCRIPT = re.compile(r'^(?:scenario|(newPageScenario))\("([^"]+)"', re.M)


@dataclass(frozen=True)
class Program:
    """A client's program, in `clients/with_NAME`, and how it is started."""

    name: str
    command: tuple[str, ...]
    working_directory: Path | None = None

    def scenarios(self, group: Group) -> tuple[str, ...]:
        """The names of what it plays, as its source says."""
        names: list[str] = []
        for file in sorted((CLIENTS / f"with_{self.name}").iterdir()):
            pattern = _IN_JAVASCRIPT if file.suffix == ".mjs" else _IN_PYTHON
            for new_only, name in pattern.findall(file.read_text() if file.is_file() else ""):
                if group == "new" or not new_only:
                    names.append(name.replace("_", " "))
        return tuple(names)


def own_programs() -> tuple[Program, ...]:
    """A second supervisor, and our client with nothing but CDP."""
    package = f"{__package__}.clients"
    return tuple(Program(name, (sys.executable, "-m", f"{package}.with_{name}")) for name in ("raw_cdp", "supervisor"))


def programs() -> tuple[Program, ...]:
    """With Playwright and Puppeteer, where they are installed."""
    if "CDP_TYPED_FOREIGN" not in os.environ:
        return own_programs()
    environment = Path(os.environ["CDP_TYPED_FOREIGN"])
    playwright = (str(environment / "bin" / "python"), str(CLIENTS / "with_playwright"))
    puppeteer = ("node", str(CLIENTS / "with_puppeteer" / "main.mjs"))
    foreign = Program("playwright", playwright), Program("puppeteer", puppeteer, environment / "node")
    return (*own_programs(), *foreign)
