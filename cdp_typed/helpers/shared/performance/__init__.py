"""Measurements of a page, computed from the recordings of the browser."""
