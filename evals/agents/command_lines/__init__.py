"""Command lines for agents that have a shell, as tasks use them."""
