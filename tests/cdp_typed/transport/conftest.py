"""The two websocket wires, for tests that hold for both."""

from __future__ import annotations

import pytest

from cdp_typed.transport.picows import open_picows
from cdp_typed.transport.websocket import open_websocket
from tests.support.raw_peer import Opens


@pytest.fixture(params=[open_websocket, open_picows], ids=["websockets", "picows"])
def opens(request: pytest.FixtureRequest) -> Opens:
    """The function that opens the wire."""
    found: Opens = request.param
    return found
