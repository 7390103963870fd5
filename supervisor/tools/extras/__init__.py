"""The toolset `browser-extras`: what a developer does with a page now and then; importing this registers its tool."""

from . import page_actions

__all__ = ["page_actions"]
