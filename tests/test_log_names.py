"""Names of loggers are written out: they stay when a module moves, and settings of users name them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

LOGGERS = {
    "cdp_typed",
    "supervisor",
    "supervisor.addons",
    "supervisor.driver",
    "supervisor.linklog",
    "supervisor.listeners",
    "supervisor.recorder",
    "supervisor.tools.guard",
    "supervisor.tools.policy",
    "supervisor.tools.toolbox",
}

OF_ADDONS = {"fleet": "supervisor.fleet", "live": "supervisor.live", "mcp": "supervisor.mcp_server.agent"}


def test_the_loggers_are_these() -> None:
    sources = [path.read_text() for package in ("cdp_typed", "supervisor") for path in (ROOT / package).rglob("*.py")]
    arguments = {argument for source in sources for argument in re.findall(r"getLogger\(([^)]*)\)", source)}

    here = {name for addon, name in OF_ADDONS.items() if (ROOT / "supervisor" / "addons" / addon).is_dir()}
    assert arguments == {f'"{name}"' for name in LOGGERS | here}
