"""The toolset `browser-network`: requests of pages, and routes for them; importing this registers its tools."""

from . import request_log, route

__all__ = ["request_log", "route"]
