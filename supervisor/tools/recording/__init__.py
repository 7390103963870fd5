"""The toolset `browser-recording`: a run as code and as pictures; importing this registers it."""

from . import recording

__all__ = ["recording"]
