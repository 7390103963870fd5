"""Requests that the browser holds for logins, in the core."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from cdp_typed.errors import CommandError, InvalidParams
from cdp_typed.protocol import fetch
from supervisor.core.state.bridge import Interception
from supervisor.core.vocabulary import bridge_protocol, command_tags, errors, inputs, requests
from supervisor.core.vocabulary.effects import CommandResult, Effect
from tests.support.core.bridge import SECRET, bridge, login_wanted, paused
from tests.support.core.navigations import NAVIGATE
from tests.support.core.play import PAGE, TOP, Core, attached, detached, navigates, sent, told, with_page
from tests.support.secrets import CANARY

GONE = InvalidParams(-32602, "Invalid InterceptionId.", method="m", session=None)
EVERYTHING = fetch.Enable(patterns=[fetch.RequestPattern(url_pattern="*")], handle_auth_requests=True)


def watching() -> Core:
    return with_page().having(interception=Interception(http_auth=True)).after(attached("s", "t"))


def unblock(core: Core, work: Any, blocker: str | None = None) -> list[Effect]:
    return core.play(requests.UnblockRequested(call_id="call", blocker_id=blocker, work=work))


def test_a_login_is_sent_and_nothing_shows_it() -> None:
    core = watching().after(login_wanted())
    (asked,) = core.seen.blockers
    assert (asked.id, asked.kind, asked.text) == ("b-1", "http_auth", "Server http://a.test: basic, members")
    work = requests.LogIn("ada", CANARY)

    effects = unblock(core, work)

    (send,) = sent(effects)
    assert f'"username":"ada","password":"{CANARY}"'.encode() in json.encode(send.command).replace(b" ", b"")
    assert CANARY not in repr(effects) + repr(work) + repr(core.state)
    done = inputs.CommandSucceeded(command_tags.BlockerAnswer("call"), None)
    assert told(core.play(done)) == {"call": CommandResult(None)}
    assert core.seen.blockers == ()


def test_every_session_has_everything_held() -> None:
    core = watching()
    sends = sent(core.play(attached("new", "u", opener=TOP)))
    assert [send.command for send in sends if isinstance(send.command, fetch.Enable)] == [EVERYTHING]
    assert sends[-1].command.METHOD == "Runtime.runIfWaitingForDebugger"


def test_what_is_held_for_nobody_is_let_go_at_once() -> None:
    (send,) = sent(watching().play(paused("http://a.test/")))
    assert (send.session_id, send.command) == (PAGE, fetch.ContinueRequest(request_id=fetch.RequestId("r-1")))


@pytest.mark.parametrize(
    "other", [login_wanted(frame_id="elsewhere"), login_wanted(type="XHR")], ids=["another frame", "no document"]
)
def test_another_login_ends_no_navigation(other: inputs.Input) -> None:
    core = watching().after(NAVIGATE)

    assert told(core.play(other)) == {}


def test_the_login_of_the_navigation_before_does_not_end_the_next_one() -> None:
    core = watching().after(login_wanted())

    assert told(core.play(NAVIGATE)) == {}
    assert told(core.play(login_wanted("r-2")))["leave"] == errors.LoginRequired(
        core.seen.blockers[-1], maybe_executed=True
    )


def test_with_the_bridge_its_requests_are_not_let_go() -> None:
    core = watching().having(bridge=bridge("always")).after(attached("new", "u", opener=TOP))
    (send,) = sent(core.play(paused(f"http://a.test{bridge_protocol.session_keys(SECRET, 'new').path}", session="new")))
    assert isinstance(send.command, fetch.FailRequest)
    (send,) = sent(core.play(paused("http://a.test/", session="new")))
    assert isinstance(send.command, fetch.ContinueRequest)


REFUSED = CommandError(-32000, "no", method="m", session=None)


@pytest.mark.parametrize(("error", "left"), [(GONE, []), (REFUSED, ["b-1"])], ids=["its request is gone", "another"])
def test_a_refusal_leaves_the_login_unless_its_request_is_gone(error: CommandError, left: list[str]) -> None:
    core = watching().after(login_wanted())
    unblock(core, requests.CancelLogIn())
    refused = inputs.CommandFailed(command_tags.BlockerAnswer("call"), error)

    assert told(core.play(refused)) == {"call": error}
    assert [blocker.id for blocker in core.seen.blockers] == left
    assert core.play(refused) == []


ASKED: dict[str, tuple[list[inputs.Input], list[str]]] = {
    "a wrong login is asked for anew": ([login_wanted(), login_wanted()], ["b-2"]),
    "it ends with its document": ([login_wanted(), navigates(TOP, "http://b.test/")], []),
    "it ends with its session": ([login_wanted(), detached(PAGE)], []),
    "it ends with the connection": ([login_wanted(), inputs.Disconnected("gone")], []),
    "one of an unknown frame ends with the next input, whichever it is": (
        [login_wanted(frame_id="unknown"), login_wanted(session="unknown")],
        [],
    ),
    "one for a session that we do not know is nobody's": ([login_wanted(session="elsewhere")], []),
}


@pytest.mark.parametrize(("received", "blockers"), ASKED.values(), ids=ASKED)
def test_which_logins_are_asked_for(received: list[inputs.Input], blockers: list[str]) -> None:
    assert [blocker.id for blocker in watching().after(*received).seen.blockers] == blockers
