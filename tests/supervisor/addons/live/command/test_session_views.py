"""The live views of sessions of `cdp-agent`, on a simulated Windows."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_agent import DONE
from cdp_agent.program import main
from cdp_typed.mock import ThreadedMockServer
from supervisor.addons.live import announced
from supervisor.addons.live.command import live_command
from tests.supervisor.addons.agent_cli.simulated_windows import Winapi
from tests.supervisor.addons.agent_cli.test_named_pipe import wait_for, windows

__all__ = ["windows"]


def test_a_session_is_among_the_live_views_until_it_closes(
    windows: Winapi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    async def show(port: int) -> None:
        seen.extend(view.name for view in announced())

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(live_command, "_serve_grid", show)
    with ThreadedMockServer() as server:
        codes = [main(["open", "about:blank", "--cdp", server.http_url]), main(["live"]), main(["close"])]

    assert (codes, seen) == ([DONE, DONE, DONE], ["cdp-agent session 'a'"])
    wait_for(lambda: not announced())
