"""What commands that serve MCP share: their options, the address, and the server, which needs the extra `mcp`."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypedDict

from cdp_agent import PROG
from cdp_typed.cli.arguments import UsageError
from supervisor.declarations import offered

from .live_views import port_of
from .parsers import warn
from .session_agent import SessionAgent

if TYPE_CHECKING:
    from supervisor.http_server import Address

TOKEN = "CDP_MCP_TOKEN"
"""The environment variable with the bearer token of the HTTP server."""


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Add the options of a server: its tools, what its results look like, where pages may go, and HTTP."""
    parser.add_argument(
        "--toolsets", nargs="+", default=["browser"], metavar="NAME", help="toolsets, or tools (default: browser)"
    )
    parser.add_argument(
        "--disabled",
        nargs="+",
        default=[],
        metavar="NAME",
        help="tools or toolsets to leave out (browser_vision for a client that shows no pictures)",
    )
    parser.add_argument(
        "--dialog-policy",
        choices=("must_respond", "auto_dismiss", "auto_accept"),
        default="must_respond",
        help="who answers dialogs: the agent (must_respond, the default), or the server at once",
    )
    parser.add_argument(
        "--ask-user", action="store_true", help="let the person at the client answer confirm and prompt dialogs"
    )
    parser.add_argument(
        "--structured", action="store_true", help="add JSON to the text of results, and output schemas to the tools"
    )
    private = parser.add_mutually_exclusive_group()
    private.add_argument(
        "--deny-private",
        action="store_true",
        help="refuse file:, the browser's own pages, this machine and private addresses (the default in a browser that "
        "the server starts, except that over stdio it allows this machine)",
    )
    private.add_argument("--allow-private", action="store_true", help="allow them in such a browser")
    http = parser.add_argument_group("over HTTP")
    http.add_argument(
        "--http", type=port_of, metavar="PORT", help="serve streamable HTTP at /mcp on this port (0: a free one)"
    )
    http.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    http.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="a host name by which clients know the server"
    )


class ServedTools(TypedDict):
    """Arguments of a toolbox or a fleet."""

    toolsets: list[str]
    disabled: list[str]


def tools_of(options: argparse.Namespace) -> ServedTools:
    """The tools as arguments of a toolbox or a fleet."""
    return {"toolsets": options.toolsets, "disabled": options.disabled}


def denies_private(options: argparse.Namespace, *, starts_browser: bool) -> bool:
    """A browser that is started needs nothing on this machine; one that runs may have been started for that."""
    return options.deny_private or (starts_browser and not options.allow_private)


def check_installed() -> None:
    """Raise `UsageError` without the packages of the extra `mcp`, before anything starts. Imports none of them."""
    for package in ("mcp", "starlette", "uvicorn"):
        if find_spec(package) is None:
            raise UsageError(f"the MCP server needs {package}: pip install 'cdp-typed[mcp]'")


def address_of(options: argparse.Namespace) -> Address | None:
    """Where to serve over HTTP; None for stdio. Raises `UsageError` without the extra `mcp`."""
    try:
        _ = offered("mcp").serve_http
        from supervisor.http_server import Address
    except ModuleNotFoundError as missing:
        raise UsageError(f"the MCP server needs {missing.name}: pip install 'cdp-typed[mcp]'") from None
    if options.http is None:
        return None
    token = os.environ.get(TOKEN)
    if not token:
        token = secrets.token_urlsafe(24)
        warn(f"{TOKEN} is not set; clients need the header 'Authorization: Bearer {token}'")
    return Address(token=token, host=options.host, port=options.http, names=frozenset(options.allow_host))


async def serve(
    agent: SessionAgent | Callable[[], SessionAgent], address: Address | None, options: argparse.Namespace
) -> None:
    """Serve an agent, or over HTTP one for each session, until the client leaves or the task is cancelled."""
    serving = offered("mcp")
    asked = {"ask_user": options.ask_user, "structured": options.structured}
    if address is None:
        await serving.serve_stdio(agent() if callable(agent) else agent, **asked)
        return
    try:
        await serving.serve_http(agent, address, **asked, listening=_tell)
    except OSError as error:
        raise UsageError(f"{address.host}:{address.port}: {error.strerror or error}") from None


def _tell(url: str) -> None:
    sys.stderr.write(f"{PROG}: listening on {url}\n")
    sys.stderr.flush()
