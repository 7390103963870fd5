"""Cookies and storage of a task, for the place that it gets when it has lost its own."""
