"""The tools and options of the other servers, as the installed versions list them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from evals.agents.mcp_servers import peers
from evals.agents.stdio_client import StdioClient

PEERS = Path(__file__).parent / "peers.json"
_DEVTOOLS_OPTIONS = (
    "--headless", "--isolated", "--no-usage-statistics", "--no-performance-crux", "--categoryExtensions",
    "--categoryPwa", "--categoryExperimentalThirdParty", "--categoryExperimentalWebmcp", "--experimentalVision",
    "--experimentalDevtools", "--memoryDebugging",
)  # fmt: skip
_CAPABILITIES = "config,devtools,network,pdf,storage,testing,vision"
_COMMANDS = {
    "Playwright MCP": ("@playwright/mcp", "cli.js", "--headless", "--caps", _CAPABILITIES),
    "chrome-devtools-mcp": ("chrome-devtools-mcp", "build/src/bin/chrome-devtools-mcp.js", *_DEVTOOLS_OPTIONS),
    "agent-browser": ("agent-browser", "bin/agent-browser.js", "mcp", "--tools", "all"),
}


class OtherServer(msgspec.Struct, frozen=True):
    """A server with its tools."""

    version: str
    common: list[str]
    """The options that all of its tools have."""
    tools: dict[str, list[str]]
    """Name -> options."""


def installed(folder: Path) -> dict[str, OtherServer]:
    """Start each server in `folder` with all of its groups, and read its tools."""
    found: dict[str, OtherServer] = {}
    for name, (package, script, *options) in _COMMANDS.items():
        home = peers() / package
        version = json.loads((home / "package.json").read_text())["version"]
        quiet = {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
        with StdioClient(["node", str(home / script), *options], folder, quiet) as client:
            tools: dict[str, set[str]] = {
                each: set(tool["inputSchema"].get("properties", {})) for each, tool in client.tools().items()
            }
        common = set[str].intersection(*tools.values())
        found[name] = OtherServer(
            version, sorted(common), {each: sorted(tools[each] - common) for each in sorted(tools)}
        )
    return found


def listed() -> dict[str, OtherServer]:
    """The tools of the pinned versions, as they were read."""
    return msgspec.json.decode(PEERS.read_bytes(), type=dict[str, OtherServer])


def write(found: dict[str, OtherServer]) -> None:
    """Keep the lists that were read."""
    PEERS.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
