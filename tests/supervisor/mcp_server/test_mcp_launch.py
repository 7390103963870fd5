"""A server that launches its own browser: where that may go unless the user says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.supervisor.mcp_server.conftest import connected
from tests.support.servers.sites import Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]


async def test_private_places_are_refused_unless_they_are_allowed(sites: Sites, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("theirs")
    sites.pages["/"] = "here"
    places = [sites.local("/"), f"file://{tmp_path}/secret", "chrome://version", "chrome:version"]
    told: dict[tuple[str, ...], list[str]] = {}
    for options in ((), ("--allow-private",)):
        async with connected("stdio", "--launch", "--structured", *options) as client:
            results = [await client.call_tool("browser_navigate", {"url": place}) for place in places]
        told[options] = [result.structured_content.get("error_type", "") for result in results]

    assert told == {(): ["Refused"] * 4, ("--allow-private",): [""] * 4}
