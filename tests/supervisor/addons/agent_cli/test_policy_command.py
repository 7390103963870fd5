"""`policy test`: what a pattern does to an address."""

from __future__ import annotations

import json

import pytest

from tests.supervisor.cli.conftest import Run

DENIED = "refused, its origin is denied"
NOT_ALLOWED = "refused, its origin is not among those allowed"
UNREADABLE = "refused, its address cannot be read"


@pytest.mark.parametrize(
    ("pattern", "url", "address", "denying", "allowing"),
    [
        ("https://*.example.com", "https://a.example.com/x", "https://a.example.com", DENIED, "allowed"),
        ("https://*.example.com", "https://a.example.com:8443/", "https://a.example.com:8443", DENIED, NOT_ALLOWED),
        ("10.0.0.0/8", "http://10.attacker.example/", "http://10.attacker.example", "allowed", NOT_ALLOWED),
        ("http://127.1", "http:\\\\0x7f000001", "http://127.0.0.1", DENIED, "allowed"),
        ("*", "http://[::1", "an address that cannot be read", UNREADABLE, UNREADABLE),
        ("*", "about:blank", "about:", "allowed", "allowed"),
    ],
)
def test_it_says_what_the_pattern_does_in_each_list(
    run: Run, pattern: str, url: str, address: str, denying: str, allowing: str
) -> None:
    done = run("policy", "test", pattern, url)
    as_json = run("policy", "test", pattern, url, "--json")

    assert (done.code, done.err, as_json.code, as_json.err) == (0, "", 0, "")
    told = {"pattern": pattern, "address": address, "deny_origins": denying, "allow_origins": allowing}
    assert done.out.splitlines() == [f"{name:<15}{text}" for name, text in told.items()]
    assert json.loads(as_json.out) == told


def test_a_pattern_that_is_refused_is_one_line_and_exit_code_2(run: Run) -> None:
    done = run("policy", "test", "10.*", "http://10.0.0.1/")

    told = "cdp-agent: error: the pattern '10.*' is not allowed; expected the network, 10.0.0.0/8\n"
    assert (done.code, done.out, done.err) == (2, "", told)


def test_an_action_is_needed(run: Run) -> None:
    assert run("policy").code == 2
