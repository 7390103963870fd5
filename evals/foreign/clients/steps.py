"""Plays the steps of a client one after the other, each with a deadline, and prints a line of JSON for each."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

__all__ = ["Step", "play"]

Step = Callable[[], Awaitable[Any]]
DEADLINE_S = 6.0


async def play(steps: Mapping[str, Step]) -> None:
    """Play the steps; what one returns, raises, or takes too long for is its line."""
    for name, step in steps.items():
        try:
            said = {"value": await asyncio.wait_for(step(), DEADLINE_S)}
        except TimeoutError as late:
            # A client's own, shorter deadline says what it waited for.
            said = {"error": f"TimeoutError: {late}"} if str(late) else {"hangs": True}
        except Exception as error:  # each client has errors of its own; the error is what the step says
            said = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps({"step": name, **said}, default=repr) + "\n")
        sys.stdout.flush()
        await asyncio.sleep(0.1)  # until it is read: what the mock refuses now belongs to this step
