"""What Chromium connects to is what the rules have judged: odd addresses, read by both."""

from __future__ import annotations

import json
import unicodedata
from ipaddress import IPv6Address
from random import Random
from typing import Any, TypeAlias

import pytest
from websockets.sync.client import ClientConnection, connect

from evals.browsers.starting import started
from supervisor import InvalidConfig, UrlRules
from supervisor.core.vocabulary.urls.addresses import WEB_PORTS, ParsedAddress, read_address
from supervisor.core.vocabulary.urls.hosts import UnreadableAddress
from tests.support.core.odd_addresses import odd_address

pytestmark = pytest.mark.chromium

ODD = 2000
LETTERS = 2000
"""Addresses with one letter of Unicode in the host."""

READ = """JSON.stringify(%s.map(url => {
  try { const read = new URL(url); return [read.href, read.protocol, read.hostname, read.port] } catch { return null }
}))"""

Read: TypeAlias = tuple[str, str, str, str]


def read_by_chromium(urls: list[str]) -> list[Read | None]:
    """Let a page of Chromium parse the addresses, over a connection that knows nothing of this library."""
    with started("chromium", omnibox=False) as browser, connect(browser.ws_url, max_size=None) as socket:
        target = _ask(socket, "Target.createTarget", {"url": "about:blank"})
        session = _ask(socket, "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        asked = {"expression": READ % json.dumps(urls)}
        answer = _ask(socket, "Runtime.evaluate", asked, session["sessionId"])
    found: list[Read | None] = json.loads(answer["result"]["value"])
    return found


def _ask(socket: ClientConnection, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
    socket.send(json.dumps({"id": 1, "method": method, "params": params} | ({"sessionId": session} if session else {})))
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message.get("id") == 1:
            result: dict[str, Any] = message["result"]
            return result


def read_by_us(url: str) -> ParsedAddress | None:
    try:
        return read_address(url)
    except UnreadableAddress:
        return None


def letters(random: Random) -> list[str]:
    assigned = [chr(code) for code in range(0x80, 0x20000) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    return [f"http://a{letter}b.example/" for letter in random.sample(assigned, LETTERS)]


def test_what_chromium_reads_is_what_the_rules_judge() -> None:
    random = Random(24)
    urls = [*(odd_address(random) for _ in range(ODD)), *letters(random)]
    judged = 0
    for url, read in zip(urls, read_by_chromium(urls), strict=True):
        ours = read_by_us(url)
        if read is None or ours is None:
            continue  # it connects to nothing, or is refused wherever there are rules
        judged += 1
        href, protocol, hostname, port = read
        assert ours == read_by_us(href), url
        if ours.scheme not in WEB_PORTS or protocol != f"{ours.scheme}:":
            continue
        assert (str(ours.host), ours.port) == (_plain(hostname), int(port) if port else WEB_PORTS[ours.scheme]), url
        try:
            rules = UrlRules(deny_origins=(f"{protocol}//{hostname}",))
        except InvalidConfig:
            continue  # Chromium's `a'b` is no name that a server has
        assert rules.why_not(url) == "its origin is denied", url
    assert judged > (ODD + LETTERS) / 3


def test_little_is_refused_that_chromium_reads() -> None:
    """Most of it has an empty label, a blank or a `*` in its host, or an IPv4 address in octal inside IPv6."""
    random = Random(7)
    urls = [*(odd_address(random) for _ in range(ODD)), *letters(random)]
    read = [url for url, read in zip(urls, read_by_chromium(urls), strict=True) if read is not None]
    refused = [url for url in read if read_by_us(url) is None]

    assert len(refused) < len(urls) / 20


def _plain(hostname: str) -> str:
    return str(IPv6Address(hostname[1:-1])) if hostname.startswith("[") else hostname.removesuffix(".")
