"""The servers that are compared, each with its own browser whose port the judges ask."""

from __future__ import annotations

import json
import os
import socket
import sys
import urllib.request
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cdp_typed.launch import find_browser
from evals.agents.devtools_hands import DevToolsHands
from evals.agents.playwright_hands import PlaywrightHands
from evals.agents.stdio_client import StdioClient
from evals.tasks.hands import Hands
from evals.tasks.our_hands import Call, OurHands
from evals.tasks.toolsets.our_hands import PAGE_TOOLS, variables
from tests.support.browsers import launched


@dataclass(frozen=True)
class Running:
    """A server, and the address of its browser."""

    hands: Hands
    browser_url: str
    definitions: int
    """The characters of its tools' definitions."""


FOR_NODE_20 = """Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((...both) => { [resolve, reject] = both });
  return {promise, resolve, reject};
}
Set.prototype.intersection ??= function (other) { return new Set([...this].filter(each => other.has(each))) };
"""
"""chrome-devtools-mcp 1.11.0 adds the first function to its main thread, and not to the one that reads heap snapshots.
Its tool for styles calls the second one, which Node has since version 22."""

NO_UPDATE_CHECKS = {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
Start = Callable[[Path], AbstractContextManager[Running]]
"""`start(folder)` -> a server that may read and write there."""


def peers() -> Path:
    """The folder of the packages of the other servers."""
    return Path(os.environ.get("CDP_TYPED_AGENTS", ".venv/agents")).absolute() / "node_modules"


def our_command(browser_url: str, *options: str) -> list[str]:
    """What starts our server."""
    return [sys.executable, "-m", "supervisor", "mcp", "--cdp-url", browser_url, *options]


def playwright_command(*options: str) -> list[str]:
    """What starts Playwright MCP."""
    return ["node", f"{peers()}/@playwright/mcp/cli.js", *options]


def devtools_command(*options: str) -> list[str]:
    """What starts chrome-devtools-mcp without its reports to its makers, in the environment `NO_UPDATE_CHECKS`."""
    program = f"{peers()}/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"
    return ["node", program, "--no-usage-statistics", "--no-performance-crux", *options]


@contextmanager
def ours(
    folder: Path, make: Callable[[Call, frozenset[str]], Hands] = OurHands, options: Sequence[str] = ()
) -> Generator[Running]:
    """Ours, on a browser that is started as `mcp --launch` starts it."""
    with (
        launched(args=[PAGE_TOOLS] if options else []) as browser,
        StdioClient(our_command(browser.ws_url, *options), Path.cwd(), variables(folder)) as client,
    ):
        tools = client.tools()
        yield Running(make(client.call, frozenset(tools)), browser.ws_url, _size(tools))


@contextmanager
def playwright(
    folder: Path,
    make: Callable[[StdioClient], Hands] = PlaywrightHands,
    groups: Sequence[str] = (),
    secrets: Mapping[str, str] = {},
) -> Generator[Running]:
    """Playwright MCP, with a fresh profile, further groups of tools and secrets, and all else as it comes."""
    port = free_port()
    options = {"headless": True, "executablePath": str(find_browser()), "chromiumSandbox": os.getuid() != 0}
    args = [f"--remote-debugging-port={port}", *([PAGE_TOOLS] if groups else [])]
    settings = {"isolated": True, "launchOptions": {**options, "args": args}}
    config = folder / "playwright.json"
    further = {"capabilities": groups, "secrets": secrets} if groups else {}
    config.write_text(json.dumps({"browser": settings, **further}))
    with StdioClient(playwright_command("--config", str(config)), folder) as client:
        hands = make(client)
        hands.navigate("about:blank")  # its browser starts with the first call
        yield Running(hands, browser_url(port), _size(client.tools()))


@contextmanager
def devtools(
    folder: Path, make: Callable[[StdioClient], Hands] = DevToolsHands, options: Sequence[str] = ()
) -> Generator[Running]:
    """chrome-devtools-mcp, with a fresh profile, without its reports to its makers, and all else as it comes."""
    port = free_port()
    command = devtools_command(
        "--headless", "--isolated", "--executablePath", str(find_browser()),
        f"--chromeArg=--remote-debugging-port={port}", *(["--chromeArg=--no-sandbox"] if os.getuid() == 0 else []),
        "--filesystemRoot", str(folder), *options,
    )  # fmt: skip
    added = folder / "for_node_20.mjs"
    added.write_text(FOR_NODE_20)
    settings = {**NO_UPDATE_CHECKS, "NODE_OPTIONS": f"--import={added.absolute()}"}
    with StdioClient(command, folder, settings) as client:
        client.call("list_pages", {})  # its browser starts with the first call
        yield Running(make(client), browser_url(port), _size(client.tools()))


SERVERS: dict[str, Start] = {
    OurHands.name: ours,
    PlaywrightHands.name: playwright,
    DevToolsHands.name: devtools,
}


def free_port() -> int:
    """A TCP port of the loopback interface that nobody uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def browser_url(port: int) -> str:
    """The address of the browser that listens on a port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version") as answer:
        return str(json.load(answer)["webSocketDebuggerUrl"])


def _size(tools: object) -> int:
    return len(json.dumps(tools))
