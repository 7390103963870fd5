"""Each recipe of docs/recipes.md runs on a real Chromium, as it is printed."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest

from cdp_typed import connect
from cdp_typed.helpers import goto
from cdp_typed.launch import LaunchedBrowser
from tests.support.servers.recipe_site import prices_by_websocket, recipe_pages
from tests.support.servers.sites import Request, Response, Sites
from tests.support.snippets import SITE, replaced, run_snippet, sections

DOCUMENT = (Path(__file__).parents[3] / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = sections(DOCUMENT)

CHECKS = {
    "Open a page and read its title": "title == 'Example'",
    "Know why a page did not open": "'net::ERR_NAME_NOT_RESOLVED' in reason",
    "Wait until the network is quiet": "price == '99'",
    "Wait for an element": "price == '99'",
    "Click a link and wait for the page behind it": "address == '/shop'",
    "Go back": "address == '/'",
    "Reload without the cache": "True",
    "Notice that an application moved on without a new document": "address == '{SITE}/cart'",
    "Call a function with arguments": "total == 45",
    "Catch what the page throws": "thrown == \"TypeError: Cannot read properties of null (reading 'click')\"",
    "Read all elements that match": "links == [['Shop', f'{SITE}/shop']]",
    "Run a script before those of every page": "cores == 2",
    "Give the page a Python function": "digest.startswith('982d9e3eb996f559')",
    "Evaluate in an isolated world": "links == 1",
    "Read the console and uncaught exceptions": (
        "said[:2] == ['log: hello', 'warning: careful'] and said[2].startswith('TypeError: no such thing')"
    ),
    "Allow scripts that the page's policy forbids": "value == 42",
    "Log requests and responses": "log[0] == f'-> GET {SITE}/' and '<- 200' in log",
    "Read the response of a request that the page makes": "(status, price) == (200, {'price': 99})",
    "Read the frames of a WebSocket": "(sent, received) == (['tea'], 'tea: 99')",
    "Wait for a request that the page makes": "address == f'{SITE}/api/price?amount=2'",
    "Mock a response": "price == {'price': 1}",
    "Block images, or an advertiser": "width == 0",
    "Add a header to requests": "to_all == 'all' and to_one['x-test'] == 'one'",
    "Change a response": "price == {'price': 49}",
    "Log in where the browser would ask for a password": "text == 'welcome'",
    "Write a HAR file": "'\"text\": \"<!doctype html>' in Path('example.har').read_text()",
    "Load a page from a HAR file": "title == 'Example'",
    "Be offline, or slow": "is_online is False",
    "Turn the cache off": "True",
    "Send the browser through a proxy": "text == 'through the proxy'",
    "Give a proxy its password": "text == 'with the password'",
    "Trust a server whose certificate is not signed": "True",
    "Set a cookie and read all of them": "values['consent'] == 'yes'",
    "Keep a login, and put it back": "user == 'Ada'",
    "Read and write localStorage": "items == {'theme': 'dark'}",
    "Forget everything about a site": "items == 0",
    "Fill in a form and send it": "address == '?name=Ada'",
    "Press keys": "name == 'Ada'",
    "Move the mouse, and drag": "drawn == [20, 30, 40]",
    "Scroll with the wheel": "0 < top <= 400",
    "Scroll until nothing more comes": "count == 60",
    "Tap as on a telephone": "taps == 1",
    "Choose an option": "colour == 'red'",
    "Upload a file": "text == '42'",
    "Answer the window that asks for a file": "name == 'report.txt'",
    "Answer alert, confirm and prompt": "name == 'Ada'",
    "Leave a page that asks whether to leave": "address == '/'",
    "Take a screenshot": "Path('page.png').read_bytes()[1:4] == Path('whole.png').read_bytes()[1:4] == b'PNG'",
    "Take a screenshot of an element": "Path('heading.png').read_bytes()[1:4] == b'PNG'",
    "Print to PDF": "Path('page.pdf').read_bytes().startswith(b'%PDF-')",
    "Download a file": "downloaded == 'tea,2\\n'",
    "Download a large file and see how far it is": "size == 3_000_000",
    "Download files of unknown number and length": (
        "set(states.items()) == {(f'{month}.csv', 'completed') for month in ('june', 'july')} "
        "and Path('downloads/july.csv').stat().st_size == 50_000"
    ),
    "Save a page with all that it shows": "'multipart/related' in Path('page.mhtml').read_text()",
    "Film a page": "len(frames) == 3 and frames[0].startswith(b'\\xff\\xd8')",
    "Be a telephone": "screen[1:] == [3, 5, 'iPhone']",
    "Be somewhere else, at another time of day": "where == [-36.85, 'Pacific/Auckland']",
    "Prefer dark colours, or paper": "seen == [True, True]",
    "Have a slow processor": "True",
    "Evaluate in an iframe of the same site": "'Inner' in titles and 'Outer' in titles",
    "Evaluate in an iframe of another site": "titles == {f'{OTHER}/inner': 'Inner'}",
    "Fill in a form in an iframe of another site": "address == '?name=Ada'",
    "Evaluate in a worker": "script == '/worker.js'",
    "Evaluate in a service worker": "caches == ['offline']",
    "Wait for a popup": "opener is True",
    "Crawl a site with eight tabs": "titles == {f'{SITE}/': 'Example', f'{SITE}/shop': 'Shop'}",
    "Work in several tabs at once": "titles == ['Example', 'Shop']",
    "List the open tabs, and take one over": "state == 'complete'",
    "Work on a page of Playwright": "summary.js_size > 0 and [file.url for file in summary.files] == ['{SITE}/shop']",
    "Keep two users apart": "seen == ''",
    "Notice that a tab crashed": "'crashed' in reason",
    "Read the figures of a page": "metrics['Nodes'] > 0",
    "Record a trace": "isinstance(work, dict) and trace.summary.events and Path('trace.json').is_file()",
    "Profile JavaScript": "'busy' in functions",
    "Measure which code is used": "0 < sum(unused.values()) == summary.js_unused + summary.css_unused",
    "Take a heap snapshot": "Path('page.heapsnapshot').stat().st_size > 100_000",
    "Read the accessibility tree": "'Send' in buttons",
    "Query the DOM from outside": "html == '<h1>Hello</h1>'",
    "Take in a whole page at once, with positions": "'H1' in names",
    "See all traffic": "[direction for direction, _ in messages][:2] == ['sent', 'received']",
    "Send a command that the bindings do not know": "version['protocolVersion'] == '1.3'",
    "Start a browser, and end it": "title == 'Example'",
    "Without async": "price == {'price': 1}",
}
"""What is true of the names that a recipe leaves behind."""


@pytest.fixture(scope="module")
def shop() -> Iterator[Sites]:
    with Sites() as sites, prices_by_websocket() as port:
        sites.pages.update(recipe_pages(sites.local(""), sites.remote(""), f"ws://127.0.0.1:{port}"))
        yield sites


@pytest.fixture(scope="module")
def proxy() -> Iterator[Sites]:
    with Sites({"/": Response("through the proxy")}) as sites:
        yield sites


def _with_password(request: Request) -> Response:
    right = "Basic " + b64encode(b"ada:lovelace").decode()
    if request.headers.get("proxy-authorization") != right:
        return Response("", 407, {"Proxy-Authenticate": 'Basic realm="proxy"'})
    return Response("with the password")


@pytest.fixture(scope="module")
def locked_proxy() -> Iterator[Sites]:
    with Sites({"/": _with_password}) as sites:
        yield sites


@pytest.fixture
def playwright(chromium: LaunchedBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in, which this environment lacks: its page is one that another connection drives."""

    @asynccontextmanager
    async def async_playwright() -> AsyncGenerator[SimpleNamespace]:
        async with connect(chromium) as other, other.new_page() as tab:
            session = SimpleNamespace(send=AsyncMock(return_value={"targetInfo": {"targetId": tab.target_id}}))
            context = SimpleNamespace(new_cdp_session=AsyncMock(return_value=session), new_page=AsyncMock())
            context.new_page.return_value = SimpleNamespace(context=context, goto=partial(goto, tab))
            connecting = AsyncMock(return_value=SimpleNamespace(contexts=[context]))
            yield SimpleNamespace(chromium=SimpleNamespace(connect_over_cdp=connecting))

    monkeypatch.setitem(sys.modules, "playwright", ModuleType("playwright"))
    stand_in = SimpleNamespace(async_playwright=async_playwright)
    monkeypatch.setitem(sys.modules, "playwright.async_api", cast("ModuleType", stand_in))


@pytest.mark.usefixtures("playwright")
@pytest.mark.parametrize("title", CHECKS)
async def test_a_recipe_does_what_it_says(
    title: str,
    chromium: LaunchedBrowser,
    shop: Sites,
    proxy: Sites,
    locked_proxy: Sites,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    here = {
        SITE: shop.local(""),
        "http://127.0.0.1:3128": proxy.remote(""),
        "@127.0.0.1:3129": f"@127.0.0.1:{locked_proxy.port}",
        "http://127.0.0.1:9222": chromium.http_url,
        "from cdp_typed.launch import launch": "from tests.support.browsers import quiet_launch as launch",
    }

    (recipe,) = RECIPES[title]
    left = await run_snippet(replaced(recipe, here), chromium)

    expected = CHECKS[title].replace("{SITE}", shop.local("")).replace("{OTHER}", shop.remote(""))
    assert eval(expected, {"Path": Path, **left}), left


def test_every_recipe_is_run() -> None:
    assert RECIPES.keys() == CHECKS.keys()
    assert len(RECIPES) == DOCUMENT.count("\n### ")
    assert len(RECIPES) >= 40
