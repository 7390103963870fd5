"""Declares the toolset `browser-storage`."""

TOOLS = (
    "supervisor.addons.storage.cookies",
    "supervisor.addons.storage.frame_storage",
    "supervisor.addons.storage.login",
    "supervisor.addons.storage.state",
)
