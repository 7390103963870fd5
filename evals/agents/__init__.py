"""Tasks of an agent, played through this MCP server and through others."""
