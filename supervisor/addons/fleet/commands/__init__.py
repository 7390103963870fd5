"""The commands of a fleet, and its MCP server."""
