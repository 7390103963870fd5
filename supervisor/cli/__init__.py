"""The command line of the supervisor: `python -m supervisor`, or `cdp-supervisor`."""

from __future__ import annotations

from supervisor.cli.main import main

__all__ = ["main"]
