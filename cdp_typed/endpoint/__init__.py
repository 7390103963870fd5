"""Endpoints (a URL, a directory, a callable, a launched browser), and the websocket URL of each."""

from cdp_typed.endpoint.discovery import ListedTarget, Resolved, discover, fetch_protocol, fetch_targets, resolve

__all__ = ["ListedTarget", "Resolved", "discover", "fetch_protocol", "fetch_targets", "resolve"]
