"""The command line of the client: `python -m cdp_typed`, or `cdp-typed`."""

from __future__ import annotations

from cdp_typed.cli.main import main

__all__ = ["main"]
