"""A navigation ends when the page can be used, and says what is not there yet; on real Chromium."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import socketserver
import threading
import time
from collections.abc import Iterator

import pytest

from cdp_typed import connect
from cdp_typed.errors import CDPError
from cdp_typed.protocol import page, target
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.browsers import launched
from tests.support.runs.deadlines import LATE_S
from tests.support.servers.sites import Request, Response, Sites

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    """Calls of all tools, in one browser."""
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        yield calls(Toolbox(Config(cdp_url=browser.ws_url), registry=registry, toolsets="all"))
        registry.stop_all()


def test_a_picture_that_never_comes_does_not_keep_the_page_from_being_used(call: Call) -> None:
    is_over = threading.Event()

    def never(request: Request) -> str:
        is_over.wait(60)
        return ""

    with Sites({"/page": "<title>Slow</title><button>Buy</button><img src=/never>", "/never": never}) as sites:
        told = call("browser_navigate", url=sites.local("/page"), timeout=LATE_S)
        seen = call("browser_snapshot")["page"]
        is_over.set()

    assert (told["success"], told["title"], told["loaded"]) == (True, "Slow", False)
    assert 'button "Buy"' in seen


def test_a_tab_that_was_opened_can_be_used_at_once(call: Call) -> None:
    """Chromium has its document, without a body, before a script in the head has come."""

    def slow(request: Request) -> str:
        time.sleep(0.3)
        return "document.title = 'Next'"

    with Sites({"/page": "<script src=/slow></script><button>Buy</button>", "/slow": slow}) as sites:
        opened = call("browser_tabs", action="open", url=sites.local("/page"))
        seen = call("browser_evaluate", expression="document.body.innerText")
        call("browser_tabs", action="close", target_id=opened["opened"])

    assert [tab.get("title") for tab in opened["tabs"] if tab.get("is_current")] == ["Next"]
    assert seen["value"] == "Buy"


@pytest.mark.parametrize("url", ["localhost:3000/a?b", "localhost", "127.0.0.1:80", "Example.com", "a.test/x"])
def test_an_address_without_its_scheme_is_refused_with_what_is_missing(call: Call, url: str) -> None:
    """Chromium takes `localhost:` for a scheme, and says net::ERR_ABORTED."""
    told = call("browser_navigate", url=url)
    opened = call("browser_tabs", action="open", url=url)

    said = "argument 'url': expected an address with its scheme, such as http://localhost:3000"
    assert (told["error"], told["error_type"], opened["error"]) == (said, "InvalidArgument", said)


class _Silent(socketserver.BaseRequestHandler):
    """Takes a request, and ends the connection."""

    def handle(self) -> None:
        self.request.recv(65536)


@pytest.mark.parametrize(
    ("address", "why", "may_be_done"),
    [
        ("http://127.0.0.1:{closed}/pay", "ERR_CONNECTION_REFUSED", False),
        ("http://localhost:{closed}/ä b#part", "ERR_CONNECTION_REFUSED", False),
        ("http://shop.invalid", "ERR_NAME_NOT_RESOLVED", False),
        ("http://127.0.0.1:1/", "ERR_UNSAFE_PORT", False),
        ("https://127.0.0.1:{open}/", "ERR_SSL_PROTOCOL_ERROR", False),
        ("http://127.0.0.1:{open}/pay-and-go", "ERR_CONNECTION_REFUSED", True),
        ("http://127.0.0.1:{silent}/pay", "ERR_EMPTY_RESPONSE", True),
    ],
)
def test_a_navigation_may_have_done_something_only_where_a_server_had_its_request(
    call: Call, address: str, why: str, may_be_done: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    onward = Response("", 302, {"Location": f"http://127.0.0.1:{closed}/done"})
    with Sites({"/pay-and-go": onward}) as sites, socketserver.TCPServer(("127.0.0.1", 0), _Silent) as silent:
        threading.Thread(target=silent.serve_forever, daemon=True).start()
        ports = {"closed": closed, "open": sites.port, "silent": silent.server_address[1]}
        told = call("browser_navigate", url=address.format_map(ports))
        silent.shutdown()

    assert (told["success"], why in told["error"], told.get("maybe_executed", False)) == (False, True, may_be_done)


@pytest.mark.parametrize("url", ["data:text/html,a.b", "about:blank"])
def test_an_address_without_a_host_is_loaded(call: Call, url: str) -> None:
    assert call("browser_navigate", url=url)["success"]


def test_a_page_that_crashes_while_it_loads_is_told_by_the_call(call: Call) -> None:
    with Sites({"/page": "<title>Fine</title>"}) as sites:
        call("browser_navigate", url=sites.local("/page"))
        told = call("browser_navigate", url="chrome://crash")
        after = call("browser_navigate", url=sites.local("/page"))

    assert (told["success"], told["error_type"]) == (False, "TargetCrashed")
    assert (after["success"], after["title"]) == (True, "Fine")


async def test_a_page_that_another_client_crashes_in_that_moment_is_told_at_once() -> None:
    """Chromium takes the navigation, and never shows its document."""
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser, Sites({"/page": "<title>Fine</title>"}) as sites:
        box, url, told = Toolbox(Config(cdp_url=browser.ws_url), registry=registry), sites.local("/page"), ""

        async def navigate() -> str:
            told = json.loads(await box.adispatch("browser_navigate", {"url": url, "timeout": 60}))
            return str(told.get("error_type", ""))

        async with connect(browser.ws_url) as other:
            for _ in range(20):  # now and then the crash is over before the navigation begins
                assert await navigate() == ""
                targets = (await other.send(target.GetTargets())).target_infos
                session = await other.attach(next(info.target_id for info in targets if info.type == "page"))
                crash = asyncio.create_task(session.send(page.Crash()))
                await asyncio.sleep(0.005)  # the command is on its way: nothing tells when it has come
                async with asyncio.timeout(15):
                    told = await navigate()
                with pytest.raises(CDPError):
                    await crash
                if told == "TargetCrashed":
                    break
        registry.stop_all()

    assert told == "TargetCrashed"


def test_a_download_that_ended_is_told_once_by_the_next_result(call: Call) -> None:
    """Chromium tells of it some time after the click."""
    report = Response(b"a,b", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=r.csv"})
    with Sites({"/page": "<a href=/report>Export</a>", "/report": report}) as sites:
        call("browser_navigate", url=sites.local("/page"))
        ref = re.search(r"ref=(e\d+)", call("browser_snapshot")["page"])
        assert ref
        results = [call("browser_click", ref=ref[1])]
        while not any("downloads" in result for result in results):
            results.append(call("browser_wait", until="time", value="0.1"))
        after = call("browser_snapshot")

    told = [result["downloads"] for result in results if "downloads" in result]
    assert told == [[{"name": "r.csv", "is_complete": True}]]
    assert "downloads" not in after


def test_a_document_that_its_server_never_ends_can_be_used(call: Call) -> None:
    is_over = threading.Event()

    def streamed() -> Iterator[bytes]:
        yield b"<title>Stream</title><button>Buy</button>"
        while not is_over.wait(0.2):
            yield b"<p>more</p>"

    with Sites({"/page": lambda _: Response(streamed(), headers={"Content-Type": "text/html"})}) as sites:
        told = call("browser_navigate", url=sites.local("/page"), timeout=LATE_S)
        clicked = call("browser_click", ref='button "Buy"')
        is_over.set()

    assert (told["success"], told["loaded"], clicked["success"]) == (True, False, True)


def test_a_page_whose_script_never_ends_does_not_hold_the_call(call: Call) -> None:
    """The last one here: its page goes on."""
    with Sites({"/page": "<title>Busy</title><script>setTimeout(() => { while (true); }, 400)</script>"}) as sites:
        began = time.monotonic()
        told = call("browser_navigate", url=sites.local("/page"), timeout=60)
        took = time.monotonic() - began

    assert told["success"] is True
    assert took < 40  # less than a second call without an answer would take
