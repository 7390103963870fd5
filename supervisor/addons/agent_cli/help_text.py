"""The help: the everyday commands on one page, and one page for each command."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from supervisor.declarations import LocalCommand, addons
from supervisor.declarations import commands as local_commands

from .other_words import command_named, our_name

ALL = "help"
"""The name of the page with all commands."""
_KEPT = Path(__file__).with_name("help_pages.json")
"""The addons with which the pages were made, and the pages. `python -m supervisor.addons.agent_cli.help_text` writes
it."""

HELP = """\
usage: cdp-agent COMMAND ... [--session NAME] [--timeout S] [--max CHARS] [--json]
A browser for coding agents. REF is e7 from the last look, or a locator: button "Save", a text, label=Mail, css=#id

  open URL             start the session's browser if needed, load the page, show it
  look [REF] [--find TEXT]  the page as text, with refs
  click REF            [--count 2] [--button right] [--modifiers Shift]
  fill REF VALUE...    any field: text, date, box (true/false), select; replaces
  type [REF] TEXT      keys into the focus, or at the end of a field; [--submit]
  press KEY [N]        Enter, Tab, Control+a
  hover REF
  drag REF TO-REF      or drag REF --by 120,0
  scroll [down|up|left|right] [PIXELS], or scroll REF to show it
  upload REF FILE...
  wait text:Saved      also text_gone: url: ref: value: loaded dialog download, or seconds
  dialog accept|dismiss [TEXT]   answer alert, confirm, prompt, beforeunload
  tab [open URL|ID|close ID]     alone: list; a popup's tab must be chosen
  back
  eval JAVASCRIPT      - reads standard input
  shot [FILE]          picture; [--full-page] [--ref REF]
  console              messages and errors
  requests [--failed]  all requests, or one in full: --id ID [--body]
  run -                commands from standard input, one a line; or: click REF then wait Hi; stops at a non-zero exit
  close                ends the browser and the session
  help COMMAND         its options; more commands: {more}

without a session:
{local}

Each command prints its outcome as read back from the page, then what changed. Long pages go into .cdp-agent/.
Open: [--cdp URL | --connect (a running Chrome) | --headed, --profile DIR, --page-proxy URL, --window-size 1280x800]
[--allow-origins A,B] [--deny-origins A,B] [--deny-private] [--owner PID] [--idle MINUTES]. One session for each work
tree; it ends after 30 minutes without commands.

exit codes: 0 done; 1 refused, nothing happened; 2 usage; 3 a dialog waits: answer it with dialog; 4 unsure: timed out
or cut off, may have been done; 5 no session or browser, or lost: open again; 6 forbidden by policy; 130 interrupted
"""


def help_of(command: str, local: Iterable[LocalCommand]) -> str:
    """The help of a tool's command, or of all when it is empty. Raises `UsageError` for a command that is none."""
    given = [*local]
    pages = kept_pages() or made_pages(given)
    return command_named(our_name(command or ALL), pages, [other.word for other in given])


def kept_pages() -> dict[str, str] | None:
    """The pages of all commands by name, from the file; None where it was made with other addons than are here."""
    made_with, pages = json.loads(_KEPT.read_text(encoding="utf-8"))
    return pages if made_with == addons() else None


def made_pages(local: Iterable[LocalCommand]) -> dict[str, str]:
    """The same, from the tools, which takes as long as to import them."""
    from supervisor.tools import CATALOGUE

    from .aliases import commands
    from .usage import described

    known = commands(CATALOGUE)
    more = sorted(name for name in known if f"  {name}" not in HELP)
    lines = (f"  {command.word:10}{command.sentence}" for command in local)
    pages = {name: described(name, command.tool, command.parameters) for name, command in known.items()}
    return {ALL: HELP.format(more=", ".join(more), local="\n".join(lines)), **pages}


def _write_pages() -> None:
    kept = [addons(), made_pages(local_commands().values())]
    _KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write_pages()
