"""`fleet mcp`: an MCP server whose sessions are tasks of a fleet."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.connect_options import add_connect_options
from cdp_typed.ending_signals import run_in_order
from supervisor.cli.arguments import settings_of
from supervisor.cli.mcp_serving import add_serving, address_of, denies_private, serve, tools_of
from supervisor.cli.parsers import warn
from supervisor.config import Config, Settings
from supervisor.tools import Policy

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet


def add_sessions(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.set_defaults(connect=False)
    parser.add_argument("--address", metavar="A", help="the Ray cluster (default: RAY_ADDRESS, or one started here)")
    parser.add_argument("--name", metavar="N", help="join the fleet with this name, or start it")
    parser.add_argument("--tasks-per-host", type=_positive, metavar="N", help="how many tasks share a browser")
    parser.add_argument("--max-hosts", type=_positive, metavar="N", help="the largest number of browsers to start")
    parser.add_argument(
        "--cdp-url",
        metavar="URL",
        help="the browser for every host: http://host:port, ... (default: each host starts a Chromium)",
    )
    add_serving(parser)
    add_connect_options(parser)


def serve_sessions(options: argparse.Namespace) -> None:
    """Serve until the client leaves, or SIGINT, SIGTERM or SIGHUP. On stdio the process is one session."""
    address = address_of(options)
    from .fleet_agent import FleetAgent  # imports the server

    settings = settings_of(options)
    settings["dialog_policy"] = options.dialog_policy
    policy = Policy(deny_private=denies_private(options, starts_browser=options.cdp_url is None))
    with _fleet(options, settings, policy) as fleet:
        run_in_order(serve(partial(FleetAgent, fleet), address, options))


@contextmanager
def _fleet(options: argparse.Namespace, settings: Settings, policy: Policy) -> Generator[Fleet]:
    """The fleet, for the length of the block: joined where there is one of the name, with its settings, or else begun.

    Raises `FleetError` and `InvalidConfig`.
    """
    try:
        from supervisor.addons.fleet import Fleet, Hosts, NoSuchFleet
    except ModuleNotFoundError as missing:
        raise UsageError(f"a fleet needs {missing.name}: pip install 'cdp-typed[ray]'") from None
    if options.name is not None:
        try:
            joined = Fleet.attach(options.name, address=options.address)
        except NoSuchFleet:
            pass
        else:
            warn(f"joined the fleet {options.name!r}: its tools and settings hold")
            with joined:
                yield joined
            return
    tasks = options.tasks_per_host or (1 if policy.watches else Hosts().tasks)
    if policy.watches and tasks > 1:
        raise UsageError(
            "--deny-private, the default, holds only in a browser of one session: leave --tasks-per-host out, or give "
            "--allow-private"
        )
    hosts = Hosts(
        tasks=tasks,
        most=options.max_hosts,
        args=("--site-per-process",),  # as `--launch` has it
    )
    config = Config(cdp_url=options.cdp_url, **settings) if options.cdp_url is not None else settings
    with Fleet(
        config, **tools_of(options), policy=policy, hosts=hosts, name=options.name, address=options.address
    ) as begun:
        yield begun


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is needed, not {text!r}")
    return int(text)
