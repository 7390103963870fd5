"""Callers' calls: frame routing, blocked calls, responsiveness of pages, navigations and closes."""
