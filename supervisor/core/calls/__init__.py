"""Callers' calls: where they run, what blocks them, whether the page responds, leaving a page."""
