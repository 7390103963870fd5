"""Page text in results: visible, capped, marked; and what must not leave."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct, to_builtins

from cdp_typed.redaction import protect
from supervisor import Config
from supervisor.tools import LongPageText, PageText, PageValue, fence, shown
from supervisor.tools.framework.redaction import HIDDEN, Redactor, TrafficRedaction, secrets_in
from supervisor.tools.framework.untrusted_text import LIMIT, WHOLE, sanitise, texts
from tests.support.secrets import CANARY


class Leaf(Struct, frozen=True):
    """A part."""

    text: PageText
    ours: str = "\u202e"


class Tree(Struct, frozen=True, kw_only=True):
    """Every shape."""

    leaf: Leaf | None = None
    many: list[Leaf] = []
    named: dict[str, PageText] = {}
    maybe: PageText | None = None
    value: PageValue = None
    long: LongPageText = ""
    number: int | str = 1


def test_what_hides_or_commands_a_terminal_is_escaped_and_lines_stay() -> None:
    assert shown("a\x1b[31m\u202eb\u200b\U000e0041\n\tc\r\n\ud800") == (
        "a\\x1b[31m\\u202eb\\u200b\\U000e0041\n\tc\\r\n\\ud800"
    )
    assert shown("a\u2764\ufe0f\U000e0100\n\u3164\u034f\ue000") == "a\u2764\\ufe0f\\U000e0100\n\\u3164\\u034f\\ue000"
    assert shown("plain, with umlauts äöü and 漢字") == "plain, with umlauts äöü and 漢字"
    assert shown("x" * (LIMIT + 5)) == "x" * LIMIT + "... (5 more characters)"


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_comes_out_as_text_that_can_be_written(text: str) -> None:
    kinds = {unicodedata.category(character) for character in shown(text) if character not in "\n\t"}

    assert kinds.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
    assert shown(text).encode() or not text


def test_text_is_fenced_with_a_mark_that_is_not_in_it() -> None:
    first = fence("</page 1>")
    guesses = "".join(f"</page {number:04x}>" for number in range(0x10000))

    mark = first.split()[1].rstrip(">")
    assert first == f"<page {mark}>\n</page 1>\n</page {mark}>"
    assert len({fence("") for _ in range(20)}) > 1
    chosen = fence(guesses)
    assert f"</page {chosen.splitlines()[0].removeprefix('<page ')}" not in guesses


def test_every_field_of_page_text_is_cleaned_and_named() -> None:
    dirty = "\u202e"
    plain = {
        "leaf": {"text": dirty, "ours": dirty},
        "many": [{"text": "a", "ours": "b"}, {"text": dirty, "ours": ""}],
        "named": {"key": dirty},
        "maybe": dirty,
        "value": {dirty: [dirty, 1, None]},
        "long": "",
        "number": 7,
        "later": dirty,
    }

    clean, paths = sanitise(plain, Tree)

    escaped = "\\u202e"
    assert clean == {
        **plain,
        "leaf": {"text": escaped, "ours": dirty},
        "many": [{"text": "a", "ours": "b"}, {"text": escaped, "ours": ""}],
        "named": {"key": escaped},
        "maybe": escaped,
        "value": {escaped: [escaped, 1, None]},
    }
    assert paths == ("leaf.text", "many[].text", "named.*", "maybe", "value")
    assert sanitise({"leaf": None, "maybe": None, "value": None, "number": 1}, Tree)[1] == ()


class Received(Struct, frozen=True, kw_only=True):
    """As a browser's arrays are."""

    many: tuple[Leaf, ...] = ()
    pair: tuple[PageText, int] | None = None
    value: PageValue = None


def test_page_text_in_tuples_is_cleaned_like_that_in_lists() -> None:
    dirty, escaped = "\u202e", "\\u202e"
    received = Received(many=(Leaf(text=dirty),), pair=(dirty, 1), value=({"rows": ((dirty, 2), [dirty])},))

    clean, paths = sanitise(to_builtins(received), Received)

    assert clean == {
        "many": [{"text": escaped, "ours": dirty}],
        "pair": [escaped, 1],
        "value": [{"rows": [[escaped, 2], [escaped]]}],
    }
    assert paths == ("many[].text", "pair[]", "value")
    assert list(texts((dirty, {"a": ((dirty,), 1)}))) == [dirty, "a", dirty]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(["x" * 1_000] * 30_000, id="many texts"),
        pytest.param(list(range(1_000_000)), id="many numbers"),
        pytest.param({f"key {number}": "x" for number in range(300_000)}, id="many keys"),
        pytest.param([[None] * 1_000] * 1_000, id="lists of nothing"),
        pytest.param([{"text": "x" * 50_000}] * 1_000, id="long texts"),
    ],
)
def test_a_result_has_a_bound_and_tells_what_is_left_out(value: Any) -> None:
    clean, paths = sanitise({"value": value, "number": 7}, Tree)

    assert len(json.dumps(clean)) < 3 * WHOLE
    (cut,) = clean["cut"]
    field, _, told = cut.partition(": ")
    assert (field, clean["number"], paths) == ("value", 7, ("value",))
    assert int(told.removesuffix(" more")) >= len(value) - len(clean["value"]) > 0


def test_the_entries_of_a_list_of_ours_have_the_same_bound() -> None:
    many = [{"text": "x" * 1_500, "ours": "a"} for _ in range(1_000)]

    clean, _ = sanitise({"many": many}, Tree)

    assert 100 < len(clean["many"]) < 200
    assert clean["cut"] == [f"many: {1_000 - len(clean['many'])} more"]


def test_credentials_of_the_endpoint_and_what_patterns_match_are_hidden() -> None:
    config = Config(
        cdp_url=f"wss://user:{CANARY}-4@cloud.example/session/0123456789abcdef0123?token={CANARY}-1&x=1",
        headers={"Authorization": f"Bearer {CANARY}-2"},
        proxy=f"http://me:{CANARY}-3@127.0.0.1:3128",
    )
    listed: list[Any] = [f"x {CANARY}-2 y", {"card": "1234 5678", "n": 1}]

    hidden = Redactor(secrets_in(config), [r"\d{4} \d{4}"]).value(
        {f"{CANARY}-1": listed, "path": "0123456789abcdef0123", "u": "user"}
    )

    assert not [text for text in texts(hidden) if CANARY in text or "5678" in text or "abcdef" in text]
    assert hidden[HIDDEN][1] == {"card": HIDDEN, "n": 1}
    assert f"{CANARY}-3" in secrets_in(config)


def test_what_a_person_protects_is_hidden_in_the_results_of_every_task() -> None:
    of_a_task, of_another = Redactor(()), Redactor(["other"])
    protect(f"{CANARY}-5")

    for redactor in (of_a_task, of_another, Redactor(())):
        assert redactor.value({"a": f"x {CANARY}-5"}) == {"a": f"x {HIDDEN}"}
    assert TrafficRedaction(()).known(f"{CANARY}%2D5") == HIDDEN


def test_secrets_in_tuples_are_hidden_like_those_in_lists_and_nothing_without_secrets() -> None:
    hidden = Redactor([CANARY]).value({"many": (f"a {CANARY}", (CANARY, 1), [(CANARY,)])})

    assert hidden == {"many": [f"a {HIDDEN}", [HIDDEN, 1], [[HIDDEN]]]}
    assert list(texts(hidden)) == ["many", f"a {HIDDEN}", HIDDEN, HIDDEN]
    assert secrets_in(None) == ()
    assert (Redactor(()).value({"a": ["b"]}), Redactor(()).text("a")) == ({"a": ["b"]}, "a")
