"""The exceptions that stop the generator; their texts name the place in the schema or the source."""

from __future__ import annotations


class SchemaError(Exception):
    """The schema cannot be generated from; the message names the file, type or property at fault."""


class NoBlockingTwin(Exception):
    """A helper does what has no blocking counterpart; the message names the module and the line."""
