"""The toolset `browser-emulation`: a device and its surroundings for pages; importing this registers its tool."""

from . import emulate

__all__ = ["emulate"]
