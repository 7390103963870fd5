"""A server that launches its own browser: where that may go unless the user says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.supervisor.addons.mcp.conftest import connected
from tests.support.servers.sites import Response, Sites

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]


async def test_private_places_but_this_machine_are_refused_unless_they_are_allowed(
    sites: Sites, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("theirs")
    sites.pages["/"] = "here"
    places = [sites.local("/"), sites.remote("/"), f"http://[::ffff:127.0.0.1]:{sites.port}/", "http://10.255.255.1/",
              "http://169.254.169.254/", f"file://{tmp_path}/secret", "chrome://version"]  # fmt: skip
    told: dict[tuple[str, ...], list[bool]] = {}
    for options in ((), ("--deny-private",), ("--allow-private",)):
        opened = places if options != ("--allow-private",) else [place for place in places if "255" not in place]
        async with connected("stdio", "--launch", "--structured", *options) as client:
            results = [await client.call_tool("browser_navigate", {"url": place}) for place in opened]
        refused = [result.structured_content for result in results if result.structured_content.get("error")]
        assert all("--allow-private" in each["error"] for each in refused if each["error_type"] == "Refused")
        told[options] = [result.structured_content.get("error_type") == "Refused" for result in results]

    assert told == {
        (): [False] * 3 + [True] * 4,
        ("--deny-private",): [True] * 7,
        ("--allow-private",): [False] * 6,
    }


async def test_downloads_lie_in_the_folder_of_files(
    sites: Sites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attached = Response("figures", headers={"Content-Disposition": "attachment; filename=report.csv"})
    sites.pages |= {"/": "<a href=/file>Save</a>", "/file": attached}
    monkeypatch.setenv("CDP_FILES_FOLDER", str(tmp_path / "files"))
    async with connected("http", "--launch", "--structured", "--allow-private") as client:
        await client.call_tool("browser_navigate", {"url": sites.local("/")})
        results = [
            await client.call_tool("browser_click", {"ref": "Save"}),
            await client.call_tool("browser_wait", {"until": "download"}),
        ]

    path = tmp_path / "files" / "report.csv"
    assert path.read_text() == "figures"
    assert str(path) in str([result.structured_content for result in results])


async def test_a_page_is_as_wide_as_on_a_desk_and_requests_are_kept_from_the_beginning(sites: Sites) -> None:
    sites.pages["/"] = "<p id=width><script>width.textContent = `${innerWidth} wide`</script>"
    options = ("--launch", "--structured", "--allow-private", "--toolsets", "browser", "browser-network")
    async with connected("stdio", *options) as client:
        await client.call_tool("browser_navigate", {"url": sites.local("/")})
        shown = await client.call_tool("browser_snapshot", {})
        result = await client.call_tool("browser_requests", {})

    assert "1280 wide" in str(shown.structured_content)
    first, *_ = result.structured_content["requests"]
    assert (first["url"], first["status"]) == (sites.local("/"), 200)
