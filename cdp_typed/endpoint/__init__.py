"""Endpoints (a URL, a directory, a callable, a launched browser), and the websocket URL of each."""

from cdp_typed.endpoint.discovery import ListedTarget, Resolved, discover, fetch_protocol, fetch_targets, resolve
from cdp_typed.endpoint.running import RunningBrowser, find_running

__all__ = [
    "ListedTarget",
    "Resolved",
    "RunningBrowser",
    "discover",
    "fetch_protocol",
    "fetch_targets",
    "find_running",
    "resolve",
]
