"""A newcomer's path: the wheel in an empty environment, and the tools in an MCP client."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.support.wheels import build_wheel, install_wheel, run_elsewhere

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, pytest.mark.timeout(240)]


async def test_from_the_wheel_to_a_browser_in_an_mcp_client(tmp_path: Path) -> None:
    """The client starts the server, which launches its own Chromium; both end with the client."""
    wheel = build_wheel(tmp_path / "dist")
    python = install_wheel(wheel, tmp_path / "environment", extra="mcp")
    (tmp_path / "elsewhere").mkdir()

    server = StdioServerParameters(
        command=str(python),
        args=["-m", "supervisor", "mcp", "--launch", "--toolsets", "all", "--structured", "--record", "flight.jsonl"],
        cwd=tmp_path / "elsewhere",
    )
    async with Client(server) as client:
        stopped = await client.call_tool("browser_evaluate", {"expression": "prompt('who?', 'nobody')"})
        assert stopped.structured_content["pending_dialogs"][0]["type"] == "prompt"
        receipt = await client.call_tool("browser_dialog", {"action": "accept", "prompt_text": "Ada"})
    assert receipt.structured_content["user_input"] == "Ada"

    report = run_elsewhere(python, "-m", "supervisor", "report", "flight.jsonl", "--json", cwd=tmp_path / "elsewhere")
    told = json.loads(report.stdout)
    assert [tool["name"] for tool in told["tools"]] == ["browser_evaluate", "browser_dialog"], report.stderr
    kinds = {call["id"]: call["kind"] for call in told["calls"]}
    assert [kinds[dialog["call"]] for dialog in told["dialogs"]] == ["answer_dialog"]
    assert "Ada" not in json.dumps(told["tools"])
    html = run_elsewhere(python, "-m", "supervisor", "report", "flight.jsonl", cwd=tmp_path / "elsewhere")
    assert (html.returncode, html.stdout) == (0, "flight.html\n"), html.stderr
