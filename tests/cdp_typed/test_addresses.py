"""Addresses, and what may be said about them."""

from __future__ import annotations

import errno
import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed.addresses import (
    check_headers,
    explain_failure,
    explain_status,
    is_loopback,
    parse_address,
    quote,
    redact,
    secrets_of,
)
from cdp_typed.errors import EndpointError
from tests.support.secrets import CANARY


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "ws://127.0.0.1:9222/devtools/browser/0a1b2c3d-0000-4000-8000-000000000000",
            "ws://127.0.0.1:9222/devtools/browser/...",
        ),
        (f"wss://user:{CANARY}@host.example/path?token={CANARY}#{CANARY}", "wss://host.example/path"),
        ("http://[::1]:9222/", "http://[::1]:9222/"),
        ("localhost:9222?token=secret", "localhost:9222"),
        ("ws://host/abcdefghijklmnopqrstuvwxyz/devtools", "ws://host/.../devtools"),
        ("http://host:notaport/secret", "<unreadable address>"),
        ("http://[::1/secret", "<unreadable address>"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert redact(url) == shown


@given(st.text(alphabet="abc:/@?#[]%. -", max_size=30))
def test_any_text_can_be_redacted_and_shows_no_token(text: str) -> None:
    assert f"{CANARY}-{CANARY}-{CANARY}" not in redact(f"ws://host/{CANARY}-{CANARY}-{CANARY}{text}")
    assert CANARY not in redact(f"ws://host/?{CANARY}{text}")


@pytest.mark.parametrize(
    ("endpoint", "scheme", "host", "port"),
    [
        ("ws://h:1/devtools/browser/x", "ws", "h", 1),
        ("wss://h/x?token=t", "wss", "h", None),
        ("http://127.0.0.1:9222", "http", "127.0.0.1", 9222),
        ("https://h", "https", "h", None),
        ("localhost:9222", "http", "localhost", 9222),
        ("[::1]:9222", "http", "::1", 9222),
    ],
)
def test_every_kind_of_address_is_read(endpoint: str, scheme: str, host: str, port: int | None) -> None:
    address = parse_address(endpoint)

    assert (address.scheme, address.hostname, address.port) == (scheme, host, port)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "   ",
        "ftp://h",
        "http://",
        "http://h:99999",
        "http://h:0",
        "http://[::1",
        "http://h\r\nX: y",
        f"file:///x?{CANARY}",
        f"http://{'a' * 64}.example",
        "http://a..example",
    ],
)
def test_anything_else_is_refused_with_what_is_accepted(endpoint: str) -> None:
    with pytest.raises(EndpointError, match=r"use ws://\.\.\., wss://\.\.\., http://host:port or host:port") as refused:
        parse_address(endpoint)

    assert CANARY not in str(refused.value)
    assert refused.value.retryable is False


@pytest.mark.parametrize(
    ("status", "word", "retryable"),
    [
        (200, "not a browser", False),
        (302, "redirects", False),
        (401, "access denied", False),
        (403, "access denied", False),
        (404, "no browser at this path", False),
        (410, "no browser at this path", False),
        (429, "HTTP 429", True),
        (500, "IP address or localhost", False),
        (503, "HTTP 503", True),
    ],
)
def test_a_status_is_explained(status: int, word: str, retryable: bool) -> None:
    error = explain_status("ws://h", status)

    assert word in str(error)
    assert (error.url, error.status, error.retryable) == ("ws://h", status, retryable)


def test_what_a_server_said_and_asked_for_is_in_the_error() -> None:
    busy = explain_status("ws://h", 503, said="busy", retry_after=7.0)
    no_page = explain_status("ws://h/devtools/page/X", 500, said="No such target id: X")

    assert (str(busy).endswith('; it says "busy"'), busy.retry_after) == (True, 7.0)
    assert str(no_page) == 'ws://h/devtools/page/X: there is no such page (HTTP 500); it says "No such target id: X"'


@pytest.mark.parametrize(
    ("failure", "word", "retryable"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, CANARY), "connection refused", True),
        (OSError(f"Multiple exceptions: {CANARY}"), "none of its addresses answers", True),
        (socket.gaierror(-2, CANARY), "host name is unknown", False),
        (ssl.SSLError(CANARY), "TLS handshake failed", False),
        (ssl.SSLCertVerificationError(CANARY), "certificate is not valid", False),
    ],
)
def test_a_failure_to_connect_is_explained_in_our_own_words(failure: OSError, word: str, retryable: bool) -> None:
    if isinstance(failure, ssl.SSLError):
        failure.reason = "WRONG_VERSION_NUMBER"
    if isinstance(failure, ssl.SSLCertVerificationError):
        failure.verify_message = "self-signed certificate"

    error = explain_failure("ws://h", failure)

    assert word in str(error)
    assert CANARY not in str(error)
    assert error.retryable is retryable


def test_a_failure_may_be_explained_by_the_scheme_or_with_another_hint() -> None:
    plain_port = explain_failure("wss://h:1", ConnectionResetError())
    proxy = explain_failure("proxy http://h", ConnectionRefusedError(errno.ECONNREFUSED, ""), hint="does it run?")

    assert (str(plain_port), plain_port.retryable) == (
        "wss://h:1: it ended the connection; is it a plain port, to be addressed by ws:// or http://?",
        True,
    )
    assert str(proxy) == "proxy http://h: unreachable (connection refused); does it run?"


@pytest.mark.parametrize(
    ("hosts", "here"),
    [
        (("127.0.0.1", "127.8.8.8", "::1", "localhost", "sub.localhost"), True),
        (("10.0.0.1", "localhost.example", ""), False),
    ],
)
def test_this_machine_is_known_by_its_name(hosts: tuple[str, ...], here: bool) -> None:
    assert {host: is_loopback(host) for host in hosts} == dict.fromkeys(hosts, here)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"": "x"}, "'' is not a name of a header"),
        ({"X Y": "x"}, "'X Y' is not a name of a header"),
        ({"X\r\nY": "x"}, "is not a name of a header"),
        ({"X": f"{CANARY}\r\nHost: evil"}, "the value of header 'X' has a line break"),
        ({"X": f"{CANARY}\u20ac"}, "is not latin-1"),
    ],
)
def test_a_header_that_is_none_is_refused_without_its_value(headers: dict[str, str], words: str) -> None:
    check_headers({"X-Key": "", "authorization": "Bearer \tx!~\xe9"})
    with pytest.raises(ValueError, match=words) as refused:
        check_headers(headers)

    assert CANARY not in str(refused.value)


def test_every_secret_of_an_address_and_its_headers_is_known() -> None:
    secrets = secrets_of(
        "wss://us%40er:p%2Fw-d@h/devtools/browser/0a1b2c3d-0000-4000?token=t%2Bken&x=1#fragment",
        {"Authorization": "Bearer abcd", "X": "y"},
    )

    assert secrets == tuple(sorted(secrets, key=len, reverse=True))
    assert {"us%40er", "us@er", "p/w-d", "t+ken", "0a1b2c3d-0000-4000", "fragment", "abcd"} <= set(secrets)
    assert "y" not in secrets


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", ""),
        (f" <html>signed in as {CANARY}".encode(), ""),
        (f"token {CANARY}\r\n is  over\x1b[31m".encode(), "token ... is over [31m"),
        (b"no eyJhbGciOiJIUzI1NiJ9.e30.x here", "no ... here"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"word " * 100, "word " * 39 + "wo..."),
    ],
)
def test_what_a_server_said_is_quoted_short_and_without_secrets(body: bytes, said: str) -> None:
    assert quote(body, [CANARY]) == said
    assert len(said) <= 200
