"""Tasks of one host in one Chromium go through proxies of their own, seen by the proxies: real ones, on loopback."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from supervisor import Config, InvalidConfig
from supervisor.addons.fleet import Hosts
from supervisor.addons.fleet.hosting.task_host import Host
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import Placement
from tests.supervisor.addons.fleet.hosting.test_tasks_apart import FACTS, Deaf
from tests.support.browsers import LaunchBrowser

SHOP = "http://shop.test/"


class Proxy:
    """Answers in the place of every server, and notes for whom."""

    def __init__(self) -> None:
        asked = self.asked = list[str]()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(f"<title>by {self.server.server_port}</title>".encode())  # type: ignore[attr-defined]

            def log_message(self, format: str, *_: object) -> None: ...

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address: str = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def proxies() -> Iterator[list[Proxy]]:
    made = [Proxy(), Proxy()]
    yield made
    for proxy in made:
        proxy.server.shutdown()
        proxy.server.server_close()


@pytest.fixture(params=[4, 1], ids=["shared browser", "a browser each"])
async def host(
    request: pytest.FixtureRequest, proxies: list[Proxy], chromium_factory: LaunchBrowser
) -> AsyncIterator[Host]:
    browser = chromium_factory()
    hosts = Hosts(tasks=request.param, proxies=tuple(proxy.address for proxy in proxies))
    plan = Plan(name="f", config=Config(cdp_url=browser.ws_url), hosts=hosts, tools=("browser_navigate",))
    made = Host("h1", plan, Deaf(), FACTS)
    await made.begin()
    yield made
    await made.stop()


@pytest.mark.chromium
async def test_each_task_goes_through_its_own_proxy(host: Host, proxies: list[Proxy]) -> None:
    by_address = {proxy.address: proxy for proxy in proxies}
    hosts = Hosts(proxies=tuple(by_address))
    tasks = {hosts.proxy_of(task_id): task_id for task_id in map(str, range(20))}
    assert set(tasks) == set(by_address)

    for address, task_id in tasks.items():
        assert address is not None
        place = Placement(task_id, "h1", int(task_id) + 1)
        await host.accept(place, "", None)
        result = json.loads(await host.call_tool(place, "browser_navigate", {"url": f"{SHOP}{task_id}"}))

        assert result["title"] == f"by {address.rpartition(':')[2]}"
        others = [asked for other in proxies if other.address != address for asked in other.asked]
        assert f"{SHOP}{task_id}" in by_address[address].asked
        assert f"{SHOP}{task_id}" not in others


def test_a_task_has_the_same_proxy_on_every_host() -> None:
    proxies = ("http://a.test:1", "http://b.test:2", "socks5://c.test:3")

    assert Hosts().proxy_of("t1") is None
    assert [Hosts(proxies=proxies).proxy_of("t1") for _ in range(3)] == [Hosts(proxies=proxies).proxy_of("t1")] * 3
    assert {Hosts(proxies=proxies).proxy_of(str(number)) for number in range(50)} == set(proxies)


@pytest.mark.parametrize("proxy", ["http://user:secret@a.test:1", "a.test:1", "ftp://a.test:1", "http://a.test"])
def test_a_proxy_that_chromium_does_not_take_is_refused_and_not_shown(proxy: str) -> None:
    for make in (
        lambda: Hosts(proxies=(proxy,)),
        lambda: Config(cdp_url="ws://b", own_context=True, context_proxy=proxy),
    ):
        with pytest.raises(InvalidConfig) as refused:
            make()
        assert "secret" not in str(refused.value)


def test_a_proxy_needs_a_context_of_its_own() -> None:
    with pytest.raises(InvalidConfig, match="own_context"):
        Config(cdp_url="ws://b", context_proxy="http://a.test:1")
