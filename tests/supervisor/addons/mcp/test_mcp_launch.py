"""A server that launches its own browser: where that may go unless the user says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.supervisor.addons.mcp.conftest import connected
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


async def test_a_page_is_as_wide_as_on_a_desk(sites: Sites) -> None:
    sites.pages["/"] = "<p id=width><script>width.textContent = `${innerWidth} wide`</script>"
    async with connected("stdio", "--launch", "--structured", "--allow-private") as client:
        await client.call_tool("browser_navigate", {"url": sites.local("/")})
        result = await client.call_tool("browser_snapshot", {})

    assert "1280 wide" in str(result.structured_content)
