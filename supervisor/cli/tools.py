"""`tools`: the agent tools' definitions."""

from __future__ import annotations

from typing import get_args

from cdp_typed.cli.output import json_text, write
from supervisor.cli.arguments import new_parser
from supervisor.config import Config
from supervisor.tools import Form, Toolbox


def run(arguments: list[str]) -> int:
    """Print the definitions as JSON."""
    parser = new_parser(
        "tools",
        "Print the definitions of the agent tools, as JSON, in the form that a model or a client takes.",
        "tools --form anthropic --toolsets all | jq -r '.[].name'",
    )
    parser.add_argument("--form", choices=get_args(Form), default="openai", help="(default: openai)")
    parser.add_argument(
        "--toolsets", nargs="+", default=["browser"], metavar="NAME", help="sets of tools, or tools (default: browser)"
    )
    options = parser.parse_args(arguments)
    # Tools hide where there is no endpoint; what they would be is asked here, and nothing is dialled for that.
    toolbox = Toolbox(Config(cdp_url="http://127.0.0.1:9222"), toolsets=options.toolsets)
    write(json_text(toolbox.definitions(options.form)))
    return 0
