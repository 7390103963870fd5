"""`targets`: a table that page text cannot break, or all of it as JSON."""

from __future__ import annotations

import json

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import ThreadedMockServer
from tests.cdp_typed.cli.conftest import Run
from tests.support.secrets import CANARY
from tests.support.servers.inspector import inspector


def test_the_table_shows_hostile_titles_as_text(run: Run, mock: ThreadedMockServer) -> None:
    page = mock.browser.open_page("http://localhost/")

    code, out, err = run("targets", mock.url)

    assert (code, err) == (0, "")
    heading, *rows = out.splitlines()
    assert heading.split() == ["ID", "TYPE", "TITLE", "URL"]
    shown = next(row.split("  ") for row in rows if row.startswith(page))
    assert shown == [page, "page", r"Top \x1b[31m\u202e", "http://localhost/"]


def test_json_has_everything_under_wire_names_and_a_page_shows_the_targets_of_its_browser(
    run: Run, mock: ThreadedMockServer
) -> None:
    code, out, err = run("targets", mock.http_url, "--json")

    assert (code, err) == (0, "")
    assert [(info["targetId"], info["type"], info["url"]) for info in json.loads(out)] == [
        (page.id, "page", "about:blank") for page in mock.browser.pages
    ]
    page = mock.browser.pages[0].id
    code, out, _ = run("targets", f"ws://{mock.address}/devtools/page/{page}")
    assert (code, out.splitlines()[1].split()[0]) == (0, page)


def test_chromium_has_a_page(run: Run, chromium: LaunchedBrowser) -> None:
    _, out, _ = run("targets", chromium.ws_url, "--json")

    assert "page" in {info["type"] for info in json.loads(out)}


def test_what_an_inspector_of_node_has_is_shown_with_its_websockets(run: Run) -> None:
    with inspector(0) as empty:
        assert run("targets", empty.http_url) == (0, "ID  TYPE  TITLE  URL\n", "")
    with inspector(2) as node:
        over_http = run("targets", f"{node.http_url}?token={CANARY}")
        over_its_websocket = run("targets", node.ws_url())
        as_json = run("targets", node.http_url, "--json")

    assert (over_http.code, over_http.err) == (0, "")
    assert [row.split() for row in over_http.out.splitlines()] == [
        ["ID", "TYPE", "TITLE", "URL", "WEBSOCKET"],
        [node.ids[0], "node", "node[0]", "file://", node.ws_url(0)],
        [node.ids[1], "node", "node[1]", "file://", node.ws_url(1)],
    ]
    assert over_its_websocket == over_http
    assert [item["webSocketDebuggerUrl"] for item in json.loads(as_json.out)] == [node.ws_url(0), node.ws_url(1)]
