"""Throughput and start-up cost of the mock, next to a canned fake and to a bare websocket echo."""

from __future__ import annotations

import base64
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from benchmarks.mock.servers import NAMES
from benchmarks.table import render

ROUNDS, COMMANDS, TRIPS, EVENTS, MOCKS = 3, 10_000, 2_000, 20_000, 1_000
_LABELS = {"mock": "cdp_typed.mock", "canned": "canned answers on websockets", "echo": "bare websockets echo"}
_PIECE = 2**18


@contextmanager
def _client(name: str) -> Generator[socket.socket]:
    """Connect to a server with this name in its own process."""
    command = [sys.executable, "-m", "benchmarks.mock.servers", "serve", name, str(EVENTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address, path = process.stdout.readline().split()
        try:
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                key = base64.b64encode(os.urandom(16)).decode()
                head = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                client.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
                while not client.recv(_PIECE).endswith(b"\r\n\r\n"):
                    pass
                yield client
        finally:
            process.kill()


def _call(number: int, method: str) -> bytes:
    """Return a call as a masked frame, whose mask is zero."""
    data = json.dumps({"id": number, "method": method, "params": {}}).encode()
    return struct.pack("!BB4x", 0x81, 0x80 | len(data)) + data


def _receive(client: socket.socket, mark: bytes, count: int) -> None:
    """Read until `count` messages with this mark have come."""
    rest = b""
    while count > 0:
        data = client.recv(_PIECE)
        assert data, "the server hung up"
        count -= (rest + data).count(mark)
        # The mark may be cut in two, and must not be counted twice.
        rest = data[-(len(mark) - 1) :]


def _pipelined(client: socket.socket) -> float:
    """Return the seconds of a command, with a hundred of them in flight."""
    batches = [b"".join(_call(number, "Browser.getVersion") for number in range(100))] * (COMMANDS // 100)
    started = time.perf_counter()
    for batch in batches:
        client.sendall(batch)
        _receive(client, b'"id":', 100)
    return (time.perf_counter() - started) / COMMANDS


def _one_by_one(client: socket.socket) -> float:
    """Return the seconds of a command and its reply."""
    call = _call(1, "Browser.getVersion")
    started = time.perf_counter()
    for _ in range(TRIPS):
        client.sendall(call)
        _receive(client, b'"id":', 1)
    return (time.perf_counter() - started) / TRIPS


def _events(client: socket.socket) -> float:
    """Return the seconds of an event."""
    client.sendall(_call(1, "Network.enable"))
    _receive(client, b'"id":', 1)
    client.sendall(_call(2, "Page.bringToFront"))
    started = time.perf_counter()
    _receive(client, b"Network.dataReceived", EVENTS)
    return (time.perf_counter() - started) / EVENTS


def _measure(task: Callable[[socket.socket], float]) -> dict[str, float]:
    """Return the median of each server; they take turns, so that noise affects all of them."""
    runs: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(ROUNDS):
        for name in NAMES:
            with _client(name) as client:
                runs[name].append(task(client))
    return {name: statistics.median(seconds) for name, seconds in runs.items()}


def _starts() -> dict[str, tuple[float, float]]:
    """Return the seconds and bytes of each of many servers in one process."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in NAMES}
    for _ in range(ROUNDS):
        for name in NAMES:
            command = [sys.executable, "-m", "benchmarks.mock.servers", "start", name, str(MOCKS)]
            seconds, size = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            runs[name].append((float(seconds), float(size)))
    return {
        name: (statistics.median(seconds for seconds, _ in run), statistics.median(size for _, size in run))
        for name, run in runs.items()
    }


def _rates(title: str, what: str, times: dict[str, float]) -> str:
    rows = [
        [_LABELS[name], f"{1 / seconds:,.0f}", f"{seconds * 1e6:.0f} us", f"{times['echo'] / seconds:.2f}x"]
        for name, seconds in times.items()
    ]
    return render(title, ["", f"{what} per second", "each", "against echo"], rows)


def report() -> str:
    """Return the tables."""
    starts = _starts()
    rows = [
        [_LABELS[name], f"{seconds * 1e3:.2f} ms", f"{size / 1024:.0f} KiB", "5 ms" if name == "mock" else ""]
        for name, (seconds, size) in starts.items()
    ]
    return "\n\n".join(
        [
            _rates("Commands, a hundred on their way", "commands", _measure(_pipelined)),
            _rates("Commands, one after the other", "commands", _measure(_one_by_one)),
            _rates(f"{EVENTS:,} events at once", "events", _measure(_events)),
            render(f"Starting {MOCKS:,} servers in one process", ["", "each", "memory each", "goal, at most"], rows),
        ]
    )
