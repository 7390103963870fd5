"""`skill`: the SKILL.md of this version, printed, or put where a coding agent looks for skills."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from cdp_agent import DONE, work_tree
from cdp_typed.cli.arguments import UsageError
from cdp_typed.spelling import did_you_mean

FOLDER = Path(__file__).parent / "skill"
NAME = "cdp-agent"
PLACES = {
    "claude": ".claude/skills",
    "codex": ".agents/skills",
    "copilot": ".github/skills",
    "cursor": ".cursor/skills",
}
"""The folder for skills of each agent, in a work tree."""
USAGE_LINE = "skill show | skill install [--for claude|codex|copilot|cursor]"


def skill(words: list[str]) -> int:
    """Print the skill, or copy its folder. Without `--for` it goes into `.agents/skills`, which most agents read."""
    match words:
        case ["show"]:
            sys.stdout.write((FOLDER / "SKILL.md").read_text("utf-8"))
        case ["install"]:
            _install("codex")
        case ["install", "--for", agent]:
            _install(agent)
        case _:
            raise UsageError(USAGE_LINE)
    return DONE


def _install(agent: str) -> None:
    if agent not in PLACES:
        raise UsageError(f"--for {agent!r} is not one of {', '.join(PLACES)}{did_you_mean(agent, PLACES, 1)}")
    place = Path(work_tree(), PLACES[agent], NAME)
    shutil.copytree(FOLDER, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    sys.stdout.write(f"{place}\n")
