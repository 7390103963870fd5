"""Texts of pages and servers, made to make expressions look again and again: the work grows as the text does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cdp_typed.addresses import quote, redact
from cdp_typed.cli.arguments import clean
from cdp_typed.mock.js.numbers import number_of
from cdp_typed.mock.runtime.expressions import strip_source_url
from cdp_typed.mock.state.http import HttpResponse, page_of
from cdp_typed.recording.traffic_log import MessageLog
from cdp_typed.redaction import Redaction
from cdp_typed.transport.heartbeat import is_heartbeat
from cdp_typed.wire.envelopes import leading_id
from cdp_typed.wire.json_text import repair
from tests.support.work import QUADRATIC, growth

TEXTS: dict[str, Callable[[int], str]] = {
    "letters": lambda n: "://" + "a" * n,
    "dots": lambda n: "://" + "a." * (n // 2),
    "plus_signs": lambda n: "a" + "+a" * (n // 2) + "://",
    "questions": lambda n: "://" + "?" * n,
    "parts_of_a_query": lambda n: "://" + "?a" * (n // 2),
    "ampersands": lambda n: "://" + "&a" * (n // 2) + "=",
    "at_signs": lambda n: "://" + "a@" * (n // 2),
    "schemes": lambda n: "a://" * (n // 4),
    "user_info_without_end": lambda n: "a://" + "b" * n,
    "colons": lambda n: "a" + ":1" * (n // 2),
    "ports": lambda n: "a:" + "1" * n,
    "ends_of_sentences": lambda n: "a://" + "." * n,
    "words": lambda n: "a://b " * (n // 6),
    "blanks": lambda n: "a" + " " * n + "b",
    "lines": lambda n: "x\n" * (n // 2),
    "header_lines": lambda n: "x" * n + "\nx:" + " " * n + "\n",
    "backslashes": lambda n: "\\" * n,
    "surrogates": lambda n: "\\ud800" * (n // 6),
    "digits": lambda n: "1" * n + "x",
    "tokens": lambda n: "a" * n + " " + "b" * 19 + " ",
    "quotes": lambda n: 'key: "' * (n // 6),
    "half_names": lambda n: '"a' * (n // 2) + ":",
    "long_names": lambda n: "password" * (n // 8) + '="',
    "half_headers": lambda n: "cookie: " * (n // 8),
    "schemes_of_headers": lambda n: "bearer " * (n // 7),
    "half_keys": lambda n: "eyJ" * (n // 3) + ".",
    "dotted_keys": lambda n: "eyJaaaaaaaa." * (n // 12),
    "cards": lambda n: "4111 " * (n // 5),
    "private_keys": lambda n: "-----BEGIN PRIVATE KEY-----" * (n // 27),
    "slashes": lambda n: "/a" * (n // 2),
    "named": lambda n: "\n//# sourceURL=" + " " * n + "\nx",
    "titles": lambda n: "<title" * (n // 6),
    "open_titles": lambda n: "<title>" * (n // 7),
    "scripts": lambda n: "<script>" * (n // 8),
    "json": lambda n: '{"id":1' + " " * n + "x",
}

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "a text in a recording": Redaction().value,
    "a name in a recording": lambda text: Redaction().value({text: "value", "name": text, "value": "x"}),
    "headers in a recording": lambda text: Redaction().params(
        "Network.responseReceivedExtraInfo", {"headersText": text}
    ),
    "a line of a recording": lambda text: MessageLog("A", Redaction()).entry(
        0, "received", json.dumps({"method": text, "params": {}}).encode()
    ),
    "an error on a command line": clean,
    "an address": redact,
    "a refusal": lambda text: quote(text.encode("utf-8", "replace"), ["secret"]),
    "a message": lambda text: repair(text.encode()),
    "an id": lambda text: leading_id(text.encode()),
    "a sign of life": lambda text: is_heartbeat(text.encode()),
    "an expression of the mock's": strip_source_url,
    "a number of the mock's": number_of,
    "a document of the mock's": lambda text: page_of(HttpResponse(200, body=text)),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_work_grows_as_the_text_does(name: str) -> None:
    grown = {of: growth(FUNCTIONS[name], text) for of, text in TEXTS.items()}

    assert {of: times for of, times in grown.items() if times > QUADRATIC} == {}
