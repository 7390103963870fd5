"""Callers' calls: frame routing, blocked calls, responsiveness of pages, and leaving a page."""
