"""URL rules where names and connections are somebody else's: a proxy, and a name that leads to a private address."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Page, Response, Sites, iframe

SHOP = "http://shop.example"
PRIVATE = "http://10.1.2.3/latest/"
ICON = "<link rel=icon href=data:,>"
PAGES: dict[str, Page] = {
    "/plain": "plain",
    "/redirect": Response("", 302, {"Location": PRIVATE}),
    "/frame": ICON + iframe(PRIVATE),
    "/script": f"{ICON}<script>location = '{PRIVATE}'</script>",
    "/form": f"{ICON}<form method=post action='{PRIVATE}'></form><script>document.forms[0].submit()</script>",
    "/latest/": "secrets",
}


@contextmanager
def tools(cdp_url: str, policy: Policy) -> Generator[Call]:
    registry = SupervisorRegistry()
    try:
        yield calls(Toolbox(Config(cdp_url=cdp_url), registry=registry, toolsets="all", policy=policy))
    finally:
        registry.stop_all()


@pytest.fixture
def proxy() -> Iterator[Sites]:
    """A proxy that answers for every host itself, and keeps what it was asked for."""
    with Sites(PAGES) as proxy:
        yield proxy


def test_a_proxy_is_asked_for_no_refused_document(proxy: Sites) -> None:
    ways = ("/redirect", "/frame", "/script", "/form")
    with (
        launched(args=(f"--proxy-server=http://127.0.0.1:{proxy.port}",)) as browser,
        tools(browser.ws_url, Policy(deny_private=True)) as call,
    ):
        assert call("browser_navigate", url=PRIVATE)["error_type"] == "Refused"
        for way in ways:
            call("browser_navigate", url=SHOP + way)
            call("browser_navigate", url=f"{SHOP}/plain")

    assert {request.path for request in proxy.requests} >= {"/plain", *ways}
    assert "10.1.2.3" not in {request.host for request in proxy.requests}


def test_a_proxy_is_asked_for_them_without_rules(proxy: Sites) -> None:
    """The same page reaches the address where nothing forbids it."""
    with (
        launched(args=(f"--proxy-server=http://127.0.0.1:{proxy.port}",)) as browser,
        tools(browser.ws_url, Policy()) as call,
    ):
        assert call("browser_navigate", url=f"{SHOP}/redirect")["success"]

    assert "10.1.2.3" in {request.host for request in proxy.requests}


def test_rules_judge_a_name_and_not_the_address_that_it_leads_to() -> None:
    """As the docs say: `deny_private` lets a public name through that leads to this machine; an allow list does not."""
    url = "http://rebound.example/latest/"
    with (
        Sites(PAGES) as private,
        launched(args=(f"--host-resolver-rules=MAP *.example 127.0.0.1:{private.port}",)) as browser,
    ):
        with tools(browser.ws_url, Policy(allow_origins=(SHOP,), deny_private=True)) as call:
            assert call("browser_navigate", url=url)["error_type"] == "Refused"
            assert private.requests == []
        with tools(browser.ws_url, Policy(deny_private=True)) as call:
            assert call("browser_navigate", url=url)["success"]
