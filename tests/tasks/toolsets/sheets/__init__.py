"""The tasks for the toolsets, a module for each kind of tool."""

from tests.tasks.toolsets.sheets import cookies, reading, requests, routes, storage, verifying

__all__ = ["cookies", "reading", "requests", "routes", "storage", "verifying"]
