"""The toolset `browser-verify`: one tool that checks a page; importing this registers it."""

from . import verify

__all__ = ["verify"]
