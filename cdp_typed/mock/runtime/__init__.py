"""Execution contexts, remote objects, promises, the console, the debugger and bindings."""
