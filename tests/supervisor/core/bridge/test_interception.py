"""Requests that the browser holds: who decides about which, in the core."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import fetch, runtime
from supervisor import InvalidConfig, UrlRules
from supervisor.core.state.bridge import Interception
from supervisor.core.vocabulary import bridge_protocol, inputs, requests
from supervisor.core.vocabulary.chromium import LACKS
from supervisor.core.vocabulary.command_tags import SettingSent
from supervisor.core.vocabulary.effects import Effect, Send
from tests.support.core.bridge import SECRET, bridge, paused
from tests.support.core.play import PAGE, TOP, Core, attached, sent, with_oopif, with_page
from tests.support.secrets import CANARY

NO_EVIL = inputs.UrlRulesAdded(UrlRules(deny_origins=("evil.test",)))
NO_WORSE = inputs.UrlRulesAdded(UrlRules(deny_origins=("worse.test",)))
DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")
HOLD_DOCUMENTS = fetch.Enable(patterns=[DOCUMENTS])
REQUEST = fetch.RequestId("r-1")
LET_GO = fetch.ContinueRequest(request_id=REQUEST)
FAILED = fetch.FailRequest(request_id=REQUEST, error_reason="BlockedByClient")


def document(url: str, session: str = PAGE) -> inputs.EventReceived:
    return paused(url, session=session, type="Document", method="GET")


def holding(effects: list[Effect]) -> list[tuple[str | None, Any]]:
    """The commands of the Fetch domain, and their sessions."""
    return [(send.session_id, send.command) for send in sent(effects) if send.command.METHOD.startswith("Fetch.")]


def with_bridge(core: Core, **changes: Any) -> Core:
    """An armed one; `changes` are of what is wanted besides it."""
    core.having(bridge=bridge("always"), interception=Interception(**changes))
    core.state = replace(core.state, pending_changes=frozenset({"targets"}))
    return core


def test_without_restrictions_nothing_is_held() -> None:
    core = with_oopif()
    nothing = inputs.UrlRulesAdded(UrlRules())
    assert holding(core.play(nothing, attached("new", "u", opener=TOP), document("http://evil.test/"))) == []


def test_every_session_has_its_documents_held_from_now_on() -> None:
    core = with_oopif()
    assert holding(core.play(NO_EVIL)) == [
        (None, HOLD_DOCUMENTS),
        (PAGE, HOLD_DOCUMENTS),
        ("session-oopif", HOLD_DOCUMENTS),
    ]
    assert holding(core.play(NO_EVIL, NO_WORSE)) == []


def test_what_no_session_of_a_page_holds_is_held_by_the_browsers_own() -> None:
    core = with_page().after(NO_EVIL)
    event = replace(document("http://evil.test/"), session_id=None)
    assert holding(core.play(event)) == [(None, FAILED)]
    assert holding(core.play(replace(document("http://a.test/"), session_id=None))) == [(None, LET_GO)]
    assert core.state.world.interception.refusals == 1


def test_the_pages_of_others_are_not_held() -> None:
    core = with_page().having(page_ownership={"scope": "own"})
    assert holding(core.play(NO_EVIL)) == [(PAGE, HOLD_DOCUMENTS)]
    assert holding(core.play(replace(document("http://evil.test/"), session_id=None))) == []


def test_a_browser_that_holds_page_by_page_only_is_said_to() -> None:
    refusal = CommandError(-32601, "'Fetch.enable' wasn't found", method="Fetch.enable", session=None)
    core = with_page().after(NO_EVIL, inputs.CommandFailed(SettingSent(None, "hold_all_requests"), refusal))
    assert core.state.world.capabilities.lacking == (LACKS["hold_all_requests"],)


def test_a_new_session_is_told_before_its_page_runs() -> None:
    core = with_page().after(NO_EVIL)
    sends = sent(core.play(attached("new", "u", opener=TOP, waiting=True)))
    assert holding(list[Effect](sends)) == [("new", HOLD_DOCUMENTS)]
    assert sends[-1] == Send(command=runtime.RunIfWaitingForDebugger(), session_id="new")


HELD: dict[str, tuple[inputs.EventReceived, list[Any]]] = {
    "an allowed one": (document("http://a.test/"), [LET_GO]),
    "a denied one": (document("http://evil.test/"), [FAILED]),
    "one that a later rule denies": (document("http://worse.test/"), [FAILED]),
    "with a user name and a port": (document(f"http://user:{CANARY}@evil.test:80/path?{CANARY}"), [FAILED]),
    "without an origin": (document("about:blank"), [LET_GO]),
    "what a page fetches is not ours to decide": (paused("http://evil.test/", type="Image"), []),
    "a session that was told nothing holds nothing for us": (document("http://evil.test/", session="elsewhere"), []),
}


@pytest.mark.parametrize(("held", "expected"), HELD.values(), ids=HELD)
def test_each_document_is_let_go_or_fails_at_once(held: inputs.EventReceived, expected: list[Any]) -> None:
    core = with_page().after(NO_EVIL, NO_WORSE)
    assert holding(core.play(held)) == [(PAGE, command) for command in expected]


def test_a_refusal_is_a_change_that_shows_nothing_secret() -> None:
    core = with_page().after(NO_EVIL, document("http://a.test/"))
    core.play(document("http://me:canary@evil.test:81/canary?canary"), document("http://evil.test/"))
    changes = [change for change in core.state.world.change_log.changes if change.kind == "navigation_refused"]
    assert [(change.subject, change.text) for change in changes] == [
        (TOP, "its origin is denied: http://evil.test:81"),
        (TOP, "its origin is denied: http://evil.test"),
    ]


def test_with_logins_everything_is_held_and_only_documents_are_judged() -> None:
    core = with_page().having(interception=Interception(http_auth=True))
    everything = fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")], handle_auth_requests=True)
    assert holding(core.play(NO_EVIL)) == [(None, HOLD_DOCUMENTS), (PAGE, everything)]
    assert holding(core.play(paused("http://evil.test/", type="Image"))) == [(PAGE, LET_GO)]
    assert holding(core.play(document("http://evil.test/"))) == [(PAGE, FAILED)]
    assert holding(core.play(document("http://a.test/"))) == [(PAGE, LET_GO)]


def test_with_the_bridge_both_are_held_and_neither_answers_for_the_other() -> None:
    core = with_bridge(with_page())
    core.play(NO_EVIL)
    both = fetch.Enable(patterns=[bridge_protocol.pattern(SECRET), DOCUMENTS])
    assert holding(core.play(attached("new", "u", opener=TOP))) == [("new", both)]
    path = bridge_protocol.session_keys(SECRET, "new").path
    assert holding(core.play(document("http://a.test/", session="new"))) == [("new", LET_GO)]
    assert holding(core.play(document("http://evil.test/", session="new"))) == [("new", FAILED)]
    # A document at the bridge's address is no question of its script: the bridge has it fail, once.
    assert holding(core.play(document(f"http://evil.test{path}", session="new"))) == [("new", FAILED)]
    assert holding(core.play(requests.BridgeEnding("call")))[-1] == ("new", HOLD_DOCUMENTS)


def test_a_restriction_outlives_the_connection() -> None:
    core = with_page().after(inputs.Disconnected("gone"))
    assert holding(core.play(NO_EVIL)) == []
    again = holding(core.play(inputs.Connected("this-browser"), attached("back", TOP)))
    assert [entry for entry in again if entry[0] in (None, "back")] == [
        (None, HOLD_DOCUMENTS),
        ("back", HOLD_DOCUMENTS),
    ]


@pytest.mark.parametrize(("key", "value"), [("allow_origins", "a.test"), ("deny_origins", ("a.test", 1))])
def test_patterns_are_several_texts(key: str, value: Any) -> None:
    with pytest.raises(InvalidConfig, match=rf"^{key}=.* is not allowed; expected a list of texts"):
        UrlRules(**{key: value})
