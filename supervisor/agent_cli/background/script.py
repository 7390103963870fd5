"""`run -`: several commands from standard input."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Sequence

from cdp_agent import DONE
from cdp_typed.cli.arguments import UsageError
from supervisor.agent_cli.printouts import Printout

_ALONE = ("close", "run")
"""Commands that cannot be steps."""


async def run_script(words: Sequence[str], script: str, one: Callable[[list[str]], Awaitable[Printout]]) -> Printout:
    """Run the lines in their order, until one does not end with exit code 0. Raises `UsageError` before the first."""
    if list(words) != ["-"]:
        raise UsageError("run takes its commands from standard input: run - <<'END'")
    steps = list(_steps(script))
    if not steps:
        raise UsageError("standard input has no command")
    told: list[str] = []
    for at, step in enumerate(steps, 1):
        try:
            answer = await one(step)
        except UsageError as error:
            raise UsageError(
                f"step {at} ({' '.join(step)}): {error}; {at - 1} of {len(steps)} steps were done"
            ) from None
        told.append(f"{at} {' '.join(step)}: {answer.text}")
        if answer.code != DONE:
            left = len(steps) - at
            told.append(f"stopped at step {at} of {len(steps)}; {left} were not done")
            return Printout(answer.code, "\n".join(told), {**answer.facts, "step": at, "steps": len(steps)})
    return Printout(DONE, "\n".join(told), {"success": True, "steps": len(steps)})


def _steps(script: str) -> list[list[str]]:
    steps: list[list[str]] = []
    for number, line in enumerate(script.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(f"line {number}: {error}") from None
        if words and words[0] in _ALONE:
            raise UsageError(f"line {number}: {words[0]} cannot be a step")
        if words:
            steps.append(words)
    return steps
