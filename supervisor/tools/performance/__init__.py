"""The toolset `browser-performance`: measurements of a page; importing this registers its tools."""

from . import heap, profile, trace, vitals

__all__ = ["heap", "profile", "trace", "vitals"]
