"""The supervisor and its core."""
