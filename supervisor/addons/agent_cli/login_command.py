"""`login`: user names and passwords that an agent uses and does not see."""

from __future__ import annotations

import argparse
import sys
from getpass import getpass

from cdp_typed.cli.output import json_text, write
from supervisor.cli.exit_codes import Failed
from supervisor.cli.parsers import new_parser
from supervisor.saved_state.logins import Login, LoginFiles


def run(words: list[str]) -> int:
    """Save, list or remove logins. Raises `Failed` for a name that no login has."""
    options, files = _parser().parse_args(words), LoginFiles()
    if options.action == "list":
        write(json_text(files.names()))
    elif options.action == "remove":
        if not files.remove(options.name):
            raise Failed("no login has this name")
    else:
        files.save(options.name, Login(origin=options.origin, user=options.user, password=_password()))
    return 0


def _password() -> str:
    """The password from the terminal, which does not show it, or the first line of the input."""
    return getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "login",
        "Keep user names and passwords for the tool browser_login, encrypted with the key in CDP_STATE_KEY.",
        "login add shop https://shop.example --user ada",
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    about = "save a login; the password comes from a prompt or from standard input"
    add = actions.add_parser("add", help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    add.add_argument("name", metavar="NAME", help="the name that the agent uses for the login")
    add.add_argument(
        "origin", metavar="ORIGIN", help="the only origin whose pages get the password: https://shop.example"
    )
    add.add_argument("--user", metavar="NAME", default="", help="the user name or e-mail address")
    actions.add_parser("list", help="print the names", description="Print the names.", allow_abbrev=False)
    remove = actions.add_parser("remove", help="delete a login", description="Delete a login.", allow_abbrev=False)
    remove.add_argument("name", metavar="NAME")
    return parser
