"""The dispatch of commands: support by kind of target, and handlers."""
