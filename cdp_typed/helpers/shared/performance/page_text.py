"""The type of texts that a page has written."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

PageText: TypeAlias = Annotated[str, Meta(extra={"untrusted": 2_000})]
"""Text of a page, such as an address or the name of a function. Tools for a model mark it as untrusted."""
