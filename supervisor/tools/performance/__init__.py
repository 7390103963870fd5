"""The toolset `browser-performance`: measurements of a page; importing this registers its tools."""

from . import profile, trace, vitals

__all__ = ["profile", "trace", "vitals"]
