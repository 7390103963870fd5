"""What becomes of an error that the browser replies: its class, its text, and the hint behind it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.errors import CommandError, InvalidParams, MethodNotFound, SessionNotFound
from cdp_typed.protocol import page
from cdp_typed.wire.router import CallFailed, Router

RELOAD = page.Reload()


def _error_reply(error: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"id": 1, "error": error, **more}).encode()


@pytest.mark.parametrize(
    ("code", "kind"),
    [(-32601, MethodNotFound), (-32602, InvalidParams), (-32001, SessionNotFound), (-32000, CommandError)],
)
def test_an_error_reply_fails_its_call_by_its_code(code: int, kind: type[CommandError]) -> None:
    router = Router()
    router.send(RELOAD, "S")

    (failure,) = router.receive(_error_reply({"code": code, "message": "no", "data": {"d": 1}}))

    assert isinstance(failure, CallFailed)
    assert type(failure.error) is kind
    assert isinstance(failure.error, CommandError)
    told = {"code": code, "message": "no", "data": {"d": 1}}
    assert vars(failure.error) == told | {"method": "Page.reload", "session": "S"}


def test_the_text_of_an_error_is_short_and_hides_nothing() -> None:
    """A page may have written it; what a program reads is as it was sent."""
    message, data = "no\x1b[2J\u202e\ufe0f" + "m" * 1000, "why\n" + "d" * 1000
    router = Router()
    router.send(RELOAD, "S")

    (failure,) = router.receive(_error_reply({"code": -32000, "message": message, "data": data}))

    assert isinstance(failure, CallFailed)
    assert isinstance(failure.error, CommandError)
    assert (failure.error.message, failure.error.data) == (message, data)
    assert str(failure.error) == (
        rf"Page.reload: no\x1b[2J\u202e\ufe0f{'m' * 492}... (508 more characters)"
        rf" (why\n{'d' * 496}... (504 more characters)) [-32000]"
    )


@pytest.mark.parametrize(
    ("asked_of", "answered_by", "hint"),
    [
        (
            "S",
            None,
            "; the browser answered in place of the session, so it has no flat sessions: connect to the page's ",
        ),
        ("S", "S", ""),
    ],
)
def test_a_browser_that_answers_for_a_session_is_told(asked_of: str | None, answered_by: str | None, hint: str) -> None:
    """Chrome 64 attaches, and then takes every command for one to the browser."""
    router = Router()
    router.send(RELOAD, asked_of)
    session = {} if answered_by is None else {"sessionId": answered_by}

    (failure,) = router.receive(_error_reply({"code": -32601, "message": "no such method"}, **session))

    assert isinstance(failure, CallFailed)
    text = "Page.reload: no such method [-32601]"
    assert str(failure.error) == text + (f"{hint}websocket" if hint else "")


_TO_A_PAGE = "send the commands of Page to the session of a page: `browser.new_page()`, `browser.attach(target_id)`"


@pytest.mark.parametrize(
    ("at_browser", "method", "hint"),
    [
        (True, "Page.reload", f"; this went to the browser itself, {_TO_A_PAGE}"),
        (None, "Page.reload", f"; if this went to a browser, {_TO_A_PAGE}"),
        (False, "Page.reload", ""),
        (True, "Browser.crash", ""),
        (True, "Page.fold", ""),
    ],
)
def test_a_page_command_sent_to_the_browser_names_the_remedy(at_browser: bool | None, method: str, hint: str) -> None:
    router = Router(at_browser=at_browser)
    router.open(method, {}, None, None)

    (failure,) = router.receive(_error_reply({"code": -32601, "message": f"'{method}' wasn't found"}))

    assert isinstance(failure, CallFailed)
    assert str(failure.error) == f"{method}: '{method}' wasn't found [-32601]{hint}"
