"""Declares the toolset `browser-verify`."""

TOOLS = ("supervisor.addons.verify.verify",)
