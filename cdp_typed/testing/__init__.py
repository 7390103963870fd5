"""Fixtures of the pytest plugin other than browsers: the leak check."""
