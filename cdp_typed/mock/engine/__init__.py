"""The dispatch of commands: which is supported where, and who handles it."""
