"""`skill`: the SKILL.md of this version, printed, or put where a coding agent looks for skills."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from cdp_agent import DONE, work_tree
from cdp_typed.cli.output import write
from supervisor.cli.parsers import new_parser

FOLDER = Path(__file__).parent / "skill"
NAME = "cdp-agent"
PLACES = {
    "claude": ".claude/skills",
    "codex": ".agents/skills",
    "copilot": ".github/skills",
    "cursor": ".cursor/skills",
    "gemini": ".gemini/skills",
    "opencode": ".opencode/skills",
    "qwen": ".qwen/skills",
}
"""The folder for skills of each agent, in a work tree."""


def run(words: list[str]) -> int:
    """Print the skill, or copy its folder."""
    parser = new_parser(
        "skill", "Teach a coding agent to use cdp-agent: print SKILL.md, or copy it.", "skill install --for claude"
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    about = "print SKILL.md"
    actions.add_parser("show", help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    about = "copy it into the work tree, where the agent looks for skills"
    install = actions.add_parser("install", help=about, description=f"C{about[1:]}.", allow_abbrev=False)
    install.add_argument(
        "--for", dest="agent", default="codex", choices=PLACES, help="(default: codex; most agents read its folder)"
    )
    options = parser.parse_args(words)
    if options.action == "show":
        sys.stdout.write((FOLDER / "SKILL.md").read_text("utf-8"))
        return DONE
    place = Path(work_tree(), PLACES[options.agent], NAME)
    shutil.copytree(FOLDER, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    write(str(place))
    return DONE
