"""Command handlers, one file a CDP domain."""
