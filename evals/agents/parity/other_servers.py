"""The tools and options of the other servers, as the installed versions list them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from cdp_typed.wire.json_text import is_array, is_object
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

Options: TypeAlias = dict[str, list[str]]
"""Name -> the values that its schema lists; none if it takes any."""


class OtherServer(msgspec.Struct, frozen=True):
    """A server with its tools."""

    version: str
    common: Options
    """The options that all of its tools have."""
    tools: dict[str, Options]

    def options(self, tool: str) -> Options:
        """All options of a tool."""
        return {**self.common, **self.tools[tool]}


def installed(folder: Path) -> dict[str, OtherServer]:
    """Start each server in `folder` with all of its groups, and read its tools."""
    found: dict[str, OtherServer] = {}
    for name, (package, script, *options) in _COMMANDS.items():
        home = peers() / package
        version = json.loads((home / "package.json").read_text())["version"]
        quiet = {"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
        with StdioClient(["node", str(home / script), *options], folder, quiet) as client:
            tools = {each: _options(tool["inputSchema"]) for each, tool in client.tools().items()}
        shared = set[str].intersection(*map(set, tools.values()))
        common = {each: choices for each, choices in next(iter(tools.values())).items() if each in shared}
        own = {tool: {each: its[each] for each in sorted(its.keys() - shared)} for tool, its in sorted(tools.items())}
        found[name] = OtherServer(version, dict(sorted(common.items())), own)
    return found


def _options(schema: Mapping[str, Any]) -> Options:
    return {name: list(dict.fromkeys(_choices(each))) for name, each in schema.get("properties", {}).items()}


def _choices(schema: object) -> Iterator[str]:
    if is_object(schema):
        listed = schema.get("enum")
        yield from (each for each in listed if isinstance(each, str)) if is_array(listed) else ()
        for each in schema.values():
            yield from _choices(each)
    elif is_array(schema):
        for each in schema:
            yield from _choices(each)


def listed() -> dict[str, OtherServer]:
    """The tools of the pinned versions, as they were read."""
    return msgspec.json.decode(PEERS.read_bytes(), type=dict[str, OtherServer])


def write(found: dict[str, OtherServer]) -> None:
    """Keep the lists that were read."""
    PEERS.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
