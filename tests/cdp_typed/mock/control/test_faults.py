"""Every line of the tables of faults in `docs/testing-with-the-mock.md`, played to our own client, which goes on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import asdict

import cdp_typed.mock
from cdp_typed import CDPError, Connection, EndpointError, connect
from cdp_typed.mock import MockServer, sample
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, runtime

DOCS = (Path(__file__).parents[4] / "docs" / "testing-with-the-mock.md").read_text(encoding="utf-8")
LINES: dict[str, str] = dict(
    re.findall(r"^\| ([^|`]+?) \| `([^|]+)` \|$", DOCS.partition("## Every fault")[2], re.MULTILINE)
)
DIALS = {what: line for what, line in LINES.items() if "next_dials" in line}
FAULTS = {what: line for what, line in LINES.items() if what not in DIALS}
MIB = 2**20
PATIENT_S, SHORT_S = 20.0, 0.3


class Seen(NamedTuple):
    """The ends of a call to a session and of one to the browser, the number of dialog events, and the counters."""

    first: str = "answered"
    second: str = "answered"
    dialogs: int = 1
    counted: tuple[str, ...] = ()


LOST = Seen("ConnectionLost", "ConnectionLost")
NO_ANSWER = Seen("CommandTimeout")
UNREADABLE = Seen(counted=("malformed",))
DRIFTED = Seen(counted=("drift",))

EXPECTED = {
    "a reply that never comes": NO_ANSWER,
    "a reply that is lost": NO_ANSWER,
    "a reply that comes late": Seen(),
    "a reply that a later message overtakes": Seen(),
    "a reply that comes twice": Seen(counted=("late_replies",)),
    "a reply that is cut short": Seen("SchemaMismatch", counted=("malformed",)),
    "a reply in a binary frame": Seen(),
    "a reply that is not UTF-8": Seen(),
    "a reply that is too large for a client": LOST,
    "a reply without a field": DRIFTED,
    "a reply with null in a field": DRIFTED,
    "a reply that is null": DRIFTED,
    "a reply to an unknown id": Seen(counted=("unknown_ids",)),
    "an error without id in place of a reply": Seen("CommandTimeout", counted=("warnings",)),
    "a refusal": Seen("CommandError"),
    "a session that the browser does not know": Seen("SessionNotFound"),
    "a session that ends with a call in flight": Seen("SessionDetached"),
    "text that is not JSON": UNREADABLE,
    "an empty text": UNREADABLE,
    "an array": UNREADABLE,
    "bytes that are not text": UNREADABLE,
    "an event nested too deeply": UNREADABLE,
    "an integer of 5,000 digits": DRIFTED,
    "NaN": DRIFTED,
    "half of a surrogate pair": Seen(),
    "an unknown event": Seen(counted=("unknown_events",)),
    "an event that is lost": Seen(dialogs=0),
    "an event that comes twice": Seen(dialogs=2),
    "an event without a field": DRIFTED,
    "an event with null in a field": DRIFTED,
    "an event with an unknown enum value": DRIFTED,
    "an event with a new field": Seen(),
    "the socket closed in the middle of a frame": LOST,
    "the socket reset in the middle of a frame": LOST,
    "the socket closed without a close frame": LOST,
    "the socket reset": LOST,
    "a socket that stays open and is silent": Seen("CommandTimeout", "CommandTimeout"),
    "a close frame, but the socket stays open": Seen("CommandTimeout", "CommandTimeout"),
    "a close frame": LOST._replace(dialogs=0),
    "a browser that is killed": LOST._replace(dialogs=0),
    "a browser that reads slowly": Seen(),
}
STATUS = {
    "refused: not authenticated": 401,
    "refused: forbidden": 403,
    "refused: not found": 404,
    "refused: gone": 410,
    "refused: too many requests": 429,
    "refused: unavailable": 503,
    "redirected": 302,
    "never upgraded": None,
    "not HTTP": None,
    "closed without an answer": None,
}


def run(line: str, mock: MockServer) -> None:
    """The line, with the names that the page promises."""
    known: dict[str, Any] = {name: getattr(cdp_typed.mock, name) for name in cdp_typed.mock.__all__}
    exec(line, {**known, "mock": mock, "browser": mock.browser, "page": page, "runtime": runtime})


async def outcome(call: Awaitable[object]) -> str:
    try:
        await call
    except CDPError as error:
        return type(error).__name__
    return "answered"


def test_every_line_is_played() -> None:
    assert (list(FAULTS), list(DIALS)) == (list(EXPECTED), list(STATUS))


@pytest.mark.parametrize("what", FAULTS)
async def test_a_fault_costs_what_it_must_and_no_more(
    no_leaks: None, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    expected = EXPECTED[what]
    first_s, second_s = (SHORT_S if how == "CommandTimeout" else PATIENT_S for how in expected[:2])
    heard: list[page.JavascriptDialogOpening] = []
    enough = asyncio.Event()

    def hear(_session: str | None, event: page.JavascriptDialogOpening) -> None:
        heard.append(event)
        if len(heard) == expected.dialogs:
            enough.set()

    async with MockServer() as mock, connect(mock.url, max_size=MIB) as client:
        client.listen(hear, page.JavascriptDialogOpening)
        client.listen(lambda _session, _event: None, page.LoadEventFired)
        tab = await client.attach(mock.browser.pages[0].id)
        await tab.send(page.Enable())
        run(LINES[what], mock)
        if not mock.browser.state.dead:
            mock.browser.emit(sample(page.JavascriptDialogOpening))
        if expected.dialogs:
            # Before the calls: what a reset overtakes in the client's own system is lost.
            await asyncio.wait_for(enough.wait(), PATIENT_S)
        first, second = await asyncio.gather(
            outcome(tab.send(runtime.Evaluate(expression="1"), timeout=first_s)),
            outcome(client.send(browser_domain.GetVersion(), timeout=second_s)),
        )

        assert Seen(first, second, len(heard), counted(client)) == expected
        monkeypatch.setattr("cdp_typed.transport.keepalive.CLOSE_TIMEOUT", 0.3)  # nobody need answer our goodbye


def counted(client: Connection) -> tuple[str, ...]:
    """Return the client's counters that are not zero, by name."""
    usual = {"messages", "replies", "events", "invalid_utf8"}
    return tuple(name for name, count in asdict(client.counters).items() if count and name not in usual)


@pytest.mark.parametrize("what", DIALS)
async def test_a_dial_is_refused_once(no_leaks: None, what: str) -> None:
    async with MockServer() as mock:
        run(LINES[what], mock)

        with pytest.raises(EndpointError) as refused:
            await connect(mock.url, open_timeout=SHORT_S if STATUS[what] is None else PATIENT_S)

        assert refused.value.status == STATUS[what]
        async with connect(mock.url) as client:
            assert (await client.send(browser_domain.GetVersion())).protocol_version == "1.3"
