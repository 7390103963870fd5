"""The servers with all their groups of tools."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from evals.agents.mcp_servers import Start, devtools, ours, playwright
from evals.agents.toolsets.devtools_toolset_hands import DevToolsToolsetHands
from evals.agents.toolsets.playwright_toolset_hands import SECRETS, PlaywrightToolsetHands
from evals.tasks.toolsets.our_hands import PAGE_TOOLS, OurToolsetHands

__all__ = ["TOOLSET_SERVERS"]

_OURS = ["--toolsets", "all"]
_PLAYWRIGHT = ["config", "devtools", "network", "pdf", "storage", "testing", "vision"]
_DEVTOOLS = [
    "--categoryExtensions", "--categoryExperimentalThirdParty", "--categoryExperimentalWebmcp", "--memoryDebugging",
    f"--chromeArg={PAGE_TOOLS}",
]  # fmt: skip

TOOLSET_SERVERS: Mapping[str, Start] = {
    OurToolsetHands.name: partial(ours, make=OurToolsetHands, options=_OURS),
    PlaywrightToolsetHands.name: partial(playwright, make=PlaywrightToolsetHands, groups=_PLAYWRIGHT, secrets=SECRETS),
    DevToolsToolsetHands.name: partial(devtools, make=DevToolsToolsetHands, options=_DEVTOOLS),
}
