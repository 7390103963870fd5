"""The exception that stops the generator; its text names the place in the schema."""

from __future__ import annotations

__all__ = ["SchemaError"]


class SchemaError(Exception):
    """The schema cannot be generated from; the message names the file, type or property at fault."""
