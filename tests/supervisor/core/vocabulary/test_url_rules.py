"""Patterns of origins mean the addresses that a browser goes to, or are refused."""

from __future__ import annotations

import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor import InvalidConfig, UrlRules
from supervisor.core.vocabulary.url_rules import shown
from supervisor.core.vocabulary.urls.addresses import read_address
from supervisor.core.vocabulary.urls.hosts import UnreadableAddress
from tests.support.core.odd_addresses import odd_address

ODD_ADDRESSES = st.integers(0, 2**32).map(lambda seed: odd_address(Random(seed)))
UNREADABLE = "its address cannot be read"


def denied(pattern: str, url: str) -> bool:
    why = UrlRules(deny_origins=(pattern,)).why_not(url)
    assert why in (None, "its origin is denied")
    return why is not None


def allowed(pattern: str, url: str) -> bool:
    why = UrlRules(allow_origins=(pattern,)).why_not(url)
    assert why in (None, "its origin is not among those allowed")
    return why is None


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://bücher.example", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER.example", "https://bücher.example/"),
        ("*.bücher.example", "https://a.xn--bcher-kva.example/"),
        ("faß.example", "https://xn--fa-hia.example/"),
        ("https://b%C3%BCcher.example", "https://xn--bcher-kva.example/"),
        ("XN--BCHER-KVA.example", "https://bücher.example/"),
        ("https://evil.example/", "https://evil.example/x"),
        ("evil.example/", "https://evil.example/x"),
        ("HTTPS://Evil.Example", "https://evil.example/"),
        ("evil.example:8080", "http://evil.example:8080/"),
        ("evil.example:443", "https://evil.example/"),
        ("https://evil.example:0443", "https://evil.example/"),
        ("evil.example.", "http://evil.example/"),
        ("evil.example", "http://evil.example./"),
        ("http://[::1]", "http://[::1]/"),
        ("http://[0:0::1]:80", "http://[::1]/"),
        ("[::1]:8080", "http://[::1]:8080/"),
        ("::1", "http://[::1]:8080/"),
        ("http://127.1", "http://127.0.0.1/"),
        ("0x7f.1", "http://127.0.0.1/"),
        ("2130706433", "http://127.1/"),
        ("127.0.0.1", "http://[::ffff:7f00:1]/"),
        ("[::ffff:127.0.0.1]", "http://127.0.0.1/"),
        ("10.0.0.0/8", "http://10.1.2.3:81/"),
        ("10.0.0.0/8", "http://167837955/"),
        ("10.0.0.0/8", "http://[::ffff:a01:203]/"),
        ("::ffff:10.0.0.0/104", "http://10.1.2.3/"),
        ("fd00::/8", "http://[fd12::1]/"),
        ("localhost", "http://localhost:8080/"),
        ("http://localhost:*", "http://localhost:8080/"),
        ("localhost:*", "http://localhost/"),
        ("https://*.example.com", "https://a.b.example.com/"),
        ("*.example.com:8443", "https://a.example.com:8443/"),
        ("*://evil.example", "http://evil.example/"),
        ("https://*", "https://evil.example:8443/"),
        ("http://*:8080", "http://evil.example:8080/"),
        ("*:8080", "http://evil.example:8080/"),
        ("*", "file:///etc/passwd"),
        ("*://*", "mailto:a@b.example"),
        ("file://*", "file:///etc/passwd"),
        ("chrome://version", "chrome://version:80/"),
        ("chrome://*", "chrome:version"),
        ("chrome://version", "view-source:chrome:version"),
        ("chrome-extension://abcdef", "chrome-extension:\\\\ABCDEF\\x"),
    ],
)
def test_a_pattern_means_the_address_that_a_browser_goes_to(pattern: str, url: str) -> None:
    assert denied(pattern, url)
    assert allowed(pattern, url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://evil.example", "http://evil.example/"),
        ("https://evil.example", "https://evil.example.org/"),
        ("https://evil.example", "https://not-evil.example/"),
        ("evil.example:8080", "http://evil.example/"),
        ("*.example.com", "https://example.com/"),
        ("*.example.com", "https://example.com.evil.example/"),
        ("*.example.com", "https://notexample.com/"),
        ("10.0.0.0/8", "http://10.attacker.example/"),
        ("10.0.0.0/8", "http://11.0.0.1/"),
        ("127.0.0.1", "http://localhost/"),
        ("http://*:8080", "http://evil.example/"),
        ("https://*", "http://evil.example/"),
        ("fd00::/8", "http://10.0.0.1/"),
        ("evil.example", "https://me:secret@fine.example/?evil.example#evil.example"),
        ("evil.example", "blob:null/3b2f"),
    ],
)
def test_a_pattern_means_nothing_else(pattern: str, url: str) -> None:
    assert not denied(pattern, url)
    assert not allowed(pattern, url)


@pytest.mark.parametrize(
    ("pattern", "url", "denies", "allows"),
    [
        ("https://a.example", "https://a.example:8443/", True, False),
        ("https://a.example", "https://a.example:443/", True, True),
        ("https://*.a.example", "https://b.a.example:8443/", True, False),
        ("a.example", "https://a.example:8443/", True, True),
        ("a.example", "file://a.example/share", True, False),
        ("a.example", "app://a.example/", True, False),
        ("*://a.example", "app://a.example/", True, True),
        ("10.0.0.1", "http://[64:ff9b::a00:1]/", True, False),
        ("10.0.0.0/8", "http://[2002:a00:1::]/", True, False),
    ],
)
def test_a_denial_covers_more_than_an_allowance(pattern: str, url: str, denies: bool, allows: bool) -> None:
    assert (denied(pattern, url), allowed(pattern, url)) == (denies, allows)


WILDCARD = "a '*' alone, as a port, or in front of a domain as in *.example.com"
NETWORK = "a network such as 10.0.0.0/8 or fd00::/8, or an origin without a path"
NAME = "a host name of letters, digits and hyphens between dots"
ADDRESS = "an IPv4 address, because the host ends in a number"
BLANK = "a pattern without blanks"
PORT = "a port from 0 to 65535, or '*' for any"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", "a pattern: '*' means every address"),
        (" https://evil.example", BLANK),
        ("evil.example ", BLANK),
        ("evil.example, worse.example", BLANK),
        ("evil\u00a0.example", BLANK),
        ("10.*", "the network, 10.0.0.0/8"),
        ("192.168.*", "the network, 192.168.0.0/16"),
        ("http://192.168.1.*", "the network, 192.168.1.0/24"),
        ("10.*.*.*", "the network, 10.0.0.0/8"),
        ("300.*", WILDCARD),
        ("*.*.*.*", WILDCARD),
        ("*.0.0.1", "a network such as 10.0.0.0/8 in place of a '*' before numbers"),
        ("*://denied.*", WILDCARD),
        ("*example.com", WILDCARD),
        ("a*.example.com", WILDCARD),
        ("a.*.example.com", WILDCARD),
        ("htt*://a.example", "a scheme such as https, or '*' for any"),
        ("://a.example", "a scheme such as https, or '*' for any"),
        (".example.com", "*.example.com for the domains under it, or example.com"),
        ("a..example", NAME),
        ("*.", NAME),
        ("a!b.example", NAME),
        ("a" * 64 + ".example", NAME),
        ("evil.example..", NAME),
        ("b%ffcher.example", NAME),
        ("bü\u2488cher.example", NAME),
        ("256.1.1.1", ADDRESS),
        ("1.2.3.4.5", ADDRESS),
        ("evil.1", ADDRESS),
        ("[::1", "an IPv6 address in brackets"),
        ("[::1%eth0]", "an IPv6 address in brackets"),
        ("[::1]x", "an IPv6 address in brackets"),
        ("*.[::1]", WILDCARD),
        ("a:b:c", "an IPv6 address in brackets"),
        ("evil.example:http", PORT),
        ("evil.example:", PORT),
        ("https:evil.example", PORT),
        ("evil.example:65536", PORT),
        ("chrome://version:80", "an origin without a port: chrome: addresses have none"),
        ("evil.example:8*", PORT),
        ("https://evil.example/path", NETWORK),
        ("https://*.example.com/*", NETWORK),
        ("evil.example?x", "an origin without a query or fragment"),
        ("evil.example#x", "an origin without a query or fragment"),
        ("https:\\\\evil.example", "slashes, not backslashes"),
        ("https://me@evil.example", "an origin without a user name"),
        ("http://", "a host, or http://* for every host"),
        ("file:///", "a host, or file://* for every host"),
        ("10.1.2.3/8", "the network, 10.0.0.0/8"),
        ("10.0.0.0/33", NETWORK),
        ("10/8", NETWORK),
        ("10.0.0.0/255.0.0.0", NETWORK),
        ("http://10.0.0.0/8", "a network without a scheme: 10.0.0.0/8"),
        ("data://*", "another scheme: data: addresses are always allowed"),
        ("about://blank", "another scheme: about: addresses are always allowed"),
        ("view-source://*", "the address inside, which decides about view-source: addresses"),
        ("blob://evil.example", "the address inside, which decides about blob: addresses"),
    ],
)
def test_a_pattern_that_cannot_match_is_refused_with_the_reason(pattern: str, expected: str) -> None:
    with pytest.raises(InvalidConfig) as as_denial:
        UrlRules(deny_origins=("fine.example", pattern))
    with pytest.raises(InvalidConfig) as as_allowance:
        UrlRules(allow_origins=("fine.example", pattern))

    assert str(as_denial.value) == f"deny_origins={pattern!r} is not allowed; expected {expected}"
    assert str(as_allowance.value) == f"allow_origins={pattern!r} is not allowed; expected {expected}"


def test_without_the_package_idna_a_name_in_other_letters_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "idna", None)

    with pytest.raises(InvalidConfig, match="expected its xn-- form, or the package idna") as refused:
        UrlRules(deny_origins=("bücher.example",))
    assert "pip install 'cdp-typed[idna]'" in str(refused.value)
    rules = UrlRules(deny_origins=("xn--bcher-kva.example",))
    assert rules.why_not("https://xn--bcher-kva.example/") == "its origin is denied"
    missing = "its address cannot be read without the package idna (pip install 'cdp-typed[idna]')"
    assert rules.why_not("https://bücher.example/") == missing
    assert rules.why_not("http://①②⑦.0.0.1/") == missing
    assert UrlRules().why_not("https://bücher.example/") is None


@pytest.mark.parametrize(
    "url",
    [
        "fine.example",
        "//fine.example/",
        " ",
        "http:",
        "http://",
        "http://[::1",
        "http://[::1%25eth0]/",
        "http://1.2.3.4.5/",
        "http://a.09/",
        "http://1..1/",
        "http://a..b/",
        "http://a b/",
        "http://a%2fb/",
        "http://%ff.example/",
        "http://\ud800/",
        "http://a:65536/",
        "http://a:" + "9" * 5000 + "/",
        "http://" + "9" * 5000 + "/",
        "http://0x" + "f" * 5000 + "/",
        "http://u:p@:80/",
        "file://C:/x",
        "view-source:http://[::1/",
    ],
)
def test_an_address_that_cannot_be_read_is_refused(url: str) -> None:
    assert UrlRules(deny_origins=("evil.example",)).why_not(url) == UNREADABLE
    assert UrlRules(allow_origins=("*",)).why_not(url) == UNREADABLE


@pytest.mark.parametrize("url", ["", ":", "about:blank", "data:text/html,x", "chrome-error://chromewebdata/"])
def test_what_has_no_origin_is_always_allowed(url: str) -> None:
    assert UrlRules(deny_origins=("*",), allow_origins=(), deny_private=True).why_not(url) is None


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("http://localhost:3000/", True),
        ("ws://app.localhost./", True),
        ("http://127.1:8080/", True),
        ("http://0.0.0.0:8000/", True),
        ("http://[::1]/", True),
        ("http://[::ffff:7f00:1]/", True),
        ("file:///etc/passwd", False),
        ("chrome://version", False),
        ("http://10.0.0.1/", False),
        ("http://[::ffff:10.0.0.1]/", False),
        ("http://169.254.169.254/", False),
        ("http://intranet/", False),
        ("http://printer.local/", False),
    ],
)
def test_this_machine_alone_may_be_allowed_among_private_addresses(url: str, is_allowed: bool) -> None:
    assert (UrlRules(deny_private=True, allow_loopback=True).why_not(url) is None) == is_allowed
    assert UrlRules(deny_private=True).why_not(url) is not None
    assert UrlRules(deny_private=True, allow_loopback=True, deny_origins=("*",)).why_not(url) is not None


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://me:secret@a.example:8443/secret?secret", "https://a.example:8443"),
        ("HTTPS:\\\\A.example:443\\@b.example/", "https://a.example"),
        ("http://[0::1]:81/", "http://[::1]:81"),
        ("file:///etc/passwd", "file:"),
        ("view-source:https://a.example/", "https://a.example"),
        ("a.example/secret", "a relative address"),
        ("http://[secret", "an address that cannot be read"),
    ],
)
def test_an_address_is_shown_without_what_could_be_secret(url: str, text: str) -> None:
    assert shown(url) == text


@given(ODD_ADDRESSES)
def test_an_address_means_the_same_once_it_is_canonical(url: str) -> None:
    try:
        address = read_address(url)
    except UnreadableAddress:
        return
    if address.host != "":
        assert read_address(f"{address.origin}/") == address


@given(st.text(max_size=40) | st.from_regex(r"[a-z0-9*.:/\[\]@%-]{1,30}", fullmatch=True))
def test_every_pattern_is_read_or_refused_in_one_sentence(pattern: str) -> None:
    try:
        rules = UrlRules(deny_origins=(pattern,))
    except InvalidConfig as refused:
        told = str(refused)
    else:
        told = rules.why_not("https://a.example/") or "allowed"
    assert "\n" not in told


@given(ODD_ADDRESSES)
def test_every_address_is_judged_without_an_error(url: str) -> None:
    why = UrlRules(deny_origins=("*",)).why_not(url)

    assert why in ("its origin is denied", UNREADABLE, None)
    assert why is not None or read_address(url).scheme in ("about", "data")
    assert shown(url)
