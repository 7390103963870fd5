"""The bookkeeping of calls and sessions, without I/O."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cdp_typed.errors import MessageTooBig, SessionDetached, TargetCrashed
from cdp_typed.protocol import page, runtime
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.router import (
    MAX_MALFORMED_RUN,
    MAX_OUTGOING,
    Broken,
    CallFailed,
    EventMessage,
    Message,
    ProtocolWarning,
    Reply,
    Router,
    SessionCrashed,
    SessionEnded,
)
from cdp_typed.wire.session_tree import Announced, SessionTree, announced, crashed_target, detached

RELOAD = page.Reload()


def _bytes(**message: Any) -> bytes:
    return json.dumps(message).encode()


def _event(method: str, session: str | None = None, /, **params: Any) -> bytes:
    return _bytes(method=method, params=params, **({"sessionId": session} if session else {}))


def _attached(session: str, target: str = "T", parent: str | None = None) -> bytes:
    return _event("Target.attachedToTarget", parent, sessionId=session, targetInfo={"targetId": target})


def _detached(session: str) -> bytes:
    return _event("Target.detachedFromTarget", sessionId=session)


def _plain(messages: list[Message]) -> list[Any]:
    """The messages with errors as their class, so that whole lists can be compared."""
    plain: list[Any] = []
    for message in messages:
        match message:
            case Reply():
                plain.append(("reply", message.call.id, bytes(message.raw)))
            case CallFailed():
                plain.append(("failure", message.call.id, type(message.error)))
            case EventMessage():
                plain.append(("event", message.method, message.session_id))
            case _:
                plain.append(message)
    return plain


def test_ids_go_up_and_each_reply_ends_its_call() -> None:
    router = Router()
    first, data = router.send(page.Navigate(url="x"), "S")
    second, _ = router.send(RELOAD, None)

    assert json.loads(data) == {"id": 1, "method": "Page.navigate", "params": {"url": "x"}, "sessionId": "S"}
    assert (first.id, first.result, second.id, second.result) == (1, page.NavigateResult, 2, None)
    assert _plain(router.receive(_bytes(id=2, result={}, error=None))) == [("reply", 2, b"{}")]
    # It is routed by its id even without its session, and a second one is only counted.
    assert _plain(router.receive(_bytes(id=1, result={"a": 1}))) == [("reply", 1, b'{"a": 1}')]
    assert router.receive(_bytes(id=1, result={"a": 2})) == []
    assert router.tally.snapshot() == Counters(messages=3, replies=2, late_replies=1)
    assert router.pending == 0
    assert router.send(RELOAD, None)[0].id == 3


@pytest.mark.parametrize("call_id", [0, -1, 99, 10**30])
def test_a_reply_to_an_id_never_given_out_is_counted(call_id: int) -> None:
    router = Router()
    router.send(RELOAD, None)

    assert router.receive(_bytes(id=call_id, result={})) == []
    assert router.tally.snapshot() == Counters(messages=1, unknown_ids=1)
    assert router.pending == 1


def test_an_error_without_an_id_is_a_warning() -> None:
    router = Router()

    messages = router.receive(_bytes(error={"code": -32700, "message": "JSON: bad"}))

    assert messages == [ProtocolWarning("the browser reported an error without an id: JSON: bad [-32700]")]
    assert router.tally.snapshot() == Counters(messages=1, warnings=1)


@pytest.mark.parametrize("data", [b"", b"nope", b"[1,2]", b"null", b"{}", b"\x00\xff", b'{"id":null}', b'{"id":true}x'])
def test_an_unreadable_message_is_counted_and_the_next_is_read(data: bytes) -> None:
    router = Router()
    router.send(RELOAD, None)

    messages = router.receive(data)

    assert [type(message) for message in messages] == [ProtocolWarning]
    assert router.tally.snapshot() == Counters(messages=1, malformed=1)
    assert _plain(router.receive(_bytes(id=1, result={}))) == [("reply", 1, b"{}")]


def test_many_unreadable_messages_in_a_row_break_the_link() -> None:
    router = Router()
    for _ in range(MAX_MALFORMED_RUN - 1):
        router.receive(b"nope")
    router.receive(_event("Some.news"))
    for _ in range(MAX_MALFORMED_RUN - 1):
        router.receive(b"nope")

    assert router.receive(b"nope")[-1] == Broken("100 unreadable messages in a row")


def test_a_detach_fails_the_calls_of_the_session_and_of_those_below_it() -> None:
    router = Router()
    for news in (_attached("P"), _attached("C", "F", "P"), _attached("G", "F2", "C"), _attached("other", "T2")):
        router.receive(news)
    for session in ("P", "C", "G", "other", None):
        router.send(RELOAD, session)

    messages = router.receive(_detached("P"))

    assert _plain(messages) == [
        ("event", "Target.detachedFromTarget", None),
        ("failure", 3, SessionDetached),
        SessionEnded("G"),
        ("failure", 2, SessionDetached),
        SessionEnded("C"),
        ("failure", 1, SessionDetached),
        SessionEnded("P"),
    ]
    assert router.pending == 2
    assert router.sessions.all() == ("other",)
    assert _plain(router.receive(_detached("C"))) == [("event", "Target.detachedFromTarget", None)]


def test_a_crash_fails_the_calls_of_the_session_once_though_it_is_told_twice() -> None:
    router = Router()
    router.receive(_attached("P", "T"))
    router.receive(_attached("worker", "W", "P"))
    router.send(RELOAD, "P")
    router.send(RELOAD, "worker")

    told_first = router.receive(_event("Inspector.targetCrashed", "P"))
    router.send(RELOAD, "P")
    told_again = router.receive(_event("Target.targetCrashed", targetId="T", status="crashed", errorCode=0))

    assert _plain(told_first) == [
        ("event", "Inspector.targetCrashed", "P"),
        ("failure", 2, TargetCrashed),
        SessionCrashed("worker"),
        ("failure", 1, TargetCrashed),
        SessionCrashed("P"),
    ]
    assert _plain(told_again) == [("event", "Target.targetCrashed", None)]
    assert router.pending == 1


def test_a_crash_after_a_reload_counts_again() -> None:
    router = Router()
    router.receive(_attached("P", "T"))
    router.receive(_event("Target.targetCrashed", targetId="T"))
    router.receive(_event("Inspector.targetReloadedAfterCrash", "P"))
    router.send(RELOAD, "P")

    messages = router.receive(_event("Target.targetCrashed", targetId="T"))

    assert _plain(messages) == [
        ("event", "Target.targetCrashed", None),
        ("failure", 1, TargetCrashed),
        SessionCrashed("P"),
    ]


def test_a_message_too_big_for_the_browser_is_refused_before_it_is_sent() -> None:
    router = Router()
    fitting = runtime.Evaluate(expression="x" * (MAX_OUTGOING - 100))
    too_big = runtime.Evaluate(expression="x" * MAX_OUTGOING)

    with pytest.raises(MessageTooBig, match=r"^Runtime\.evaluate: the message has 671\d+ bytes") as refused:
        router.send(too_big, None)

    assert refused.value.limit == MAX_OUTGOING
    assert router.pending == 0
    assert len(router.send(fitting, None)[1]) <= MAX_OUTGOING


@pytest.mark.parametrize(
    "params",
    [
        b'{"sessionId":"S","targetInfo":{"targetId":"T","title":"\\ud800"}}',
        b'{"sessionId":"S","targetInfo":{"targetId":5}}',
        b'{"sessionId":"S","targetInfo":null,"targetId":7}',
        b'{"sessionId":"S"}',
    ],
)
def test_an_odd_announcement_still_begins_its_session(params: bytes) -> None:
    router = Router()

    router.receive(b'{"method":"Target.attachedToTarget","params":' + params + b"}")

    assert router.sessions.all() == ("S",)


@pytest.mark.parametrize("params", [b"{}", b"null", b"[]", b'{"sessionId":5}', b'{"targetId":5}', b'{"sessionId":NaN}'])
@pytest.mark.parametrize(
    "method",
    ["Target.attachedToTarget", "Target.detachedFromTarget", "Target.targetCrashed", "Inspector.targetCrashed"],
)
def test_routing_events_without_their_ids_are_only_events(method: str, params: bytes) -> None:
    router = Router()
    router.send(RELOAD, "S")

    messages = router.receive(b'{"method":"' + method.encode() + b'","params":' + params + b"}")

    assert _plain(messages) == [("event", method, None)]
    assert router.pending == 1


def _tree(*edges: tuple[str, str | None]) -> SessionTree:
    tree = SessionTree()
    for session, parent in edges:
        tree.add(Announced(session, f"target of {session}", b"{}"), parent_id=parent)
    return tree


def test_parents_and_children_are_known_by_their_ids() -> None:
    tree = _tree(("P", None), ("C1", "P"), ("C2", "P"), ("G", "C1"))

    assert tree.all() == ("P", "C1", "C2", "G")
    assert tree.children("P") == ("C1", "C2")
    assert (tree.parent("G"), tree.parent("P"), tree.parent("nobody")) == ("C1", None, None)
    assert tree.of_target("target of C2") == ["C2"]
    assert (tree.remove("C2"), tree.children("P")) == (["C2"], ("C1",))


def test_an_announcement_repeated_keeps_the_children() -> None:
    tree = _tree(("P", None), ("C", "P"))

    tree.add(Announced("P", "another target", b"{}"), parent_id="elsewhere")

    assert (tree.children("P"), tree.parent("P"), tree.of_target("another target")) == (("C",), None, ["P"])


def test_parameters_that_cannot_be_read_name_nobody() -> None:
    bomb = msgspec.Raw(b"[" * 100_000)

    assert (announced(bomb), detached(bomb), crashed_target(bomb)) == (None, None, None)


def test_the_end_of_a_session_that_was_never_announced_counts_and_only_so_many_are_remembered() -> None:
    tree = SessionTree()
    for number in range(5000):
        assert tree.remove(str(number)) == [str(number)]

    assert not tree.is_over("0")
    assert tree.is_over("4999")
