"""What is read of an exported list of cookies is what was written, or it is refused."""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import math
import shlex
import string
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed.protocol import network
from supervisor.addons.storage.cookie_line import cookie_of
from supervisor.addons.storage.cookie_lists import cookies_in
from supervisor.tools.framework.tool_errors import InvalidArgument

PAGE = "https://page.test/at"

names = st.text(string.ascii_letters + string.digits + "_-", min_size=1)
values = st.text(string.ascii_letters + string.digits + "'\"!#$%&()*+-./:=?@[]^_`{|}~")
pairs = st.lists(st.tuples(names, values), min_size=1, max_size=5)
exported = st.fixed_dictionaries(
    {"name": names, "value": values},
    optional={
        "domain": st.sampled_from(["shop.test", ".shop.test", "www.shop.test", None]),
        "path": st.sampled_from(["/", "/x", None]),
        "expires": st.one_of(st.just(-1), st.floats(1, 1e11), st.none()),
        "httpOnly": st.booleans(),
        "secure": st.booleans(),
        "sameSite": st.sampled_from(["Strict", "lax", "no_restriction", "unspecified", None]),
    },
)


def found(cookies: list[network.SetCookie]) -> list[tuple[str, str]]:
    return [(each.name, each.value) for each in cookies]


@given(pairs)
def test_a_header_and_a_curl_command_say_the_pairs_that_were_written(pairs: list[tuple[str, str]]) -> None:
    header = "; ".join(f"{name}={value}" for name, value in pairs)

    assert found(cookies_in(f"Cookie: {header}", PAGE, None)) == pairs
    for option in ("-b ", "-b", "--cookie ", "-H ", "-H"):
        given = header if option.startswith(("-b", "--c")) else f"cookie: {header}"
        command = f"curl https://shop.test/x {option}{shlex.quote(given)} -H 'Referer: https://other.test/'"
        read = cookies_in(command, PAGE, None)
        assert found(read) == pairs
        assert {each.url for each in read} == {"https://shop.test/x"}


@given(st.lists(st.tuples(names, values, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_cookies_txt_says_what_python_wrote(rows: list[tuple[str, str, bool, bool, bool]]) -> None:
    with TemporaryDirectory() as folder:
        jar = http.cookiejar.MozillaCookieJar(Path(folder, "cookies.txt"))
        for at, (name, value, for_all, is_secure, http_only) in enumerate(rows):
            flags = ("." * for_all + "shop.test", True, for_all, f"/{at}", True, is_secure)
            rest = {"HTTPOnly": ""} if http_only else {}
            jar.set_cookie(
                http.cookiejar.Cookie(0, name, value, None, False, *flags, 2_000_000_000, False, None, None, rest)
            )
        jar.save()
        text = Path(folder, "cookies.txt").read_text()

    read = cookies_in(text, PAGE, None)

    assert sorted(
        (each.path, each.name, each.value, each.domain is not None, bool(each.secure), bool(each.http_only))
        for each in read
    ) == sorted((f"/{at}", *row) for at, row in enumerate(rows))
    assert {each.expires for each in read} == {2_000_000_000}


@given(st.lists(exported, min_size=1, max_size=5))
def test_json_says_what_was_written(entries: list[dict[str, Any]]) -> None:
    for entry, read in zip(entries, cookies_in(json.dumps(entries), PAGE, None), strict=True):
        domain = entry.get("domain") or "page.test"
        expires = entry.get("expires") or 0
        assert (read.name, read.value, read.path) == (entry["name"], entry["value"], entry.get("path") or "/")
        assert urlsplit(read.url or "").hostname == domain.lstrip(".")
        assert read.domain == (domain if domain.startswith(".") else None)
        assert read.expires == (expires if expires > 0 else None)
        assert bool(read.http_only) == entry.get("httpOnly", False)
        assert bool(read.secure) == (entry.get("secure", False) or not entry.get("domain"))
        same_site = (entry.get("sameSite") or "unspecified").lower()
        assert (read.same_site or "unspecified").lower() == same_site.replace("no_restriction", "none")


@given(st.sampled_from(["", "curl https://a.test ", "[", "# x\n", "Cookie: ", "a.test\t"]), st.text())
def test_any_other_text_is_refused_in_one_way(begin: str, text: str) -> None:
    cookies: list[network.SetCookie] = []
    with contextlib.suppress(InvalidArgument):
        cookies += cookies_in(begin + text, PAGE, None)
    with contextlib.suppress(InvalidArgument):
        cookies += [cookie_of(begin + text, PAGE)]

    assert all(math.isfinite(each.expires or 0) for each in cookies)


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "a", "value": "1", "domain": "a.test", "httpOnly": "true"}]',
        '[{"name": "a", "value": "1", "domain": "a.test", "expires": "2030-01-01"}]',
        '[{"name": "a", "value": "1", "domain": "a.test", "expires": NaN}]',
        '[{"name": "a", "value": "1", "domain": "a.test", "expires": 1e999}]',
        '[{"name": "a", "value": "1", "domain": "a.test", "sameSite": "Laks"}]',
        "[" * 100_000,
        "a.test\tFALSE\t/\tFALSE\t1\ta\tb\nb.test FALSE / FALSE 1 a b",
        "a.test\tFALSE\t/\tyes\t1\ta\tb",
        f"a.test\tFALSE\t/\tFALSE\t{'9' * 400}\ta\tb",
        "Cookie: a=1; b",
        "Cookie: a=1\nAccept: */*",
        "curl -x http://proxy.test https://a.test -b a=1",
        "curl https://a.test -b $'a=\\ud83d'",
    ],
)
def test_what_would_be_read_as_something_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        cookies_in(text, PAGE, None)


@pytest.mark.parametrize("text", [f"a=1; Max-Age={'9' * 400}", "a=1; Max-Age=--5"])
def test_a_time_that_no_clock_shows_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        cookie_of(text, PAGE)


def test_what_a_command_says_in_parts_is_read_whole() -> None:
    read = cookies_in(r"curl https://a.test -b a=1 -H 'Cookie: b=2' --cookie $'c=\ud83d\ude00'", PAGE, None)

    assert found(read) == [("a", "1"), ("b", "2"), ("c", "😀")]
