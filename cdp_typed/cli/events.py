"""`events`: prints the events of a browser, one JSON line each."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

from cdp_typed import Command
from cdp_typed.cli.arguments import UsageError, add_endpoint, add_timeout, new_parser, warn
from cdp_typed.cli.connect_options import ConnectOptions, add_connect_options, connect_options_of
from cdp_typed.cli.output import json_line, write
from cdp_typed.cli.session_choice import attach, is_direct
from cdp_typed.client.channel import Channel
from cdp_typed.ending_signals import run_in_order
from cdp_typed.errors import CDPError, SessionDetached, TargetCrashed
from cdp_typed.protocol import target
from cdp_typed.protocol.registry import EVENTS, command_class
from cdp_typed.recording.taps import Direction
from cdp_typed.schema import load_schema
from cdp_typed.spelling import did_you_mean
from cdp_typed.wire.json_text import is_object, load, repair

_ENABLE_TIMEOUT = 5.0
# Enabling these changes the page's behaviour: requests wait for an answer, scripts stop at breakpoints.
_INTRUSIVE = frozenset({"Debugger", "Fetch"})


def run(arguments: list[str]) -> int:
    """Print events until `--count` or `--timeout` is reached, or Ctrl-C."""
    parser = new_parser(
        "events",
        "Print events as they arrive, one line of JSON each, until Ctrl-C. A PATTERN selects events of the protocol\n"
        "by name; * matches anything. The command enables the domains that it needs. It enables Fetch and Debugger,\n"
        "which make the page wait, only if a pattern names them.",
        "cdp-typed events http://127.0.0.1:9222 'Page.*' Runtime.consoleAPICalled --count 10",
    )
    add_endpoint(parser)
    parser.add_argument("patterns", metavar="PATTERN", nargs="+", help="for example 'Page.*' or Log.entryAdded")
    parser.add_argument(
        "--target", metavar="ID", help="a target's id or the beginning of it, or `browser` (default: the first page)"
    )
    parser.add_argument("--count", type=_count, metavar="N", help="end after N events")
    add_timeout(parser, "end after this time", default=None)
    add_connect_options(parser)
    options = parser.parse_args(arguments)
    methods = matching(options.patterns)
    run_in_order(
        _watch(options.url, connect_options_of(options), methods, options.target, options.count, options.timeout)
    )
    return 0


def matching(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the events that at least one pattern matches, in the schema's order.

    Events of intrusive domains need a pattern that names the domain. Raises `UsageError` for a pattern that matches
    no event.
    """
    for pattern in patterns:
        if not any(fnmatchcase(method, pattern) for method in EVENTS):
            raise UsageError(f"no event matches {pattern!r}{did_you_mean(pattern, EVENTS)}")
    return tuple(method for method in EVENTS if any(_matches(method, pattern) for pattern in patterns))


def _matches(method: str, pattern: str) -> bool:
    domain = method.partition(".")[0]
    return fnmatchcase(method, pattern) and (domain not in _INTRUSIVE or pattern.startswith(f"{domain}."))


async def _watch(
    url: str,
    connect_options: ConnectOptions,
    methods: Sequence[str],
    wanted: str | None,
    count: int | None,
    seconds: float | None,
) -> None:
    domains = dict.fromkeys(method.partition(".")[0] for method in methods)
    async with connect_options.connect(url) as browser:
        direct = [domain for domain in domains if await is_direct(browser, wanted, domain)]
        on_target = [domain for domain in domains if domain not in direct]
        session = await attach(browser, wanted) if on_target else None
        watch = WireEvents(methods, session.session_id if session is not None else None)
        browser.tap(watch.see)
        browser.lost.add_done_callback(lambda lost: watch.end(lost.result()))
        enabling = _enable(browser.root, direct)
        if session is not None:
            enabling |= _enable(session, on_target)
        await _report(enabling)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _print(watch, count)


class WireEvents:
    """The wanted events as they are on the wire, with fields that the bindings do not know."""

    def __init__(self, methods: Iterable[str], session_id: str | None) -> None:
        self._methods = frozenset(methods)
        self._session_id = session_id
        self._queue: asyncio.Queue[dict[str, Any] | CDPError] = asyncio.Queue()

    def see(self, direction: Direction, data: bytes) -> None:
        """Queue a message of the connection if it is a wanted event."""
        if direction == "sent":
            return
        try:
            message = load(repair(data), lambda _: None)
        except (ValueError, RecursionError):  # the connection counts it
            return
        if not is_object(message) or message.get("sessionId") not in (None, self._session_id):
            return
        method, params = message.get("method"), message.get("params", {})
        if method in self._methods:
            self._queue.put_nowait({"method": method, "params": params})
        if self._session_id is None or not is_object(params):
            return
        if method == "Target.detachedFromTarget" and params.get("sessionId") == self._session_id:
            self.end(SessionDetached(self._session_id))
        elif method == "Inspector.targetCrashed" and message.get("sessionId") == self._session_id:
            self.end(TargetCrashed(self._session_id))

    def end(self, error: CDPError) -> None:
        """End the events: `next` raises `error` after those that came before."""
        self._queue.put_nowait(error)

    async def next(self) -> dict[str, Any]:
        """Return the next event. Raises the error that ended the events."""
        item = await self._queue.get()
        if isinstance(item, CDPError):
            raise item
        return item


def _enable(channel: Channel, domains: Iterable[str]) -> dict[str, asyncio.Future[Any]]:
    """Enable the domains; return the future of each command, by domain."""
    sent: dict[str, asyncio.Future[Any]] = {}
    for domain in domains:
        command = _enabling(domain)
        if command is None:
            warn(f"{domain} cannot be enabled; its events come only when another command asks for them")
        else:
            sent[domain] = channel.send_nowait(command, timeout=_ENABLE_TIMEOUT)
    return sent


def _enabling(domain: str) -> Command[Any] | None:
    if domain == "Target":
        return target.SetDiscoverTargets(discover=True)
    command = load_schema().commands.get(f"{domain}.enable")
    if command is None or any(not parameter.optional for parameter in command.parameters):
        return None
    return command_class(f"{domain}.enable")()


async def _report(enabling: Mapping[str, asyncio.Future[Any]]) -> None:
    """Print a note for every domain that could not be enabled. Raises the first failure if none could."""
    outcomes = await asyncio.gather(*enabling.values(), return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    if failures and len(failures) == len(outcomes):
        raise failures[0]
    for domain, outcome in zip(enabling, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            warn(f"{domain} was not enabled: {outcome}")


async def _print(watch: WireEvents, count: int | None) -> None:
    printed = 0
    while printed != count:
        write(json_line(await watch.next()))
        printed += 1


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a number of events above 0 is expected, not {text!r}")
    return int(text)
