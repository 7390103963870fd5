"""Declares the toolset `browser-emulation`."""

TOOLS = ("supervisor.addons.emulation.emulate",)
