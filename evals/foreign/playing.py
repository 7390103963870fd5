"""Runs the programs of foreign clients on a browser, and reads the steps that they print."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.processes import kill_group

__all__ = ["CLIENTS", "Installed", "Step", "play", "why_left_out"]

HERE: Final = Path(__file__).parent / "clients"
ROOT: Final = HERE.parents[2]
LIMIT_S: Final = 150
"""The longest time for all steps of one client."""


@dataclass(frozen=True)
class Installed:
    """Where the clients are: Python with some of them, Python with browser-use, packages of Node, chromedriver."""

    python: Path
    node: Path
    node_version: tuple[int, ...]
    browser_use: Path
    chromedriver: Path | None


@dataclass(frozen=True)
class Step:
    """What came of a step: a value, an error, or nothing within its deadline."""

    name: str
    value: Any = None
    error: str | None = None
    hangs: bool = False
    refusals: tuple[str, ...] = ()
    """What the mock refused meanwhile."""


CLIENTS: Final = (
    "Playwright",
    "puppeteer-core",
    "chrome-remote-interface",
    "pydoll",
    "zendriver",
    "chromedriver",
    "browser-use",
    "chrome-devtools-mcp",
    "@playwright/mcp",
)


MCP_SERVERS: Final = ("chrome-devtools-mcp", "@playwright/mcp")
NODE_OF_MCP_SERVERS: Final = (20, 19)
"""The oldest Node on which they start; that of Debian 12 is 18."""


def why_left_out(client: str, installed: Installed) -> str:
    """Return why the client cannot be played here; empty if it can."""
    if client in MCP_SERVERS and installed.node_version < NODE_OF_MCP_SERVERS:
        return "needs Node {}.{}".format(*NODE_OF_MCP_SERVERS)
    program = installed.chromedriver if client == "chromedriver" else Path(_command(client, installed)[0])
    return "" if program and (program.exists() or program == Path("node")) else "not installed"


def _command(client: str, installed: Installed) -> list[str]:
    """Return the command that plays the client's steps."""
    python, node = str(installed.python), str(installed.node)
    servers = [sys.executable, str(HERE / "mcp_steps.py")]
    commands: dict[str, tuple[list[str], list[str]]] = {
        "Playwright": ([python, str(HERE / "playwright_steps.py")], []),
        "puppeteer-core": (["node", f"{node}/puppeteer_steps.mjs"], []),
        "chrome-remote-interface": (["node", f"{node}/chrome_remote_interface_steps.mjs"], []),
        "pydoll": ([python, str(HERE / "pydoll_steps.py")], []),
        "zendriver": ([python, str(HERE / "zendriver_steps.py")], []),
        "chromedriver": ([python, str(HERE / "chromedriver_steps.py")], [str(installed.chromedriver)]),
        "browser-use": ([str(installed.browser_use), str(HERE / "browser_use_steps.py")], []),
        "chrome-devtools-mcp": (servers, ["chrome-devtools-mcp", f"{node}/node_modules"]),
        "@playwright/mcp": (servers, ["@playwright/mcp", f"{node}/node_modules"]),
    }
    program, rest = commands[client]
    return [*program, "{http}", "{origin}", *rest]


async def play(
    client: str, installed: Installed, http: str, origin: str, refusals: Sequence[str] = ()
) -> tuple[Mapping[str, Step], str]:
    """Play the client's steps on the browser at `http`; return them by name, and what it said of an end too soon."""
    given = [part.replace("{http}", http).replace("{origin}", origin) for part in _command(client, installed)]
    environment = {**os.environ, "no_proxy": "127.0.0.1,localhost", "PYTHONPATH": f"{HERE}:{ROOT}"}
    process = await asyncio.create_subprocess_exec(
        *given,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=2**24,
        env=environment,
        cwd=ROOT,
        start_new_session=True,
    )
    steps: dict[str, Step] = {}
    try:
        async with asyncio.timeout(LIMIT_S):
            failed = await _read(process, origin, refusals, steps)
    except TimeoutError:
        failed = f"no end within {LIMIT_S} s"
    finally:
        kill_group(process.pid)
    return steps, failed


async def _read(
    process: asyncio.subprocess.Process, origin: str, refusals: Sequence[str], steps: dict[str, Step]
) -> str:
    """Read the steps as they are played; return what the program complains of, if it fails."""
    assert process.stdout is not None
    assert process.stderr is not None
    complaints = asyncio.create_task(process.stderr.read())
    before, host = 0, origin.removeprefix("http://")
    async for line in process.stdout:
        text = line.decode(errors="replace").replace(origin, "origin:").replace(host, "host:")
        if text.startswith('{"step"'):
            said = json.loads(text)
            meanwhile, before = tuple(refusals[before:]), len(refusals)
            name = said["step"]
            steps[name] = Step(name, said.get("value"), said.get("error"), said.get("hangs", False), meanwhile)
    ended = await process.wait()
    return (await complaints).decode(errors="replace")[-2000:] if ended else ""
