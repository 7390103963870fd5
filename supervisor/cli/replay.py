"""`replay`: what a supervisor makes of a recording."""

from __future__ import annotations

import os
from pathlib import Path

from cdp_typed.cli.arguments import UsageError, add_timeout
from cdp_typed.cli.output import json_text, plain, write
from cdp_typed.mock import MockError, ReplayBrowser, ThreadedMockServer, load_recording
from supervisor.cli.arguments import Failed, new_parser, warn
from supervisor.cli.startup import settled
from supervisor.facade import CDPSupervisor


def run(arguments: list[str]) -> int:
    """Play a recording to a supervisor and print the last snapshot."""
    parser = new_parser(
        "replay",
        "Play a recording of a supervisor's traffic (cdp-typed record) to a supervisor, and print its last snapshot.",
        "replay session.jsonl | jq .recent_dialogs",
    )
    parser.add_argument("file", metavar="FILE.jsonl", help="the recording", type=Path)
    add_timeout(parser, "how long it may take", 15.0)
    options = parser.parse_args(arguments)
    try:
        browser = ReplayBrowser(load_recording(options.file))
    except MockError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{options.file}: {error.strerror or os.fspath(options.file)}") from None
    with ThreadedMockServer(browser) as server:
        supervisor = CDPSupervisor(server.url, reconnect_attempts=0)
        with supervisor.start(options.timeout):
            last = settled(supervisor)
            while skipped := browser.skip():
                warn(f"the recorded client did this, and it is not done now: {', '.join(skipped)}")
                last = settled(supervisor)
        for call in browser.unexpected:
            warn(f"not in the recording: {call.method}")
    if last.state in ("lost", "stopped"):
        raise Failed(f"the recording ended the connection: {last.reason}")
    write(json_text(plain(last)))
    return 0
