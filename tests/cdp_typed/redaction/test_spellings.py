"""A secret is found however a page, an address or a program has written it."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed.redaction import Redaction
from cdp_typed.redaction.spellings import without
from cdp_typed.redaction.texts import REDACTED

SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "encodeURIComponent": lambda text: quote(text, safe="!~*'()-._"),
    "lower-case percents": lambda text: quote(text, safe="").replace("%C3", "%c3"),
    "every byte": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "a form": quote_plus,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON with all letters": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON of JavaScript for HTML": lambda text: json.dumps(text)[1:-1].replace("<", "\\u003c").replace("/", "\\/"),
    "hex of JavaScript": lambda text: "".join(f"\\u{{{ord(character):x}}}" for character in text),
    "innerHTML": lambda text: html.escape(text, quote=False).replace("\xa0", "&nbsp;"),
    "an attribute": html.escape,
    "numbers of HTML": lambda text: "".join(f"&#{ord(character)};" for character in text),
}
_ANY = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=4, max_size=12)
SECRETS = _ANY.filter(lambda secret: "\\" not in secret) | st.text("ab \\n%41&;#'\"+/", min_size=8, max_size=12)
"""In a text that is undone, a short one with a backslash of its own is less than what is hidden wherever it comes."""


@given(SECRETS, st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=1, max_size=4))
def test_a_secret_is_hidden_in_any_spelling_of_any_spelling(secret: str, ways: list[str]) -> None:
    written = secret
    for way in ways:
        written = SPELLINGS[way](written)

    assert without(f"<a {written} b>", [secret], "[-]") == "<a [-] b>"


@given(SECRETS, st.data())
def test_each_character_may_be_spelled_in_its_own_way(secret: str, data: st.DataObject) -> None:
    ways = [data.draw(st.sampled_from(["every byte", "hex of JavaScript", "numbers of HTML"])) for _ in secret]
    written = "".join(SPELLINGS[way](character) for way, character in zip(ways, secret, strict=True))

    assert without(f"<a {written} b>", [secret], "[-]") == "<a [-] b>"


@given(st.text(max_size=200), st.lists(SECRETS, max_size=3))
def test_a_text_without_a_secret_stays_as_it_is(text: str, secrets: list[str]) -> None:
    marked = [f"\ue000{secret}" for secret in secrets]

    assert without(text.replace("\ue000", ""), marked, "[-]") == text.replace("\ue000", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hunter2 and hunter2", "[-] and [-]"),
        ("%68unter2hunter%32", "[-][-]"),
        ("q=hunter2%20more&x=%zz%4", "q=[-]%20more&x=%zz%4"),
        ("a+b+c+d and a b c d", "[-] and [-]"),
        ("&unknown; \\u12 \\ud83d &#; hunter2", "&unknown; \\u12 \\ud83d &#; [-]"),
        ("hunter2more", "[-]"),
    ],
)
def test_only_the_secrets_are_replaced(text: str, shown: str) -> None:
    assert without(text, ["hunter2", "a b c d", "hunter2more"], "[-]") == shown


class Searched(str):
    """A text that counts how often it is searched."""

    __slots__ = ("searches",)

    def find(self, *given: Any) -> int:
        self.searches = getattr(self, "searches", 0) + 1
        return super().find(*given)


@pytest.mark.parametrize("count", [1, 20, 200, 1000])
def test_a_long_text_is_read_once_for_all_secrets(count: int) -> None:
    secrets = [f"s3cr3t-{number:04}-of-ada" for number in range(count)] + ["s3cr3t-0000-of", "0000-of-ada-and-more"]
    text = Searched(f"a {secrets[0]}-and-more b {secrets[-3]} c" + " of a page" * 40_000)

    assert without(text, secrets, "[-]") == "a [-] b [-] c" + " of a page" * 40_000
    assert getattr(text, "searches", 0) == 0


@pytest.mark.parametrize("size", [10, 100_000])
@pytest.mark.parametrize(
    ("secrets", "text", "shown"),
    [
        (["hunter2", "ter2more"], "hunter2more", "[-]"),
        (["hunter2", "hunter2more", "hunt"], "hunter2more hunter hunt2", "[-] [-]er [-]2"),
        (["aaaa"], "aaaaaaa", "[-]"),
        (["s" * 300 + "a", "s" * 300 + "b"], "s" * 300 + "b", "[-]"),
        (["a", "b c"], "xab+cx", "x[-][-]x"),
    ],
)
def test_overlapping_secrets_are_hidden_in_any_text(secrets: list[str], text: str, shown: str, size: int) -> None:
    assert without(text + "." * size, secrets, "[-]") == shown + "." * size


def test_a_recording_hides_them_all() -> None:
    redaction = Redaction()
    secret = "p\u00e4ss/w\u00f6rd & 'more'"
    redaction.hide(secret)

    for name, spelling in SPELLINGS.items():
        assert redaction.text(f"it is {spelling(spelling(secret))}.") == f"it is {REDACTED}.", name
