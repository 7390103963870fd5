"""The request of an opening handshake, and the `Retry-After` of a refusal."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from cdp_typed.transport.handshake import Handshake, parse_retry_after
from tests.support.secrets import CANARY


def test_user_info_leaves_the_url_and_becomes_a_header_unless_one_is_given() -> None:
    wanted = Handshake.of("ws://us%40er:pw@h.example/devtools?token=t", {"X-Key": "k"}, None)
    given = Handshake.of("ws://user:pw@h:1/", {"authorization": "Bearer t"}, None)

    assert (wanted.url, wanted.host) == ("ws://h.example/devtools?token=t", "h.example")
    assert (wanted.port, wanted.ssl) == (80, None)
    assert wanted.headers == {"X-Key": "k", "Authorization": "Basic dXNAZXI6cHc="}
    assert given.headers == {"authorization": "Bearer t"}


def test_what_is_secret_is_not_shown() -> None:
    wanted = Handshake.of(
        f"wss://{CANARY}:{CANARY}@h/{CANARY}-{CANARY}-{CANARY}?{CANARY}={CANARY}", {"X": CANARY}, None
    )

    assert repr(wanted) == "Handshake(shown='wss://h/...')"
    assert (wanted.port, wanted.ssl is not None) == (443, True)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, None), ("", None), ("soon", None), ("-1", None), ("\u0663", None), ("0", 0.0), (" 120 ", 120.0)],
)
def test_seconds_to_wait_are_read(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value) == seconds


def test_a_date_to_wait_for_is_read() -> None:
    assert parse_retry_after(formatdate(time.time() + 60, usegmt=True)) == pytest.approx(60, abs=2)
    assert parse_retry_after(formatdate(time.time() - 60, usegmt=True)) == 0
