"""The live views that a host serves."""

from __future__ import annotations

import pytest

from supervisor.addons import live
from supervisor.addons.fleet.hosting.live_tunnels import LiveTunnels
from supervisor.addons.fleet.values import Placement


async def test_a_view_that_cannot_be_served_is_told_to_whoever_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(live, "serve_live", serve)

    with pytest.raises(ZeroDivisionError):
        await LiveTunnels().open(Placement("t1", "h1", 1), lambda: None, "token")
