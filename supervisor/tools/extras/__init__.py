"""The toolset `browser-extras`: what a developer does with a page now and then; importing this registers its tools."""

from . import element_details, page_actions

__all__ = ["element_details", "page_actions"]
