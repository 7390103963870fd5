"""`mcp --fleet`: which options go together."""

from __future__ import annotations

import pytest

from cdp_agent.program import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--fleet", "--live"],
            "--live shows one browser, and --fleet has more: leave --live out, and look at a session with "
            "'cdp-agent fleet live TASK'",
        ),
        (
            ["--fleet", "--record", "x.jsonl"],
            "--record writes on this machine, and with --fleet browsers are on others: leave it out",
        ),
        (
            ["--fleet", "--approve"],
            "--approve asks in the live view of one browser, and --fleet has several: leave it out",
        ),
        (["--launch", "--approve"], "--approve asks in the live view: give --live, too"),
        (
            ["--cdp-url", "ws://127.0.0.1:9", "--live", "--approve", "browser_clik"],
            "approve='browser_clik' is not allowed; expected the name of a tool, or a pattern of tools that act; "
            "did you mean 'browser_click'?",
        ),
        (["--launch", "--fleet-name", "web"], "--fleet-name is for --fleet, which is not given"),
        (["--launch", "--tasks-per-host", "3"], "--tasks-per-host is for --fleet, which is not given"),
        (["--launch", "--max-hosts", "3"], "--max-hosts is for --fleet, which is not given"),
        (["--fleet", "--max-hosts", "0"], "argument --max-hosts: a whole number from 1 is needed, not '0'"),
        ([], "one of the arguments --cdp-url --launch --connect --fleet is required"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    assert f"error: {sentence}" in capsys.readouterr().err
