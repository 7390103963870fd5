"""The tasks for the toolsets, a module for each kind of tool."""

from evals.tasks.toolsets.sheets import (
    cookies,
    emulation,
    extras,
    files,
    logins,
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
    "logins",
    "memory",
    "performance",
    "reading",
    "recording",
    "requests",
    "routes",
    "storage",
    "verifying",
]
