"""Declares the toolset `browser-recording`."""

TOOLS = ("supervisor.addons.recording.recording",)
