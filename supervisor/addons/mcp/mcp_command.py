"""`mcp`: the tools as an MCP server."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cdp_agent import PROG
from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.connect_options import add_connect_options
from cdp_typed.ending_signals import run_in_order
from cdp_typed.endpoint import find_running
from supervisor.aio import AsyncSupervisor
from supervisor.cli.arguments import (
    add_connect,
    add_launch,
    add_record,
    check_unlaunched,
    launching_of,
    recording_of,
    settings_of,
)
from supervisor.cli.live_views import live_view_class, port_of, serving_live
from supervisor.cli.mcp_serving import add_serving, address_of, check_installed, denies_private, serve, tools_of
from supervisor.cli.parsers import new_parser
from supervisor.config import Config, Endpoint, Settings
from supervisor.declarations import offered
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools import CATALOGUE, Policy, Toolbox
from supervisor.tools.framework.toolsets import resolve

from .pending_browser import PendingBrowser

if TYPE_CHECKING:
    from supervisor.addons.mcp import Agent


def run(words: list[str]) -> int:
    """Serve until the client leaves, or SIGINT, SIGTERM or SIGHUP."""
    options = _parser().parse_args(words)
    settings: Settings = {**settings_of(options), **recording_of(options)}
    settings["dialog_policy"] = options.dialog_policy
    settings["owns_browser"] = options.launch
    settings["watch_requests"] = options.launch and "browser_requests" in resolve(options.toolsets, CATALOGUE)
    if options.connect:
        settings["scope"] = "own"  # the tabs and windows of a person stay theirs
        settings["own_windows"] = True
    policy = Policy(
        deny_private=denies_private(options, starts_browser=options.launch),
        allow_loopback=options.http is None and not options.deny_private,  # over stdio, a person's own machine
        approve=() if options.approve is None else tuple(options.approve) or ("*",),
    )
    check_installed()
    launch = _launch(options)
    browser: Endpoint = launch or (find_running if options.connect else options.cdp_url)
    config = Config(cdp_url=browser, **settings)
    approvals = _approvals(options)
    hooks = () if approvals is None else (approvals,)
    toolbox = Toolbox(config, **tools_of(options), policy=policy, hooks=hooks)
    run_in_order(_serve(toolbox, config, launch, options, approvals))
    return 0


def _launch(options: argparse.Namespace) -> PendingBrowser | None:
    """The browser to launch, if any. Raises `UsageError`, and `LaunchError` where none could ever start."""
    if not options.launch:
        check_unlaunched(options)
        return None
    return PendingBrowser(launching_of(options, NamedFiles("downloads").folder))


def _approvals(options: argparse.Namespace) -> Any:
    """The hook that asks a person about calls that the policy names, if any. Raises `UsageError` without `--live`."""
    if options.approve is None:
        return None
    if options.live is None:
        raise UsageError("--approve asks in the live view: give --live, too")
    return offered("live").Approvals()


def _load() -> None:
    """Import the server. Nothing that an import makes is garbage: looking for some takes a sixth of its time."""
    gc.disable()
    try:
        import_module("supervisor.addons.mcp.http")
    except ModuleNotFoundError:
        return  # told by the import that follows
    finally:
        gc.freeze()
        gc.enable()


async def _serve(
    toolbox: Toolbox, config: Config, launch: PendingBrowser | None, options: argparse.Namespace, approvals: Any
) -> None:
    async with launch.starting() if launch is not None else nullcontext():
        _load()  # while the browser starts, which takes longer
        address = address_of(options)
        from supervisor.addons.mcp import Agent

        agent = Agent(toolbox, config, connects_at_start=not options.connect)
        async with _live_view(agent, options.live, approvals):
            await serve(agent, address, options)


@asynccontextmanager
async def _live_view(agent: Agent, port: int | None, approvals: Any) -> AsyncGenerator[None]:
    """Serve the live view beside the server, if it is wanted."""
    if port is None:
        yield
        return

    def running() -> AsyncSupervisor | None:
        return agent.supervisor.aio if agent.supervisor is not None else None

    view = live_view_class()(running, tools=lambda: agent.toolbox.running, approvals=approvals)
    async with serving_live(view, port, "mcp") as reported:
        sys.stderr.write(f"{PROG}: live view: {reported}\n")
        sys.stderr.flush()
        yield


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "mcp",
        "Serve the browser tools over the Model Context Protocol: on stdin and stdout, or with --http.",
        "mcp --launch",
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--cdp-url", metavar="URL", help="the browser to use: http://host:port, ws://..., ...")
    where.add_argument("--launch", action="store_true", help="start a Chromium for as long as the server lives")
    add_connect(where.add_argument)
    add_launch(parser)
    add_serving(parser)
    _add_live(parser)
    add_record(parser)
    add_connect_options(parser)
    return parser


def _add_live(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--live",
        type=port_of,
        nargs="?",
        const=0,
        metavar="PORT",
        help="also serve the live view on this port of loopback (default: a free one) and print its address on stderr",
    )
    parser.add_argument(
        "--approve",
        nargs="*",
        metavar="TOOL",
        help="with --live: a person must approve calls of these tools (names or patterns), or of all that act",
    )
