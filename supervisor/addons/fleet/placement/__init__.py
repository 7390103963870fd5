"""Which host has which task."""
