"""Slices that only observe: blockers, console messages, failed requests, and the log of changes."""
