"""Declares the toolset `browser-performance`."""

TOOLS = (
    "supervisor.addons.performance.heap",
    "supervisor.addons.performance.profile",
    "supervisor.addons.performance.trace",
    "supervisor.addons.performance.vitals",
)
