"""`targets`: a table that page text cannot break, or all of it as JSON."""

from __future__ import annotations

import json

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import ThreadedMockServer
from tests.cdp_typed.cli.conftest import Run


def test_the_table_shows_hostile_titles_as_text(run: Run, mock: ThreadedMockServer) -> None:
    page = mock.browser.open_page("http://localhost/")

    code, out, err = run("targets", mock.url)

    assert (code, err) == (0, "")
    heading, *rows = out.splitlines()
    assert heading.split() == ["ID", "TYPE", "TITLE", "URL"]
    assert next(row.split("  ") for row in rows if row.startswith(page)) == [
        page,
        "page",
        r"Top \x1b[31m\u202e",
        "http://localhost/",
    ]


def test_json_has_everything_under_wire_names(run: Run, mock: ThreadedMockServer) -> None:
    code, out, err = run("targets", mock.http_url, "--json")

    assert (code, err) == (0, "")
    assert [(each["targetId"], each["type"], each["url"]) for each in json.loads(out)] == [
        (each.id, "page", "about:blank") for each in mock.browser.pages
    ]


def test_chromium_has_a_page(run: Run, chromium: LaunchedBrowser) -> None:
    _, out, _ = run("targets", chromium.ws_url, "--json")

    assert "page" in {each["type"] for each in json.loads(out)}
