"""`mcp`: which options go together."""

from __future__ import annotations

import pytest

from cdp_agent.program import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--launch", "--approve"], "--approve asks in the live view: give --live, too"),
        (
            ["--cdp-url", "ws://127.0.0.1:9", "--live", "--approve", "browser_clik"],
            "approve='browser_clik' is not allowed; expected the name of a tool, or a pattern of tools that act; "
            "did you mean 'browser_click'?",
        ),
        (
            ["--launch", "--live", "--approve", "browser_click", "--approve", "browser_type"],
            "--approve is given twice",
        ),
        (["--launch", "--disabled", "browser_cdp", "--disabled=browser_vision"], "--disabled is given twice"),
        (["--launch", "--host", "127.0.0.1", "--host", "127.0.0.1"], "--host is given twice"),
        ([], "one of the arguments --cdp-url --launch --connect is required"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    assert f"error: {sentence}" in capsys.readouterr().err
