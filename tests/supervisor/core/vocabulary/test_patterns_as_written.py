"""Patterns of origins, addresses, methods, files and tools mean what is written, or are refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cdp_typed.protocol.registry import COMMANDS
from cdp_typed.url_patterns import matches
from supervisor import InvalidConfig, UrlRules
from supervisor.tools import Policy

NAMES = ("example.com", "a.example.com", "xexample.com", "example.com.evil.test", "10.0.0.1", "10.0.1.1", "[fd00::1]")
SCHEMES = ("http", "https", "ws", "wss", "ftp")
PORTS = (None, 80, 443, 8443)
DEFAULT = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
HOSTS = st.sampled_from([*NAMES, "*", "*.example.com", "*.com", "10.0.0.0/24", "fd00::/8"])


def has_host(pattern: str, host: str) -> bool:
    """Whether a host is what a pattern has before its port, said once more and simply."""
    if pattern == "10.0.0.0/24":
        return host == "10.0.0.1"
    if pattern == "fd00::/8":
        return host == "[fd00::1]"
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return pattern in ("*", host)


@given(st.sampled_from([None, "*", *SCHEMES]), HOSTS, st.sampled_from([None, "*", 80, 443, 8443]))
@example(None, "*", None)
def test_a_pattern_of_an_origin_means_its_parts(scheme: str | None, host: str, port: int | str | None) -> None:
    pattern = ("" if scheme is None else f"{scheme}://") + host + ("" if port is None else f":{port}")
    try:
        allow, deny = UrlRules(allow_origins=(pattern,)), UrlRules(deny_origins=(pattern,))
    except InvalidConfig:
        assert "/" in host
        assert (scheme, port) != (None, None)
        return
    for its_scheme, its_host, its_port in product(SCHEMES, NAMES, PORTS):
        url = f"{its_scheme}://{its_host}{'' if its_port is None else f':{its_port}'}/path"
        number = its_port or DEFAULT[its_scheme]
        is_there = has_host(host, its_host) and scheme in (None, "*", its_scheme)
        any_port = number == DEFAULT[its_scheme] or scheme is None or host == "*"
        fits_port = any_port if port is None else port in ("*", number)
        assert (allow.why_not(url) is None) == (is_there and fits_port), url
        assert (deny.why_not(url) is not None) == (is_there and port in (None, "*", number)), url


LETTERS = st.text("ab*?\\\n.[", max_size=8)


def fits(pattern: str, text: str) -> bool:
    """The same as `matches`, character by character."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        return fits(pattern[1:], text) or (text != "" and fits(pattern, text[1:]))
    if not text:
        return False
    if pattern[0] == "?":
        return fits(pattern[1:], text[1:])
    literal = pattern[1] if pattern[0] == "\\" and len(pattern) > 1 else pattern[0]
    return text[0] == literal and fits(pattern[2 if pattern[0] == "\\" and len(pattern) > 1 else 1 :], text[1:])


@settings(max_examples=1000, deadline=None)
@given(LETTERS, LETTERS)
@example("a\\\nb", "a\nb")
@example("*\\", "a\\")
@example("a\\", "a\\")
def test_a_pattern_of_addresses_is_read_character_by_character(pattern: str, text: str) -> None:
    assert matches(pattern, text) == fits(pattern, text)


@given(LETTERS)
def test_an_address_whose_stars_and_marks_are_escaped_is_a_pattern_of_itself_alone(text: str) -> None:
    pattern = "".join(f"\\{character}" if character in "*?\\" else character for character in text)

    assert matches(pattern, text)
    assert not any(matches(pattern, other) for other in (f"{text}a", f"a{text}", text.replace("a", "b") + "c"))


NAME = st.text("ab.[]!-*?\\/", min_size=1, max_size=10)


def means(pattern: str, text: str) -> bool:
    """A star is any text, a question mark one character, and everything else itself."""
    return fits(pattern.replace("\\", "\\\\"), text)


@given(NAME, NAME)
@example("[ab]", "a")
@example("Page\\.*", "Page.captureScreenshot")
@example("Page.[a-z]*", "Page.captureScreenshot")
def test_a_pattern_of_methods_and_tools_has_stars_and_marks_and_no_classes(pattern: str, name: str) -> None:
    try:
        denying, allowing = Policy(deny_methods=(pattern,)), Policy(allow_methods=(pattern,))
    except InvalidConfig:
        assert not any(means(pattern, method) for method in COMMANDS)
    else:
        assert (denying.why_not_method(name) is not None) == means(pattern, name)
        assert (allowing.why_not_method(name) is None) == means(pattern, name)
    assert Policy(approve=(pattern,)).asks_person(name, acts=True) == (means(pattern, name) or pattern == name)


@pytest.mark.parametrize(
    ("pattern", "allowed", "refused"),
    [
        ("/srv/up [2026]/*", "/srv/up [2026]/a", "/srv/up 2/a"),
        ("/srv/[!a]/x", "/srv/[!a]/x", "/srv/b/x"),
        ("/srv/a?.txt", "/srv/ab.txt", "/srv/a.txt"),
        ("C:\\srv\\*", "C:\\srv\\a.txt", "C:\\other\\a.txt"),
        ("/srv/*", "/srv/a/b", "/srv/../etc/passwd"),
    ],
)
def test_a_pattern_of_files_means_the_files_that_are_written(pattern: str, allowed: str, refused: str) -> None:
    policy = Policy(allow_files=(pattern,))

    policy.check_file(allowed)
    with pytest.raises(Exception, match="not among those allowed"):
        policy.check_file(refused)


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("page.navigate", "Page.navigate"),
        ("PAGE.navigateTo*", "Page.navigateToHistoryEntry"),
        ("Page", "Page.navigate"),
        (" Page.navigate", "Page.navigate"),
        ("Page.*, DOM.*", "Page.navigate"),
        ("", "Page.navigate"),
    ],
)
def test_a_pattern_that_no_method_fits_is_refused_and_not_one_of_a_newer_browser(pattern: str, meant: str) -> None:
    written: list[dict[str, Any]] = [{"allow_methods": (pattern,)}, {"deny_methods": (pattern,)}]
    for settings_of_policy in written:
        with pytest.raises(InvalidConfig, match=f"a method such as {meant}, or a pattern"):
            Policy(**settings_of_policy)
    assert Policy(deny_methods=("Later.command",)).why_not_method("Later.command")


WRITTEN = st.none() | st.booleans() | st.integers(0, 1) | st.sampled_from(["*", "no", "ab", "a.b"])


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.sampled_from(Policy.__struct_fields__), WRITTEN | st.lists(WRITTEN).map(tuple)))
@example({"approve": "browser_click"})
@example({"allow_files": "/srv/*"})
@example({"redact": "abc"})
@example({"deny_private": "no"})
def test_a_policy_has_the_kinds_of_values_that_are_documented_or_is_refused(written: dict[str, Any]) -> None:
    try:
        policy = Policy(**written)
    except InvalidConfig:
        assert written
        return
    for name in Policy.__struct_fields__:
        value: Any = getattr(policy, name)
        is_one = name in ("deny_private", "allow_loopback")
        texts: Any = () if is_one else value or ()
        assert type(value) is (bool if is_one else tuple if value is not None else type(None))
        assert all(isinstance(pattern, str) for pattern in texts)
        assert value == written.get(name, value)
