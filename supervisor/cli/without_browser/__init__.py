"""Commands that need no browser."""
