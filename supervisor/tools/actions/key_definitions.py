"""Keys by the names that a model gives them."""

from __future__ import annotations

from cdp_typed.helpers.shared.key_definitions import Key, known_keys, parse_key
from supervisor.tools.page.element_errors import UnknownKey

__all__ = ["Key", "parse"]


def parse(keys: str) -> Key:
    """Return the key with this name, see `parse_key`. Raises `UnknownKey`."""
    try:
        return parse_key(keys)
    except ValueError:
        raise UnknownKey(keys, known_keys()) from None
