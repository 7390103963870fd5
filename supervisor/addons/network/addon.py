"""Declares the toolset `browser-network`."""

TOOLS = ("supervisor.addons.network.request_log", "supervisor.addons.network.route")
