"""`protocol/protocol.json`: the merged schema without its prose, read at run time by `cdp_typed.schema`.

A real Chromium's `/json/protocol` says `"type": "binary"` for base64 text, and so does this file; it has the same keys
in the same places, the descriptions excepted.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .model import Protocol

__all__ = ["schema_text"]


def schema_text(protocol: Protocol) -> str:
    """One line of JSON."""
    plain = msgspec.to_builtins(protocol)
    return msgspec.json.encode(_without_prose(plain)).decode() + "\n"


def _without_prose(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_prose(item) for key, item in value.items() if key != "description"}
    if isinstance(value, list | tuple):
        return [_without_prose(item) for item in value]
    return value
