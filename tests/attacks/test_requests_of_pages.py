"""What a page itself still reaches under `deny_private`, as docs/tools.md lists it: sockets that note what comes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, calls
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.chromium

SHOP = "http://shop.example"
PATIENCE_S = 20.0
"""No correct run comes near it."""
WAYS: dict[str, tuple[int, str]] = {
    "web rtc, stun": (
        socket.SOCK_DGRAM,
        "pc = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{}'}}]}}); pc.createDataChannel('x');"
        "void pc.createOffer().then(offer => pc.setLocalDescription(offer))",
    ),
    "web rtc, turn over tcp": (
        socket.SOCK_STREAM,
        "pc = new RTCPeerConnection({{iceServers: [{{urls: 'turn:127.0.0.1:{}?transport=tcp', username: 'a',"
        " credential: 'b'}}]}}); pc.createDataChannel('x'); void pc.createOffer().then(o => pc.setLocalDescription(o))",
    ),
    "web transport": (socket.SOCK_DGRAM, "void new WebTransport('https://127.0.0.1:{}/x').ready.catch(() => 0)"),
    "web socket": (socket.SOCK_STREAM, "void new WebSocket('ws://127.0.0.1:{}/')"),
    "image": (socket.SOCK_STREAM, "void (new Image().src = 'http://127.0.0.1:{}/')"),
    "fetch": (socket.SOCK_STREAM, "void fetch('http://127.0.0.1:{}/', {{mode: 'no-cors'}}).catch(() => 0)"),
    "beacon": (socket.SOCK_STREAM, "navigator.sendBeacon('http://127.0.0.1:{}/', 'x')"),
}
"""The kind of socket, and the script."""
SILENT: dict[str, str] = {
    "preconnect": "document.head.append(Object.assign(document.createElement('link'),"
    " {{rel: 'preconnect', href: 'http://127.0.0.1:{}'}}))",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), {{src: 'http://127.0.0.1:{}/'}}))",
}
"""For these, Chromium connects, and sends nothing."""


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    """The tools of an agent that may go to no private address, with a page of a public one."""
    with ExitStack() as stack:
        sites = stack.enter_context(Sites({"/": "<title>Shop</title>"}))
        names = f"--host-resolver-rules=MAP shop.example 127.0.0.1:{sites.port}"
        secure = f"--unsafely-treat-insecure-origin-as-secure={SHOP}"  # as a public page over https is
        browser = stack.enter_context(launched(args=(names, secure)))
        registry = SupervisorRegistry()
        stack.callback(registry.stop_all)
        policy = Policy(deny_private=True)
        tools = calls(Toolbox(Config(cdp_url=browser.ws_url), registry=registry, toolsets="all", policy=policy))
        assert tools("browser_navigate", url=f"{SHOP}/")["success"]
        yield tools


def listening(kind: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, kind)
    listener.bind(("127.0.0.1", 0))
    listener.settimeout(PATIENCE_S)
    if kind == socket.SOCK_STREAM:
        listener.listen()
    return listener


@pytest.mark.parametrize("way", WAYS)
def test_the_documented_requests_of_a_page_get_out(call: Call, way: str) -> None:
    kind, script = WAYS[way]
    with listening(kind) as listener:
        port = listener.getsockname()[1]
        assert call("browser_evaluate", expression=script.format(port))["success"]
        if kind == socket.SOCK_DGRAM:
            assert listener.recv(2000)
        else:
            with listener.accept()[0] as connection:
                connection.settimeout(PATIENCE_S)
                assert connection.recv(2000)
        assert call("browser_navigate", url=f"http://127.0.0.1:{port}/")["error_type"] == "Refused"


@pytest.mark.parametrize("way", SILENT)
def test_where_a_page_may_not_go_it_connects_and_sends_nothing(call: Call, way: str) -> None:
    with listening(socket.SOCK_STREAM) as listener:
        assert call("browser_evaluate", expression=SILENT[way].format(listener.getsockname()[1]))["success"]
        with listener.accept()[0] as connection:
            assert call("browser_navigate", url=f"{SHOP}/")["success"]
            connection.setblocking(False)
            with suppress(BlockingIOError):
                assert connection.recv(2000) == b""
