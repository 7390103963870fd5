"""Events with listeners are decoded together with their envelope, with the same results as otherwise."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_typed import Connection, Event, UnknownEvent
from cdp_typed.protocol import inspector, network, page, target
from cdp_typed.wire.counters import Counters
from cdp_typed.wire.router import MAX_MALFORMED_RUN, EventMessage, ProtocolWarning, Router
from tests.support.wires.memory_wire import MemoryWire

GOOD = {"requestId": "1", "timestamp": 1.5, "dataLength": 7, "encodedDataLength": 3}
HEARD = network.DataReceived(request_id=network.RequestId("1"), timestamp=1.5, data_length=7, encoded_data_length=3)


def _bytes(method: str = "Network.dataReceived", params: Any = GOOD, **more: Any) -> bytes:
    return json.dumps({"method": method, "params": params, **more}, separators=(",", ":")).encode()


def _router() -> Router:
    router = Router()
    router.ahead.add("Network.dataReceived", network.DataReceived)
    return router


@pytest.mark.parametrize("session", [None, "S"])
def test_an_event_comes_with_its_value(session: str | None) -> None:
    router, more = _router(), {} if session is None else {"sessionId": session}
    data = _bytes(**more)

    (event,) = router.receive(data)

    assert isinstance(event, EventMessage)
    assert event == EventMessage("Network.dataReceived", session, data, HEARD)
    assert json.loads(bytes(event.params)) == GOOD
    assert router.tally.snapshot() == Counters(messages=1, events=1)


@pytest.mark.parametrize(
    "data",
    [
        _bytes(params={**GOOD, "dataLength": "seven"}),
        _bytes(params={"requestId": "1"}),
        _bytes(params=None),
        _bytes(params={**GOOD, "requestId": "\ud800"}),
        _bytes()[:-1],
        _bytes(id=1),
        _bytes(error={"code": 1}),
        b'{"method":"Network.dataReceived"}',
        b'{"params":{},"method":"Network.dataReceived"}',
        b'{ "method": "Network.dataReceived", "params": {} }',
        b'{"method":"Network\\u002edataReceived","params":{}}',
        b'{"method":"Network.dataReceivedToo","params":{}}',
        b'{"method":',
        b"",
    ],
)
def test_what_is_not_as_it_should_be_is_left_to_the_patient_way(data: bytes) -> None:
    ahead, plain = _router(), Router()

    assert ahead.receive(data) == plain.receive(data)
    assert ahead.tally.snapshot() == plain.tally.snapshot()


def test_what_the_router_reads_itself_is_never_read_ahead() -> None:
    router = Router()
    router.ahead.add("Target.detachedFromTarget", target.DetachedFromTarget)
    router.ahead.add("Inspector.targetCrashed", inspector.TargetCrashed)
    data = _bytes("Target.detachedFromTarget", {"sessionId": "S"})

    assert router.receive(data) == Router().receive(data)


def test_an_event_ends_a_run_of_unreadable_messages() -> None:
    router = _router()
    for _ in range(MAX_MALFORMED_RUN + 1):
        assert [type(message) for message in router.receive(b"?")] == [ProtocolWarning]
        assert [type(message) for message in router.receive(_bytes())] == [EventMessage]


class OurDataReceived(Event, frozen=True, kw_only=True):
    """The same event in the words of a user."""

    METHOD: ClassVar[str] = "Network.dataReceived"

    dataLength: int  # noqa: N815  # as on the wire


LISTENERS: dict[str, tuple[type[Event], ...]] = {
    "ours": (OurDataReceived,),
    "theirs": (network.DataReceived,),
    "everything": (),
    "others": (page.LoadEventFired, UnknownEvent),
}
PARAMS = [GOOD, {**GOOD, "dataLength": "seven"}, {**GOOD, "dataLength": 8, "new": [1]}, {"requestId": "1"}, 7]
STEPS = st.lists(
    st.tuples(st.sampled_from(["listen", "leave"]), st.sampled_from(sorted(LISTENERS)), st.sampled_from([None, "S"]))
    | st.tuples(st.just("event"), st.sampled_from(PARAMS), st.sampled_from([None, "S", "T"])),
    max_size=12,
)


def _note(heard: list[Any], name: str, session: str | None, event: Event) -> None:
    heard.append((name, session, event))


async def _heard(steps: list[tuple[str, Any, str | None]], separators: tuple[str, str]) -> Any:
    """Return the events that listeners receive, which come and go, with JSON of these separators."""
    wire = MemoryWire()
    heard: list[Any] = []
    async with Connection(wire) as connection:
        wire.attach("S")
        wire.attach("T")
        await wire.drained()
        subscriptions: list[tuple[str, str | None, Any]] = []
        for what, given_, session in steps:
            if what == "listen":
                channel = connection if session is None else connection.session(session)
                told = partial(_note, heard, given_)
                subscriptions.append((given_, session, channel.listen(told, *LISTENERS[given_])))
            elif what == "leave":
                for name, place, subscription in subscriptions:
                    if (name, place) == (given_, session):
                        subscription.close()
            else:
                more = {} if session is None else {"sessionId": session}
                message = {"method": "Network.dataReceived", "params": given_, **more}
                wire.feed(json.dumps(message, separators=separators).encode())
                await wire.drained()
        return heard, connection.drift, connection.counters


@given(STEPS)
async def test_listeners_hear_the_same_as_without(steps: list[tuple[str, Any, str | None]]) -> None:
    def plain(outcome: Any) -> Any:
        heard, drift, counters = outcome
        return [repr(event).replace(" ", "") for event in heard], drift, counters

    assert plain(await _heard(steps, (",", ":"))) == plain(await _heard(steps, (", ", ": ")))


async def test_listeners_with_classes_of_their_own_hear_their_own() -> None:
    wire = MemoryWire()
    heard: list[Any] = []
    async with Connection(wire) as connection:
        for types in LISTENERS.values():
            connection.listen(lambda _, event: heard.append(event), *types)
        wire.feed(_bytes(), _bytes())
        await wire.drained()

    assert heard == [OurDataReceived(dataLength=7), HEARD, OurDataReceived(dataLength=7)] * 2


class Brief(Event, frozen=True, kw_only=True):
    """With a name so short that its piece of the message has some of the parameters in it."""

    METHOD: ClassVar[str] = "A.b"

    text: str


async def test_names_that_begin_alike_or_are_very_short_cost_nothing_but_time() -> None:
    wire = MemoryWire()
    heard: list[Any] = []
    data = {"identifier": "1", "data": "", "timestamp": 1.0}
    async with Connection(wire) as connection:
        kinds = (network.DirectTCPSocketChunkSent, network.DirectTCPSocketChunkReceived, Brief)
        connection.listen(lambda _, event: heard.append(event), *kinds)
        for _ in range(2):
            wire.event("Network.directTCPSocketChunkSent", data)
            wire.event("Network.directTCPSocketChunkReceived", data)
            wire.event("A.b", {"text": "x"})
        await wire.drained()

    expected = [
        network.DirectTCPSocketChunkSent(identifier=network.RequestId("1"), data="", timestamp=1.0),
        network.DirectTCPSocketChunkReceived(identifier=network.RequestId("1"), data="", timestamp=1.0),
        Brief(text="x"),
    ]
    assert heard == expected * 2
