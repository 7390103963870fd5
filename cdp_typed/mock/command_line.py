"""The fake browser as a program, for tests in any language: `python -m cdp_typed.mock`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cdp_typed.ending_signals import stopped_by_signals
from cdp_typed.mock.control.handshake_faults import HandshakeFault
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.errors import ScenarioError
from cdp_typed.mock.personality import PERSONALITIES, Personality
from cdp_typed.mock.scenario import load_scenario
from cdp_typed.mock.server.async_server import MockServer
from cdp_typed.mock.server.pipe_server import MockPipe

_WRONG_USE = 2
_FILES = (3, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGINT, SIGTERM or SIGHUP, or until the pipe ends; the exit code is 2 if the server cannot start."""
    given = _parser().parse_args(arguments)
    try:
        show = _show(given.scenario, given.personality)
        if given.pipe:
            # Checked before the event loop opens descriptors.
            pipe = MockPipe(show.browser, personality=show.personality, files=_FILES)
            asyncio.run(_speak(pipe))
        else:
            asyncio.run(_serve(show, given.host, given.port))
    except ScenarioError as error:
        return _complain(str(error))
    except BrokenPipeError:  # the reader of the address has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        listening = "the pipe" if given.pipe else f"{given.host}:{given.port}"
        place = given.scenario if error.filename else listening
        return _complain(f"{place}: {error.strerror or error}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cdp_typed.mock", description="A fake browser that speaks CDP.")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=0, help="the debugging port (default: a free one)")
    parser.add_argument(
        "--pipe", action="store_true", help="use the descriptors 3 and 4 instead of a port, for one client"
    )
    parser.add_argument("--scenario", type=Path, metavar="FILE", help="a scenario")
    parser.add_argument(
        "--personality", choices=sorted(PERSONALITIES), default="", help="the browser or service to imitate"
    )
    return parser


class _Show(NamedTuple):
    """The browser to serve, its personality and its handshake faults."""

    browser: MockBrowser
    personality: Personality
    dials: tuple[HandshakeFault, ...] = ()


def _show(file: Path | None, personality: str) -> _Show:
    if file is None:
        return _Show(MockBrowser(), PERSONALITIES[personality or "local"])
    scenario = load_scenario(file)
    return _Show(scenario.browser(), PERSONALITIES[personality or scenario.personality], scenario.dials)


async def _serve(show: _Show, host: str, port: int) -> None:
    ended = asyncio.Event()
    server = MockServer(show.browser, host=host, port=port, personality=show.personality)
    server.next_dials(*show.dials)
    with stopped_by_signals(ended.set):
        async with server:
            # Chrome's text, for which launchers in many languages wait.
            sys.stdout.write(f"DevTools listening on {server.url}\n")
            sys.stdout.flush()
            await ended.wait()


async def _speak(pipe: MockPipe) -> None:
    ended = asyncio.Event()
    with stopped_by_signals(ended.set):
        async with pipe:
            told, left = asyncio.create_task(ended.wait()), asyncio.create_task(pipe.wait_ended())
            await asyncio.wait((told, left), return_when=asyncio.FIRST_COMPLETED)
            told.cancel()
        await left


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError(f"{text}: a port is a number between 0 and {2**16 - 1}")
    return number


def _complain(message: str) -> int:
    sys.stderr.write(f"error: {message}\n")
    return _WRONG_USE
