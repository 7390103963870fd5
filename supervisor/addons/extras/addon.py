"""Declares the toolset `browser-extras`."""

TOOLS = ("supervisor.addons.extras.element_details", "supervisor.addons.extras.page_actions")
