"""`fleet mcp`: which sessions share a browser."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

import supervisor.addons.fleet
from cdp_agent.program import main
from supervisor.addons.fleet import FleetError


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["--tasks-per-host", "3"],
            "error: --deny-private, the default, holds only in a browser of one session: leave --tasks-per-host out, "
            "or give --allow-private",
        ),
        (["--max-hosts", "0"], "argument --max-hosts: a whole number from 1 is needed, not '0'"),
    ],
)
def test_what_sessions_cannot_have_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fleet", "mcp", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "tasks"),
    [
        ([], 1),
        (["--tasks-per-host", "1"], 1),
        (["--allow-private"], 20),
        (["--allow-private", "--tasks-per-host", "3"], 3),
    ],
)
def test_sessions_share_a_browser_only_where_private_addresses_are_allowed(
    arguments: list[str], tasks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Mock(side_effect=FleetError("not begun"))
    monkeypatch.setattr(supervisor.addons.fleet, "Fleet", begin)

    assert main(["fleet", "mcp", *arguments]) == 1
    assert begin.call_args.kwargs["hosts"].tasks == tasks
