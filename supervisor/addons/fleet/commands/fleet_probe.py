"""`fleet probe`: answers probes over HTTP whether a new task can be placed."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, write
from cdp_typed.ending_signals import run_in_order
from cdp_typed.errors import CDPError
from cdp_typed.loop_thread import HANDLER_LOOP

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet

ANSWER_S = 5.0
"""Seconds that the fleet's directory has to answer."""


def probe(fleet: Fleet, options: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    try:
        with serving_probe(fleet, options.bind, options.port) as url:
            write(json_text({"url": url}) if options.json else f"probe: {url}")
            run_in_order(_wait())
    except OSError as error:
        raise UsageError(f"{options.bind}:{options.port}: {error.strerror or error}") from None


async def _wait() -> None:
    await asyncio.Event().wait()


@contextmanager
def serving_probe(fleet: Fleet, host: str, port: int) -> Generator[str]:
    """Serve for the length of the block; yields the URL. Raises `OSError` for an address that cannot be had.

    Each GET is answered with 200 if a new task can be placed now, or the fleet may start a host for it, and else with
    503. The body has `can_place` and `why`.
    """

    class Answers(BaseHTTPRequestHandler):
        timeout = ANSWER_S * 2

        def do_GET(self) -> None:
            why = why_no_place(fleet)
            body = json_text({"can_place": not why, "why": why}).encode()
            self.send_response(503 if why else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing: probes come every few seconds."""

    with ThreadingHTTPServer((host, port), Answers) as server:
        serving = Thread(target=server.serve_forever, name="cdp-typed fleet probe", daemon=True)
        serving.start()
        try:
            yield f"http://{host}:{server.server_address[1]}/"
        finally:
            server.shutdown()
            serving.join()


def why_no_place(fleet: Fleet) -> str:
    """Why no task can be placed now; empty if one can."""
    try:
        return HANDLER_LOOP.run(fleet.aio.status(), ANSWER_S).why_no_place
    except TimeoutError:
        return f"the directory of the fleet did not answer within {ANSWER_S:g} s"
    except CDPError as error:
        return str(error)
