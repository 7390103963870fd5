"""`mcp --fleet`: which options go together."""

from __future__ import annotations

import pytest

import supervisor.fleet
from supervisor.cli import main
from supervisor.fleet import FleetError, Hosts


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--fleet", "--live"],
            "--live shows one browser, and --fleet has one for each session: leave one of them out",
        ),
        (
            ["--fleet", "--record", "x.jsonl"],
            "--record writes on this machine, and with --fleet browsers are on others: leave it out",
        ),
        (["--launch", "--fleet-name", "web"], "--fleet-name is for --fleet, which is not given"),
        (["--launch", "--tasks-per-host", "3"], "--tasks-per-host is for --fleet, which is not given"),
        (["--launch", "--max-hosts", "3"], "--max-hosts is for --fleet, which is not given"),
        (["--fleet", "--max-hosts", "0"], "argument --max-hosts: a whole number from 1 is needed, not '0'"),
        (
            ["--fleet", "--tasks-per-host", "3"],
            "--deny-private, the default, holds only in a browser of one session: leave --tasks-per-host out, or give "
            "--allow-private",
        ),
        ([], "one of the arguments --cdp-url --launch --fleet is required"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    assert f"error: {sentence}" in capsys.readouterr().err


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

    monkeypatch.setattr(supervisor.fleet, "Fleet", begin)

    assert main(["mcp", "--fleet", *arguments]) == 1
    assert seen == [tasks]
