"""Declares the MCP server."""

from supervisor.declarations import LocalCommand

COMMANDS = (LocalCommand("mcp", "the tools as an MCP server", "supervisor.addons.mcp.mcp_command"),)
OFFERS = {"mcp": "supervisor.addons.mcp"}
