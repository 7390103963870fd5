"""The tasks for the toolsets, a module for each kind of tool."""

from tests.tasks.toolsets.sheets import (
    cookies,
    emulation,
    extras,
    files,
    memory,
    performance,
    reading,
    recording,
    requests,
    routes,
    storage,
    verifying,
)

__all__ = [
    "cookies",
    "emulation",
    "extras",
    "files",
    "memory",
    "performance",
    "reading",
    "recording",
    "requests",
    "routes",
    "storage",
    "verifying",
]
