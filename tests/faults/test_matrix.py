"""Every fault over a real wire, then a second command: it ends soon, and the user can see what was wrong."""

from __future__ import annotations

import math
import re
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from typing import Any, Literal, get_args

import pytest
from msgspec.structs import asdict

from cdp_typed import CDPError, Connection, Event, SchemaDrift, SchemaMismatch, connect
from cdp_typed.protocol import browser as browser_domain
from cdp_typed.protocol import page, runtime
from cdp_typed.transport.pipe import open_pipe
from tests.faults.expected import ANSWERED, EXPECTED, ON_A_PIPE, Seen
from tests.faults.rows import ROWS, Row
from tests.faults.stub_browser import StubBrowser, StubPipe

_AT_ONCE, _PATIENT, _SHORT, _SECOND = 10.0, 20.0, 0.2, 0.6
_USUAL = {"messages", "replies", "events"}
_DEFAULT_MAX_SIZE = 256 * 2**20


Kind = Literal["websocket", "pipe"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@asynccontextmanager
async def facing(row: Row, kind: Kind, *, strict: bool = False) -> AsyncGenerator[Connection]:
    """A connection to a browser that will play the row."""
    size = row.max_size or _DEFAULT_MAX_SIZE
    if kind == "pipe":
        async with (
            StubPipe(row) as pipe,
            Connection(await open_pipe(pipe.sock, max_size=size), strict=strict) as browser,
        ):
            yield browser
        return
    async with StubBrowser(row) as stub, connect(stub.url, max_size=size, strict=strict) as browser:
        yield browser


def plays(*, without: str = "") -> list[Any]:
    """Every row on every wire that can have it."""
    return [
        pytest.param(row, kind, id=f"{row.id}-{kind}")
        for row in ROWS
        for kind in KINDS
        if row.name != without and not (kind == "pipe" and row.websocket_only)
    ]


def expected(row: Row, kind: Kind) -> Seen:
    """The outcome that a user sees on this wire."""
    on_this_wire = EXPECTED | ON_A_PIPE if kind == "pipe" else EXPECTED
    return on_this_wire.get(row.id, Seen())


async def outcome(call: Awaitable[object]) -> str:
    """Await a call and return its end as text; an exception that is not of the library is not caught."""
    try:
        await call
    except CDPError as error:
        # How much of a message has come when it is given up depends on how the system cuts it up.
        return re.sub(r"\d+ bytes so far", "some bytes so far", f"{type(error).__name__}: {error}")
    return ANSWERED


async def play(browser: Connection, row: Row, *, answers_again: bool = True) -> tuple[Seen, float]:
    """The row, then the second command, and the seconds that it took."""
    heard: list[Event] = []

    def hear(_session_id: str | None, event: Event) -> None:
        if not event.METHOD.startswith("Target."):
            heard.append(event)

    browser.listen(hear)
    deadline = _PATIENT if row.answers else _SHORT
    if row.on_session:
        session = await browser.attach("T1")
        first = await outcome(session.send(runtime.Evaluate(expression="1"), timeout=deadline))
    else:
        first = await outcome(browser.send(browser_domain.GetVersion(), timeout=deadline))
    started = time.monotonic()
    again = _PATIENT if answers_again else _SECOND
    second = await outcome(browser.send(browser_domain.GetVersion(), timeout=again))
    took = time.monotonic() - started
    counters = {name: count for name, count in asdict(browser.counters).items() if count and name not in _USUAL}
    return Seen(first, second, tuple(heard), tuple(counters.items()), browser.drift, browser.warnings), took


@pytest.mark.parametrize(("row", "kind"), plays(without="not_a_number"))
async def test_a_fault_leaves_the_next_command_and_a_trace(
    no_leaks: None, monkeypatch: pytest.MonkeyPatch, row: Row, kind: Kind
) -> None:
    async with facing(row, kind) as browser:
        wanted = expected(row, kind)
        seen, took = await play(browser, row, answers_again=wanted.second == ANSWERED)

        assert seen == wanted
        assert took < _AT_ONCE
        assert browser.pending == 0
        monkeypatch.setattr("cdp_typed.transport.keepalive.CLOSE_TIMEOUT", 0.3)  # nobody need answer our goodbye


@pytest.mark.parametrize("kind", KINDS)
async def test_f20_not_a_number_is_delivered_and_recorded(no_leaks: None, kind: Kind) -> None:
    """Apart from the others, because NaN equals nothing, not even itself."""
    (row,) = (row for row in ROWS if row.name == "not_a_number")
    async with facing(row, kind) as browser:
        seen, took = await play(browser, row)

    (event,) = seen.heard
    assert isinstance(event, page.LoadEventFired)
    assert math.isnan(event.timestamp)
    assert seen.drift == (SchemaDrift("Page.loadEventFired", "", "a JSON number", "NaN"),)
    assert seen.second == ANSWERED
    assert took < _AT_ONCE


def test_every_expectation_belongs_to_a_row() -> None:
    assert {*EXPECTED, *ON_A_PIPE} <= {row.id for row in ROWS}


@pytest.mark.parametrize("row", [row for row in ROWS if 54 in row.numbers], ids=lambda row: row.id)
async def test_strict_mode_raises_at_the_caller_and_nowhere_else(no_leaks: None, row: Row) -> None:
    async with facing(row, "websocket", strict=True) as browser:
        with pytest.raises(SchemaMismatch, match=r"^Browser\.getVersion: "):
            await browser.send(browser_domain.GetVersion())

        assert (await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)).protocol_version == "1.3"
