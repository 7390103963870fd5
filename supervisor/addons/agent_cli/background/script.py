"""`run -`: several commands from standard input."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cdp_agent import DONE
from cdp_typed.cli.arguments import UsageError
from supervisor.addons.agent_cli.printouts import Printout

_ALONE = ("close", "run")
"""Commands that cannot be steps."""


async def run_script(words: Sequence[str], script: str, one: Callable[[list[str]], Awaitable[Printout]]) -> Printout:
    """Run the lines in their order, until one does not end with exit code 0. That one comes first in the answer.

    Raises `UsageError` for lines that are no commands.
    """
    if list(words) != ["-"]:
        raise UsageError("run takes its commands from standard input: run - <<'END'")
    steps = _steps(script)
    if not steps:
        raise UsageError("standard input has no command")
    told: list[str] = []
    outcomes: list[dict[str, Any]] = []
    for at, step in enumerate(steps, 1):
        try:
            answer = await one(step)
        except UsageError as error:
            raise UsageError(
                f"step {at} ({' '.join(step)}): {error}; {at - 1} of {len(steps)} steps were done"
            ) from None
        told.append(f"{at} {' '.join(step)}: {answer.text}")
        outcomes.append({"command": step, "exit": answer.code, **(answer.facts or {"message": answer.text})})
        if answer.code != DONE:
            first = f"stopped at step {at} of {len(steps)}; {len(steps) - at} not done"
            facts = {**answer.facts, "step": at, "steps": len(steps), "outcomes": outcomes}
            return Printout(answer.code, "\n".join([first, told[-1], *told[:-1]]), facts)
    return Printout(DONE, "\n".join(told), {"success": True, "steps": len(steps), "outcomes": outcomes})


def _steps(script: str) -> list[list[str]]:
    """The words of each line, quoted as in a shell. Only a line feed ends a line: a text that was copied from a page
    may have other characters that look like one. A comment is a whole line, for `css=#id` and addresses hold a `#`."""
    steps: list[list[str]] = []
    for number, line in enumerate(script.split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"line {number}: {error}") from None
        if words and words[0] in _ALONE:
            raise UsageError(f"line {number}: {words[0]} cannot be a step")
        if words:
            steps.append(words)
    return steps
