"""Sounds for pages."""

from __future__ import annotations

import struct

from tests.support.servers.sites import Response

_RATE = 8000
_DATA = bytes([128]) * _RATE * 5
WAVE = Response(
    b"RIFF" + struct.pack("<I", 36 + len(_DATA)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, _RATE, _RATE, 1, 8)
    + b"data" + struct.pack("<I", len(_DATA)) + _DATA,
    headers={"Content-Type": "audio/wav"},
)  # fmt: skip
"""Five seconds of silence."""
