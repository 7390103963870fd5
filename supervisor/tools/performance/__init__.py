"""The toolset `browser-performance`: measurements of a page; importing this registers its tools."""

from . import vitals

__all__ = ["vitals"]
