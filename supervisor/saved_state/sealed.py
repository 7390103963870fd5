"""Bytes encrypted with the key of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from supervisor.core.vocabulary.errors import InvalidConfig

from .checkpoint_values import InvalidCheckpoint

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY = "CDP_STATE_KEY"
"""The variable with the key: 32 bytes in URL-safe base64, as `Fernet.generate_key()` makes them."""


def sealed(data: bytes, environment: Mapping[str, str]) -> bytes:
    """Return the bytes encrypted and authenticated (Fernet). Raises `InvalidConfig` without a key or the library."""
    return _cipher(environment).encrypt(data)


def unsealed(data: bytes, environment: Mapping[str, str]) -> bytes:
    """Return the bytes that `sealed` was called with. Raises also `InvalidCheckpoint` for any other bytes or key."""
    cipher = _cipher(environment)
    from cryptography.fernet import InvalidToken

    try:
        return cipher.decrypt(data)
    except InvalidToken:
        raise InvalidCheckpoint(f"it is damaged, or was encrypted with another {KEY}") from None


def _cipher(environment: Mapping[str, str]) -> Fernet:
    try:
        from cryptography.fernet import Fernet
    except ImportError:
        raise InvalidConfig("cryptography", "not installed", "installed (pip install 'cdp-typed[secrets]')") from None
    key = environment.get(KEY, "")
    if not key:
        raise InvalidConfig(KEY, "", "a key in this variable, as cryptography.fernet.Fernet.generate_key() makes it")
    try:
        return Fernet(key)
    except ValueError:
        raise InvalidConfig(
            KEY, "(hidden)", "32 bytes in URL-safe base64, as Fernet.generate_key() makes them"
        ) from None
