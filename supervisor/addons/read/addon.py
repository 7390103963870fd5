"""Declares the toolset `browser-read`."""

TOOLS = ("supervisor.addons.read.capture", "supervisor.addons.read.read")
