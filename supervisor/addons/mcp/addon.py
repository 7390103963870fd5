"""Declares the MCP server."""

from supervisor.cli.commands import LocalCommand

COMMANDS = (LocalCommand("mcp", "the tools as an MCP server", "supervisor.addons.mcp.mcp_command"),)
