"""`sessions`: the sessions of this user."""

from __future__ import annotations

from cdp_agent import DONE, PROG, shown
from cdp_typed.cli.output import json_line, write
from supervisor.cli.parsers import new_parser
from supervisor.cli.session_notes import notes


def run(words: list[str]) -> int:
    """Print them, a line each."""
    parser = new_parser("sessions", "List the open sessions of this user.", "sessions --json")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(words)
    found = [note for note in notes() if note.lives]
    if options.json:
        write(json_line([{"session": shown(note.key), "pid": note.pid} for note in found]))
        return DONE
    lines = [f"{shown(note.key)} (process {note.pid})" for note in found]
    write("\n".join(lines) if lines else f"no session is open; begin with: {PROG} open URL")
    return DONE
