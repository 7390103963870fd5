"""The fake browser as a program, for tests in any language: `python -m cdp_typed.mock`."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from cdp_typed.mock.browser import MockBrowser
from cdp_typed.mock.dials import Dial
from cdp_typed.mock.errors import ScenarioError
from cdp_typed.mock.personality import PERSONALITIES
from cdp_typed.mock.replay import ReplayBrowser, load_recording
from cdp_typed.mock.scenario import load_scenario
from cdp_typed.mock.server import MockServer

__all__ = ["main"]

_WRONG_USE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; the exit code is 2 if that cannot begin."""
    given = _parser().parse_args(arguments)
    try:
        server = _server(given.scenario, given.personality, given.host, given.port)
        asyncio.run(_serve(server))
    except ScenarioError as error:
        return _complain(str(error))
    except OSError as error:
        place = given.scenario if error.filename else f"{given.host}:{given.port}"
        return _complain(f"{place}: {error.strerror or error}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cdp_typed.mock", description="A fake browser that speaks CDP.")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="the debugging port (default: any that is free)")
    parser.add_argument("--scenario", type=Path, metavar="FILE", help="a scenario, or a recording to replay (.jsonl)")
    parser.add_argument("--personality", choices=sorted(PERSONALITIES), default="", help="whose browser it is")
    return parser


def _server(file: Path | None, personality: str, host: str, port: int) -> MockServer:
    browser, named, dials = MockBrowser(), personality or "local", tuple[Dial, ...]()
    if file is not None and file.suffix == ".jsonl":
        browser = ReplayBrowser(load_recording(file))
    elif file is not None:
        scenario = load_scenario(file)
        browser, named, dials = scenario.browser(), personality or scenario.personality, scenario.dials
    server = MockServer(browser, host=host, port=port, personality=PERSONALITIES[named])
    server.next_dials(*dials)
    return server


async def _serve(server: MockServer) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with server:
        # Chrome's own words, which launchers in many languages wait for.
        sys.stdout.write(f"DevTools listening on {server.url}\n")
        sys.stdout.flush()
        await ended.wait()


def _complain(message: str) -> int:
    sys.stderr.write(f"error: {message}\n")
    return _WRONG_USE
