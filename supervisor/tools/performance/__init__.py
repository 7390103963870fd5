"""The toolset `browser-performance`: measurements of a page; importing this registers its tools."""

from . import trace, vitals

__all__ = ["trace", "vitals"]
