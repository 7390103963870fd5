"""The toolset `browser-storage`: cookies and storage of pages; importing this registers its tools."""

from . import cookies

__all__ = ["cookies"]
