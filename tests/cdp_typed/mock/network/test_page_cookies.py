"""Cookies: setting, visibility, sending, expiry."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.mock import Frame, MockBrowser, Page
from cdp_typed.mock.state.cookies import Cookie, accept, domain_of, for_url, parse_cookie
from tests.cdp_typed.mock.interception import decide, hold, paused
from tests.cdp_typed.mock.network_lines import evaluate, value, visit
from tests.cdp_typed.mock.raw_client import LOCAL, REMOTE, Client

NOW = 1000.0
SITE = {
    f"{LOCAL}/": Page(title="Here"),
    f"{LOCAL}/data": Page(body="x"),
    f"{LOCAL}/cross": Page(frames=[Frame(f"{REMOTE}/sets", "f")]),
    f"{REMOTE}/sets": Page(headers={"Set-Cookie": "third=party"}),
    f"{LOCAL}/cross-open": Page(frames=[Frame(f"{REMOTE}/sets-open", "f")]),
    f"{REMOTE}/sets-open": Page(headers={"Set-Cookie": "open=party; SameSite=None; Secure"}),
}


def names(client: Client, session: str, **params: Any) -> list[str]:
    return [cookie["name"] for cookie in client.result("Network.getCookies", params, session)["cookies"]]


def put(client: Client, session: str, **params: Any) -> None:
    client.result("Network.setCookie", {"value": "v", "url": LOCAL, **params}, session)


@pytest.mark.parametrize("url", [f"{LOCAL}/", "https://a.b.test/x/y", "http://x.test/"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "NoCookieContent"),
        ("=", "NoCookieContent"),
        ("a=1; domain=elsewhere.test", "InvalidDomain"),
        ("a\x00=1", "DisallowedCharacter"),
        ("a=1; secure; domain=.test", "InvalidDomain"),
        ("a=1;domain=b", "InvalidDomain"),
    ],
)
def test_what_is_no_cookie_of_this_address_is_not_kept(url: str, text: str, reason: str) -> None:
    assert parse_cookie(text, url, "", NOW, by_header=True)[1] == reason


def test_a_secure_cookie_needs_a_secure_site() -> None:
    assert parse_cookie("a=1; secure", "http://x.test/", "", NOW, by_header=True)[1] == "SecureOnly"
    kept, reason = parse_cookie("a=1; secure", f"{LOCAL}/", "", NOW, by_header=True)
    assert (kept.scheme, kept.port, reason) == ("Secure", 80, "")


@pytest.mark.parametrize(
    ("wanted", "host", "domain"),
    [
        ("", "a.b.test", "a.b.test"),
        ("b.test", "a.b.test", ".b.test"),
        (".B.Test", "a.b.test", ".b.test"),
        ("a.b.test", "b.test", None),
        ("test", "b.test", None),
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("0.0.1", "127.0.0.1", None),
        (".localhost", "localhost", "localhost"),
    ],
)
def test_a_domain_is_the_hosts_own_or_one_above(wanted: str, host: str, domain: str | None) -> None:
    assert domain_of(wanted, host) == domain


@pytest.mark.parametrize(
    ("text", "expires"),
    [
        ("a=1", -1),
        ("a=1; max-age=10", NOW + 10),
        ("a=1; max-age=-1", 0),
        ("a=1; max-age=never", -1),
        ("a=1; expires=Thu, 01 Jan 1970 01:00:00 GMT", 3600),
        ("a=1; expires=tomorrow", -1),
        ("a=1; max-age=5; expires=Thu, 01 Jan 1970 01:00:00 GMT", NOW + 5),
    ],
)
def test_when_a_cookie_ends(text: str, expires: float) -> None:
    assert parse_cookie(text, LOCAL, "", NOW, by_header=True)[0].expires == expires


def test_no_cookie_lives_for_more_than_400_days() -> None:
    (kept,) = accept((), Cookie(context="", name="a", value="1", domain="x.test", expires=10**12), NOW)

    assert kept.expires == NOW + 400 * 24 * 3600


def test_a_cookie_that_is_set_again_keeps_its_place_unless_it_changes() -> None:
    first, second = (Cookie(context="", name=name, value="1", domain="x.test") for name in "ab")
    jar = accept(accept((), first, NOW), second, NOW)

    same = replace(first, priority="High")
    changed = replace(first, value="2")
    assert accept(jar, same, NOW) == (same, second)
    assert accept(jar, changed, NOW) == (second, changed)


def test_paths_end_at_a_slash() -> None:
    def belongs(path: str, url: str) -> bool:
        return bool(for_url((Cookie(context="", name="a", value="1", domain="x.test", path=path),), "", url, NOW))

    assert belongs("/a", "http://x.test/a/b")
    assert belongs("/a/", "http://x.test/a/b")
    assert not belongs("/a", "http://x.test/ab")


def test_cookies_are_sent_in_the_order_of_their_paths_the_longest_first_and_then_the_oldest() -> None:
    jar = tuple(
        Cookie(context="", name=name, value="1", domain="x.test", path=path)
        for name, path in {"old": "/", "deep": "/a/b", "young": "/", "middle": "/a"}.items()
    )

    sent = for_url(jar, "", "http://x.test/a/b", NOW)

    assert [cookie.name for cookie in sent] == ["deep", "middle", "old", "young"]


def test_a_partitioned_cookie_is_not_modelled(client: Client, page: str) -> None:
    partition = {"topLevelSite": LOCAL, "hasCrossSiteAncestor": False}
    given = {"name": "a", "value": "1", "url": LOCAL, "partitionKey": partition}

    for method, params in (("Network.setCookie", given), ("Network.setCookies", {"cookies": [given]})):
        refusal = client.error(method, params, page)
        assert "cdp_typed.mock models no partitioned cookies" in refusal["message"]


def test_a_script_sees_what_it_has_set_before_and_after_a_dialog(client: Client, page: str) -> None:
    visit(client, page)

    evaluate(client, page, "let before = document.cookie; document.cookie = 'a=1'; alert(1); before + document.cookie")
    put(client, page, name="b")
    got = client.send("Page.handleJavaScriptDialog", {"accept": True}, page)

    assert value(got) == "a=1; b=v"


def test_a_third_party_keeps_nothing_whatever_it_says(client: Client, page: str) -> None:
    for path in ("/cross", "/cross-open"):
        visit(client, page, path)
        assert names(client, page, urls=[f"{REMOTE}/"]) == []
    inner = client.attached("frame")
    client.enable(inner, "Page", "Runtime")
    client.send("Runtime.runIfWaitingForDebugger", {}, inner)
    assert value(evaluate(client, inner, "document.cookie = 'x=1; samesite=none; secure'; document.cookie")) == ""


def test_a_held_request_shows_the_cookies_that_go_with_it(client: Client, page: str) -> None:
    visit(client, page)
    put(client, page, name="a")
    put(client, page, name="strict", url=f"{REMOTE}/", sameSite="Strict")
    hold(client, page)
    evaluate(client, page, "fetch('/data')")

    assert paused(client)["request"]["headers"]["Cookie"] == "a=v"
    decide(client, page, "continueRequest")
    evaluate(client, page, f"fetch('{REMOTE}/data')")
    assert "Cookie" not in paused(client)["request"]["headers"]


def test_a_context_takes_its_cookies_with_it(client: Client, browser: MockBrowser) -> None:
    context = client.result("Target.createBrowserContext")["browserContextId"]
    place = {"browserContextId": context}
    client.result("Storage.setCookies", {**place, "cookies": [{"name": "a", "value": "1", "url": LOCAL}]})
    client.result("Storage.setCookies", {"cookies": [{"name": "b", "value": "1", "url": LOCAL}]})

    client.result("Target.disposeBrowserContext", place)

    assert [cookie.name for cookie in browser.cookies] == ["b"]
