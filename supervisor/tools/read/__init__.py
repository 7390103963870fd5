"""The toolset `browser-read`: a page as Markdown, or as a file; importing this registers its tools."""

from . import capture, read

__all__ = ["capture", "read"]
