"""`record`: relays between a browser and its clients, and writes their messages to a file."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from io import FileIO
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from msgspec.structs import replace

from cdp_typed.cli.arguments import UsageError, add_endpoint, add_timeout, new_parser, warn
from cdp_typed.cli.connect_options import DIRECT, ConnectOptions, add_connect_options, connect_options_of
from cdp_typed.cli.output import write
from cdp_typed.ending_signals import run_in_order, stopped_by_signals
from cdp_typed.endpoint.sources import locate
from cdp_typed.recording.relay import PAGE_PATH, Relay
from cdp_typed.recording.taps import Direction
from cdp_typed.recording.traffic_log import WITH_SECRETS, MessageLog, connection_name, note
from cdp_typed.redaction import Redaction
from cdp_typed.transport import Transport
from cdp_typed.transport.heartbeat import is_heartbeat

_MAX_SIZE = 256 * 2**20


def run(arguments: list[str]) -> int:
    """Relay between clients and the browser until Ctrl-C, and write each message as a line of the file."""
    parser = new_parser(
        "record",
        "Relay between a browser and its clients, and write each message as one line of JSON, until Ctrl-C.\n"
        "Clients connect to the address that the command prints. The file leaves out passwords, tokens, cookies,\n"
        "typed text and the bodies of requests, but contains other content of pages.\n"
        "The mock replays the file: python -m cdp_typed.mock --scenario FILE.jsonl",
        "cdp-typed record http://127.0.0.1:9222 session.jsonl",
    )
    add_endpoint(parser)
    parser.add_argument("file", metavar="FILE.jsonl", type=Path, help="the file to write, which must not exist yet")
    parser.add_argument("--port", type=_port, default=0, help="the port for clients (default: a free one)")
    parser.add_argument("--record-secrets", action="store_true", help="leave nothing out of the file")
    add_timeout(parser, "seconds to wait for the browser when a client connects")
    add_connect_options(parser)
    options = parser.parse_args(arguments)
    redaction = Redaction(hides_typed_text=True, keeps_secrets=options.record_secrets)
    connect_options = connect_options_of(options)
    return run_in_order(record(options.url, options.file, options.port, options.timeout, connect_options, redaction))


async def record(
    url: str,
    path: Path,
    port: int,
    timeout: float,
    connect_options: ConnectOptions = DIRECT,
    redaction: Redaction | None = None,
) -> int:
    """Relay and write until SIGINT, SIGTERM or SIGHUP, and return the exit code.

    Raises `EndpointError`, and `UsageError` for the file or the port.
    """
    # OpenedConnection before the file is created, so that an unreachable browser is reported now.
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(_FirstConnection(await _dial(url, "", timeout, connect_options)))
        ended = asyncio.Event()
        stack.enter_context(stopped_by_signals(ended.set))

        async def dial(asked: str) -> Transport:
            kept = None if asked.startswith(PAGE_PATH) else await first.take()
            return kept or await _dial(url, asked, timeout, connect_options)

        recorder = TrafficRecorder(stack.enter_context(_new_file(path)), redaction or Redaction(hides_typed_text=True))
        relay = Relay(dial, recorder.see, port=port, max_size=_MAX_SIZE)
        async with _listening(relay, port):
            # The line that Chrome prints, which launchers in many languages wait for.
            write(f"DevTools listening on {relay.url}")
            relay.failed.add_done_callback(lambda _: ended.set())
            await ended.wait()
    warn(f"{recorder.count} messages are in {path}")
    if relay.failed.done():
        failure = relay.failed.result()
        raise UsageError(f"{path}: {failure.strerror if isinstance(failure, OSError) else repr(failure)}")
    return 0


class _FirstConnection:
    """The connection that is dialled before a client comes.

    The first client of the browser gets it, unless it has ended: a person may have been asked for it.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport: Transport | None = transport
        self._watch = asyncio.ensure_future(transport.receive())
        """Ends with the connection: a browser sends nothing without a command."""

    async def take(self) -> Transport | None:
        """Return the connection, the first time."""
        transport, self._transport = self._transport, None
        has_ended = self._watch.done()
        self._watch.cancel()
        await asyncio.gather(self._watch, return_exceptions=True)
        if transport is not None and has_ended:
            await transport.close()
            return None
        return transport

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        left = await self.take()
        if left is not None:
            await left.close()


class TrafficRecorder:
    """Writes messages as lines of a file, each at once, so that a crash loses none."""

    def __init__(self, file: FileIO, redaction: Redaction) -> None:
        self.count: int = 0
        self._file = file
        self._redaction = redaction
        self._logs: dict[int, MessageLog] = {}
        self._began = asyncio.get_running_loop().time()
        if redaction.keeps_secrets:
            self._write(note(0.0, connection_name(0), WITH_SECRETS))

    def see(self, client: int, direction: Direction, data: bytes) -> None:
        """Write a message of the client with this number. Raises `OSError`.

        Heartbeats of cdp-typed's own client are left out: a replay would wait for them.
        """
        if is_heartbeat(data):
            return
        seconds = asyncio.get_running_loop().time() - self._began
        if client not in self._logs:
            self._logs[client] = MessageLog(connection_name(client), self._redaction)
        self._write(self._logs[client].entry(seconds, direction, data))
        self.count += 1

    def _write(self, entry: dict[str, Any]) -> None:
        rest = f"{json.dumps(entry)}\n".encode("ascii")
        while rest:
            rest = rest[self._file.write(rest) :]


async def _dial(url: str, path: str, timeout: float, connect_options: ConnectOptions) -> Transport:
    """Connect to the browser, or to the page whose path a client requested. Raises `EndpointError`."""
    resolved = await connect_options.resolve(await locate(url, timeout=timeout), timeout=timeout)
    if path.startswith(PAGE_PATH):
        resolved = replace(resolved, url=urlsplit(resolved.url)._replace(path=path.partition("?")[0]).geturl())
    return await connect_options.dial(url, resolved, open_timeout=timeout, max_size=_MAX_SIZE)


def _new_file(path: Path) -> FileIO:
    try:
        # Readable by its owner only: it holds page content.
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    return FileIO(number, "w")


@asynccontextmanager
async def _listening(relay: Relay, port: int) -> AsyncGenerator[None]:
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(relay)
        except OSError as error:
            raise UsageError(f"127.0.0.1:{port}: {os.strerror(error.errno or 0)}") from None
        yield


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {text!r}")
    return int(text)
