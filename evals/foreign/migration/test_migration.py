"""Both sides of each pair in docs/migration.md come to the same result on a real Chromium.

`make foreign` installs pydoll and puppeteer; `CDP_TYPED_FOREIGN` says where they are. Without them the sides of cdp-use
and PyCDP are played, which are in the development environment, and all of ours.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cdp_typed.launch import LaunchedBrowser
from tests.support.servers.recipe_site import recipe_pages
from tests.support.servers.sites import Sites
from tests.support.snippets import SITE, replaced, run_snippet, sections

PLAYERS = Path(__file__).parent / "peers"
DOCUMENT = (Path(__file__).parents[3] / "docs" / "migration.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^## From ([\w-]+)[^\n]*\n(.*?)(?=^## |\Z)", DOCUMENT, flags=re.MULTILINE | re.DOTALL))

EXPECTED: dict[str, dict[str, tuple[str, object]]] = {
    "cdp-use": {
        "Open a page": ("address", "about:blank"),
        "Send a command": ("answer", 42),
        "Wait for an event": ("title", "Example"),
        "Handle an error": ("message", "Cannot navigate to invalid URL"),
    },
    "PyCDP": {
        "Send a command": ("html", "<body></body>"),
        "Wait for an event": ("title", "Shop"),
    },
    "pydoll": {
        "Open a page and read from it": ("text", "Shop"),
        "Fill in a form": ("name", "Ada"),
        "Hear events": ("status", 404),
        "Answer a request": ("price", 1),
    },
    "puppeteer": {
        "Open a page and read from it": ("result", ["Example", 3]),
        "Read elements": ("links", ["Shop"]),
        "Fill in a form and send it": ("query", "?name=Ada"),
        "Answer a request": ("price", {"price": 1}),
        "Give the page a function": ("doubled", 42),
        "Answer a dialog": ("name", "Ada"),
        "Keep two users apart": ("mine", ""),
        "Send a raw command": ("answer", 42),
    },
}
"""The name in which both sides of a pair leave their result, and the result."""

PAIRS = [(client, title) for client, titles in EXPECTED.items() for title in titles]
FOREIGN = {"pydoll", "puppeteer"}
INSTALLED = [client for client in EXPECTED if client not in FOREIGN or "CDP_TYPED_FOREIGN" in os.environ]


@pytest.fixture(scope="module")
def site() -> Iterator[Sites]:
    with Sites() as sites:
        sites.pages.update(recipe_pages(sites.local(""), sites.remote(""), "ws://127.0.0.1:1"))
        yield sites


def _sides(client: str) -> Mapping[str, tuple[str, str]]:
    """The snippet of the other client and ours, by title."""
    python = sections(CHAPTERS[client])
    others = sections(CHAPTERS[client], "js") if client == "puppeteer" else python
    return {title: (others[title][0], snippets[-1]) for title, snippets in python.items()}


def _command(client: str) -> tuple[list[str], Path | None]:
    """The program that plays a client's side, and its working directory."""
    if client == "puppeteer":
        return ["node", str(PLAYERS / "play_puppeteer.mjs")], _foreign() / "node"
    interpreter = _foreign() / "bin" / "python" if client == "pydoll" else sys.executable
    return [str(interpreter), str(PLAYERS / "play_python.py"), client.lower().replace("-", "_")], None


def _foreign() -> Path:
    return Path(os.environ["CDP_TYPED_FOREIGN"]).absolute()


@pytest.mark.thorough
@pytest.mark.parametrize("client", INSTALLED)
def test_their_side_comes_to_the_result(client: str, chromium: LaunchedBrowser, site: Sites) -> None:
    command, directory = _command(client)
    snippets = {
        title: (replaced(theirs, {SITE: site.local("")}), EXPECTED[client][title][0])
        for title, (theirs, _) in _sides(client).items()
    }

    played = subprocess.run(
        [*command, chromium.http_url],
        input=json.dumps(snippets),
        cwd=directory,
        env={**os.environ, "no_proxy": "127.0.0.1,localhost"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout) == {title: value for title, (_, value) in EXPECTED[client].items()}


@pytest.mark.parametrize(("client", "title"), PAIRS)
async def test_our_side_comes_to_the_same_result(
    client: str, title: str, chromium: LaunchedBrowser, site: Sites
) -> None:
    name, value = EXPECTED[client][title]

    left = await run_snippet(replaced(_sides(client)[title][1], {SITE: site.local("")}), chromium)

    assert left[name] == value


def test_every_pair_is_played() -> None:
    assert {client: list(_sides(client)) for client in CHAPTERS} == {
        client: list(titles) for client, titles in EXPECTED.items()
    }
