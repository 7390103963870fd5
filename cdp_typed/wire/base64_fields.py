"""Binary fields of the protocol: conversion between their base64 text and bytes."""

from __future__ import annotations

import base64

from cdp_typed._base import Base64


def base64_bytes(text: Base64) -> bytes:
    """Decode a binary field, for example `base64_bytes(screenshot.data)`.

    `cdp_typed.protocol.registry.BINARY` names every field that is binary; some others are base64 only when a flag
    beside them says so (`Network.GetResponseBodyResult.base64_encoded`). Raises `ValueError` for other text.
    """
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ValueError(f"not base64: {error}") from None


def base64_text(data: bytes | bytearray | memoryview) -> Base64:
    """Encode bytes for a binary parameter, for example `fetch.FulfillRequest(body=base64_text(b"..."))`."""
    return base64.b64encode(data).decode("ascii")
