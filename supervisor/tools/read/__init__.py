"""The toolset `browser-read`: a page as a reader sees it; importing this registers its tools."""

from . import read

__all__ = ["read"]
