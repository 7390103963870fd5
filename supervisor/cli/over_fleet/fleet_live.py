"""`fleet live`: the live view of a task, wherever it runs, on this machine."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, write
from supervisor.cli.arguments import Failed
from supervisor.cli.live import TOKEN, listed

if TYPE_CHECKING:
    from supervisor.fleet import Fleet


def serve(fleet: Fleet, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C; fails when the task ends, or gets another place."""
    given = os.environ.get(TOKEN)
    try:
        with fleet.live(options.task, token=given, port=options.port) as tunnel:
            reported = f"{tunnel.address}/#token=... ({TOKEN})" if given else tunnel.url
            write(json_text({"url": reported}) if options.json else f"live view: {reported}")
            with listed(f"fleet task {options.task}", tunnel.address, tunnel.token):
                reason = tunnel.wait()
    except OSError as error:
        raise UsageError(f"127.0.0.1:{options.port}: {error.strerror or error}") from None
    raise Failed(f"the live view has ended: {reason}")
