"""The toolset `browser-storage`: cookies and storage of pages; importing this registers its tools."""

from . import cookies, frame_storage, login, state

__all__ = ["cookies", "frame_storage", "login", "state"]
