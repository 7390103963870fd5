"""Plays the rows of the fault matrix to cdp_typed and its peers, and prints the outcomes as a Markdown table.

    python -m benchmarks.faults [--pydoll-python PATH] [--out docs/faults.md]

pydoll requires another version of websockets, so it has its own environment, whose interpreter is PATH. Every
play is its own process with a hard deadline; every cell of the table is measured in this run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tests.faults.rows import ANSWER, DIALOG, DIALS, ROWS, SESSION, Row, Text
from tests.faults.stub_browser import Refuser, StubBrowser

_ROOT = Path(__file__).parents[1]
_HARD_DEADLINE_S = 30.0
_AT_ONCE = 3
_DEFAULT_MAX_SIZE = 256 * 2**20
_SECRET = "canary"
_DEADLINE_S, _LONG_DEADLINE_S = 1, 10
"""Seconds for a call, and for a call in a row that takes long by itself."""
_LONG = {37, 38}

_TWO_EVENTS = Row((), "event", (Text(b'{"method":"Page.javascriptDialogOpening","params":' + DIALOG + b"}"), ANSWER))
_NO_ANSWER = Row((), "no_answer", (), answers=False)
_HABITS = (
    ("F57_second_handler", "two_handlers", _TWO_EVENTS),
    ("F58_handler_awaits_a_command", "handler_awaits", _TWO_EVENTS),
    ("F42_F59_cancelled_call", "cancel", _NO_ANSWER),
)


@dataclass(frozen=True)
class Peer:
    """A client under test."""

    name: str
    module: str
    python: str
    version_code: str

    def title(self) -> str:
        """Return its name and its version in its own environment."""
        command = [self.python, "-c", f"{self.version_code}; print(version)"]
        process = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True)
        return f"{self.name} {process.stdout.strip()}"


async def run(peer: Peer, plan: dict[str, Any]) -> dict[str, Any]:
    """Run one play in its own process and return its outcome; a process that does not end in time is killed."""
    arguments = {"session": None, "deadline": _DEADLINE_S, "max_size": _DEFAULT_MAX_SIZE, "secret": _SECRET, **plan}
    process = await asyncio.create_subprocess_exec(
        peer.python,
        "-m",
        peer.module,
        json.dumps(arguments),
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), _HARD_DEADLINE_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return {"first": "no end in 30 s"}
    lines = output.decode().splitlines()
    return json.loads(lines[0]) if lines else {"first": "no outcome"}


async def play(peer: Peer, row: Row, procedure: str = "row") -> dict[str, Any]:
    """Play a row on its own stub browser."""
    async with StubBrowser(row) as stub:
        plan: dict[str, Any] = {"procedure": procedure, "url": stub.url, "session": SESSION if row.on_session else None}
        if row.max_size is not None:
            plan["max_size"] = row.max_size
        if is_long(row):
            plan["deadline"] = _LONG_DEADLINE_S
        return await run(peer, plan)


async def refuse(peer: Peer, answer: bytes | None) -> dict[str, Any]:
    """Play a dial that is refused."""
    async with Refuser(answer) as server:
        url = f"ws://{server.address}/devtools/browser/?token={_SECRET}"
        return await run(peer, {"procedure": "dial", "url": url})


def row_cell(outcome: dict[str, Any], sent: int) -> str:
    """Return the outcome of the two commands, and of the events in between."""
    parts = [f"{outcome['first']} / {outcome.get('second', '-')}"]
    if outcome.get("took", 0) > 1.1 and outcome["second"] != "hang":
        parts.append(f"second took {outcome['took']:.1f} s")
    if outcome.get("heard", sent) < sent:
        parts.append(f"{outcome['heard']} of {sent} events")
    return ", ".join(parts)


def habit_cell(procedure: str, outcome: dict[str, Any]) -> str:
    """Return the outcome of a procedure without a fault."""
    if procedure == "two_handlers":
        return f"{outcome['heard']} of 2 heard it"
    if procedure == "handler_awaits":
        return f"inside: {outcome['inside']}, outside: {outcome['first']}"
    return f"{outcome['pending']} left pending, then {outcome['second']}"


def dial_cell(outcome: dict[str, Any]) -> str:
    """Return the outcome of a dial."""
    return str(outcome["first"]) + (", token in its text" if outcome.get("secret") else "")


def events_of(row: Row) -> int:
    """Return the number of events in a row that the procedure subscribes to, readable or patched."""
    names = (b"Page.javascriptDialog", b"Page.loadEventFired", b"Runtime.consoleAPICalled")
    texts = [action for action in row.play if isinstance(action, Text)]
    return sum(text.times for text in texts if text.data.startswith(tuple(b'{"method":"' + name for name in names)))


async def measure(peers: Sequence[Peer]) -> list[list[str]]:
    """Return all rows of the table; several plays run at once."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def of_row(peer: Peer, row: Row) -> str:
        async with gate:
            sent = 0 if "depth_bomb" in row.name else events_of(row)
            return row_cell(await play(peer, row), sent)

    async def of_habit(peer: Peer, procedure: str, row: Row) -> str:
        async with gate:
            return habit_cell(procedure, await play(peer, row, procedure))

    async def of_dial(peer: Peer, answer: bytes | None) -> str:
        async with gate:
            return dial_cell(await refuse(peer, answer))

    light = [(dial.id, [of_dial(peer, dial.answer) for peer in peers]) for dial in DIALS]
    light += [(row.id, [of_row(peer, row) for peer in peers]) for row in ROWS if not is_long(row)]
    light += [(name, [of_habit(peer, procedure, row) for peer in peers]) for name, procedure, row in _HABITS]
    cells = iter(await asyncio.gather(*(cell for _, row in light for cell in row)))
    table = [[name, *(next(cells) for _ in peers)] for name, _ in light]
    # One at a time: the stub browsers share this process, and long rows would delay each other.
    return table + [[row.id, *[await of_row(peer, row) for peer in peers]] for row in ROWS if is_long(row)]


def is_long(row: Row) -> bool:
    """Return True for a row that takes long by itself."""
    return not _LONG.isdisjoint(row.numbers)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the table with its date and versions."""
    lines = [f"Measured on {date.today().isoformat()}, Python {platform.python_version()}, {platform.system()}.", ""]
    lines += ["| " + " | ".join(row) + " |" for row in (list(header), ["---"] * len(header))]
    lines += ["| " + " | ".join([f"`{row[0]}`", *row[1:]]) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _installed(distribution: str) -> str:
    return f"import importlib.metadata; version = importlib.metadata.version({distribution!r})"


def main() -> None:
    """Measure, and print the table or write it below the marker of a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--pydoll-python", metavar="PATH", help="an interpreter that has pydoll-python installed")
    parser.add_argument("--out", type=Path, help="a page; everything below its line '<!-- measured -->' is replaced")
    options = parser.parse_args()
    peers = [
        Peer(
            "cdp-typed",
            "benchmarks.peers.play_cdp_typed",
            sys.executable,
            "from cdp_typed import __version__ as version",
        ),
        Peer("cdp-use", "benchmarks.peers.play_cdp_use", sys.executable, _installed("cdp-use")),
    ]
    if options.pydoll_python:
        version_code = _installed("pydoll-python")
        peers.append(Peer("pydoll", "benchmarks.peers.play_pydoll", options.pydoll_python, version_code))
    header = ["fault", *(peer.title() for peer in peers)]
    table = markdown(header, asyncio.run(measure(peers)))
    if options.out is None:
        print(table)
        return
    head, marker, _ = options.out.read_text().partition("<!-- measured -->\n")
    if not marker:
        parser.error(f"{options.out} has no line '<!-- measured -->'")
    options.out.write_text(f"{head}{marker}\n{table}")


if __name__ == "__main__":
    main()
