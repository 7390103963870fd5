"""`report`: the recording of a session as one HTML file."""

from __future__ import annotations

from pathlib import Path

from cdp_agent import option, runtime_folder, session_key, shown, socket_path
from cdp_typed.cli.arguments import UsageError
from supervisor.cli import report as report_command

from .printouts import free_path


def report(words: list[str]) -> int:
    """Write it into `.cdp-agent/`, or where `-o FILE` says; further options are those of `cdp-supervisor report`."""
    key = session_key(option(words, "session"))
    rest = [word for at, word in enumerate(words) if not _names_session(words, at)]
    recording = Path(socket_path(runtime_folder(), key)).with_suffix("") / "flight.jsonl"
    if not recording.exists():
        raise UsageError(f"no session is open for {shown(key)}: a recording lasts as long as its session")
    to_file = [] if "-o" in rest or "--output" in rest or "--json" in rest else ["-o", str(free_path("report", "html"))]
    return report_command.run([str(recording), *to_file, *rest])


def _names_session(words: list[str], at: int) -> bool:
    return words[at].startswith("--session") or (at > 0 and words[at - 1] == "--session")
