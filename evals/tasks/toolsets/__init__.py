"""Tasks for which an agent needs tools beyond the default ones."""
