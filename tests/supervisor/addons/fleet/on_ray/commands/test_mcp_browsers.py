"""`fleet mcp`: which sessions share a browser."""

from __future__ import annotations

import pytest

import supervisor.addons.fleet
from cdp_agent.program import main
from supervisor.addons.fleet import FleetError, Hosts


def test_sessions_that_share_a_browser_have_no_url_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "mcp", "--tasks-per-host", "3"]) == 2
    assert (
        "error: --deny-private, the default, holds only in a browser of one session: leave --tasks-per-host out, or "
        "give --allow-private"
    ) in capsys.readouterr().err


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
    seen: list[int] = []

    def begin(*_: object, hosts: Hosts, **__: object) -> None:
        seen.append(hosts.tasks)
        raise FleetError("not begun")

    monkeypatch.setattr(supervisor.addons.fleet, "Fleet", begin)

    assert main(["fleet", "mcp", *arguments]) == 1
    assert seen == [tasks]


def test_a_number_of_hosts_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "mcp", "--max-hosts", "0"]) == 2
    assert "argument --max-hosts: a whole number from 1 is needed, not '0'" in capsys.readouterr().err
