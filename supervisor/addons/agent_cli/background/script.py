"""Several commands in one: `click 'button "Save"' then wait Saved`, or `run -` with lines of standard input."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cdp_agent import DONE, FROM_STDIN, THEN
from cdp_typed.cli.arguments import UsageError
from supervisor.addons.agent_cli.outputs import CommandOutput


def joined(words: list[str]) -> list[list[str]]:
    """The commands that the word `then` joins: one, where it is missing. After `--` it is a word like any other.

    Raises `UsageError` where one of them is missing.
    """
    end = words.index("--") if "--" in words else len(words)
    steps: list[list[str]] = [[]]
    for at, word in enumerate(words):
        if word == THEN and at < end:
            steps.append([])
        else:
            steps[-1].append(word)
    if not all(steps):
        raise UsageError("then stands between two commands; as a word of one it needs -- before it")
    return steps


def with_input(words: list[str], given: str) -> list[str]:
    """The command with its standard input in the place of a last word `-`. Raises `UsageError` when that is empty."""
    if words[0] not in FROM_STDIN or words[-1] != "-":
        return words
    if not given:
        raise UsageError("- as the last word means standard input, which is empty")
    return [*words[:-1], given]


def written(words: Sequence[str], script: str) -> list[list[str]]:
    """The words of each line, quoted as in a shell. Only a line feed ends a line: a text that was copied from a page
    may have other characters that look like one. A comment is a whole line, for `css=#id` and addresses hold a `#`.

    Raises `UsageError` for lines that are no commands.
    """
    if list(words) != ["-"]:
        raise UsageError("run takes its commands from standard input: run - <<'END'")
    steps: list[list[str]] = []
    for number, line in enumerate(script.split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"line {number}: {error}") from None
        if words:
            steps.append(words)
    if not steps:
        raise UsageError("standard input has no command")
    return steps


async def run_steps(steps: Sequence[list[str]], one: Callable[[list[str]], Awaitable[CommandOutput]]) -> CommandOutput:
    """Run commands in their order, until one does not end with exit code 0. That one comes first in the answer.

    Raises `UsageError` for a step that is no command, and says how many were done before it.
    """
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
            return CommandOutput(answer.code, "\n".join([first, told[-1], *told[:-1]]), facts)
    return CommandOutput(DONE, "\n".join(told), {"success": True, "steps": len(steps), "outcomes": outcomes})
