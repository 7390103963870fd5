"""`mcp`: the tools as an MCP server."""

from __future__ import annotations

import argparse
import gc
import os
import secrets
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TypedDict

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
    launched,
    new_parser,
    recording_of,
    settings_of,
    warn,
)
from supervisor.cli.live_views import port_of, serving_live
from supervisor.config import Config, Endpoint, Settings
from supervisor.tools import Policy, Toolbox

if TYPE_CHECKING:
    from supervisor.fleet import Fleet
    from supervisor.live import Approvals
    from supervisor.mcp_server import Address, Agent, SessionAgent

TOKEN = "CDP_MCP_TOKEN"
"""The environment variable with the bearer token of the HTTP server."""


_NEEDED = ("fleet_name", "tasks_per_host", "max_hosts")
"""Options that mean nothing without `--fleet`."""


def run(words: list[str]) -> int:
    """Serve until the client leaves, or SIGINT, SIGTERM or SIGHUP."""
    options = _parser().parse_args(words)
    _check_fleet(options)
    recording = recording_of(options)
    loading = threading.Thread(target=_load, name="import")
    loading.start()  # while the browser starts, which takes as long
    with _browser(options) as browser:
        loading.join()
        try:
            import supervisor.mcp_server as serving
        except ModuleNotFoundError as missing:
            raise UsageError(f"the MCP server needs {missing.name}: pip install 'cdp-typed[mcp]'") from None
        address = _address(options)
        settings = settings_of(options)
        settings["dialog_policy"] = options.dialog_policy
        if options.connect:
            settings["scope"] = "own"  # the tabs and windows of a person stay theirs
            settings["own_windows"] = True
        # A browser that we launch needs nothing on this machine; one that runs already may have been started for that.
        is_own = browser is None or options.launch
        policy = Policy(
            deny_private=options.deny_private or (is_own and not options.allow_private),
            approve=() if options.approve is None else tuple(options.approve) or ("*",),
        )
        if options.fleet is not None:
            with _fleet_of(options, settings, policy) as fleet:
                run_in_order(_serve_fleet(fleet, address, options))
            return 0
        config = Config(cdp_url=browser or "", **(settings | recording))
        approvals = _approvals(options)
        hooks = () if approvals is None else (approvals,)
        toolbox = Toolbox(config, **_tools_of(options), policy=policy, hooks=hooks)
        agent = serving.Agent(toolbox, config, connects_at_start=not options.connect)
        run_in_order(_serve(agent, address, options, approvals))
    return 0


class _Tools(TypedDict):
    toolsets: list[str]
    disabled: list[str]


def _tools_of(options: argparse.Namespace) -> _Tools:
    return {"toolsets": options.toolsets, "disabled": options.disabled}


def _approvals(options: argparse.Namespace) -> Approvals | None:
    """The hook that asks a person about the calls that the policy names. Raises `UsageError` without a live view."""
    if options.approve is None:
        return None
    if options.live is None:
        raise UsageError("--approve asks in the live view: give --live, too")
    from supervisor.live import Approvals

    return Approvals()


def _load() -> None:
    """Import the server. Nothing that an import makes is garbage: looking for some takes a sixth of its time."""
    gc.disable()
    try:
        import_module("supervisor.mcp_server")
    except ModuleNotFoundError:
        return  # told by the import that follows
    finally:
        gc.freeze()
        gc.enable()


async def _serve(
    agent: Agent, address: Address | None, options: argparse.Namespace, approvals: Approvals | None
) -> None:
    import supervisor.mcp_server as serving

    async with _live_view(agent, options.live, approvals):
        if address is None:
            await serving.serve_stdio(agent, ask_user=options.ask_user, structured=options.structured)
        else:
            await _serve_http(agent, address, options)


async def _serve_fleet(fleet: Fleet, address: Address | None, options: argparse.Namespace) -> None:
    """Serve sessions that are tasks; the process is one on stdio."""
    import supervisor.mcp_server as serving

    if address is None:
        agent = serving.FleetAgent(fleet)
        await serving.serve_stdio(agent, ask_user=options.ask_user, structured=options.structured)
    else:
        await _serve_http(partial(serving.FleetAgent, fleet), address, options)


async def _serve_http(
    agent: SessionAgent | Callable[[], SessionAgent], address: Address, options: argparse.Namespace
) -> None:
    import supervisor.mcp_server as serving

    asked = {"ask_user": options.ask_user, "structured": options.structured}
    try:
        await serving.serve_http(agent, address, **asked, listening=_tell)
    except OSError as error:
        raise UsageError(f"{address.host}:{address.port}: {error.strerror or error}") from None


@asynccontextmanager
async def _live_view(agent: Agent, port: int | None, approvals: Approvals | None) -> AsyncGenerator[None]:
    """Serve the live view beside the server, if it is wanted."""
    if port is None:
        yield
        return
    from supervisor.live import LiveView

    def running() -> AsyncSupervisor | None:
        return agent.supervisor.aio if agent.supervisor is not None else None

    view = LiveView(running, tools=lambda: agent.toolbox.running, approvals=approvals)
    async with serving_live(view, port, "mcp") as reported:
        sys.stderr.write(f"{PROG}: live view: {reported}\n")
        sys.stderr.flush()
        yield


def _tell(url: str) -> None:
    sys.stderr.write(f"{PROG}: listening on {url}\n")
    sys.stderr.flush()


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "mcp",
        "Serve the browser tools over the Model Context Protocol: on stdin and stdout, or with --http.",
        "mcp --launch",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--cdp-url", metavar="URL", help="the browser to use: http://host:port, ws://..., ...")
    where.add_argument("--launch", action="store_true", help="start a Chromium for as long as the server lives")
    add_connect(where.add_argument)
    add_launch(parser)
    _add_fleet(parser)
    _add_http(parser)
    parser.add_argument(
        "--toolsets", nargs="+", default=["browser"], metavar="NAME", help="sets of tools, or tools (default: browser)"
    )
    parser.add_argument(
        "--disabled",
        nargs="+",
        default=[],
        metavar="NAME",
        help="tools, or sets of tools, to leave out (browser_vision for a client that shows no pictures)",
    )
    parser.add_argument(
        "--dialog-policy", choices=("must_respond", "auto_dismiss", "auto_accept"), default="must_respond"
    )
    parser.add_argument(
        "--ask-user", action="store_true", help="let the person at the client answer confirm and prompt"
    )
    parser.add_argument(
        "--structured", action="store_true", help="results as JSON besides text, and output schemas of the tools"
    )
    _add_live(parser)
    _add_private(parser)
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
        help="with --live: a person approves there calls of these tools (names or patterns), or of all that act",
    )


def _add_private(parser: argparse.ArgumentParser) -> None:
    private = parser.add_mutually_exclusive_group()
    private.add_argument(
        "--deny-private",
        action="store_true",
        help="refuse file:, the browser's own pages, this machine and private addresses (with --launch: the default)",
    )
    private.add_argument("--allow-private", action="store_true", help="allow them, with --launch")


def _add_http(parser: argparse.ArgumentParser) -> None:
    http = parser.add_argument_group("over HTTP")
    http.add_argument(
        "--http", type=port_of, metavar="PORT", help="streamable HTTP at /mcp on this port; 0 takes a free one"
    )
    http.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    http.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="a name clients know it by")


@contextmanager
def _browser(options: argparse.Namespace) -> Generator[Endpoint | None]:
    """The browser; None where the hosts of a fleet start theirs."""
    if options.fleet is not None or not options.launch:
        check_unlaunched(options)
        yield find_running if options.connect else options.cdp_url
        return
    with launched(options) as browser:
        yield browser.ws_url


def _address(options: argparse.Namespace) -> Address | None:
    if options.http is None:
        return None
    from supervisor.mcp_server import Address

    token = os.environ.get(TOKEN)
    if not token:
        token = secrets.token_urlsafe(24)
        warn(f"{TOKEN} is not set; clients need the header 'Authorization: Bearer {token}'")
    return Address(token=token, host=options.host, port=options.http, names=frozenset(options.allow_host))


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    """`--fleet`, and what belongs to it."""
    fleet = parser.add_argument_group("on a fleet")
    fleet.add_argument(
        "--fleet",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="each session is a task on a Ray cluster: at this address, at RAY_ADDRESS, or one started here",
    )
    fleet.add_argument("--fleet-name", metavar="NAME", help="join the fleet of this name, or begin it")
    fleet.add_argument("--tasks-per-host", type=_positive, metavar="N", help="so many tasks share a browser")
    fleet.add_argument("--max-hosts", type=_positive, metavar="N", help="so many browsers are started at most")


def _check_fleet(options: argparse.Namespace) -> None:
    """Raise `UsageError` for options that do not go together."""
    if options.fleet is None:
        for name in _NEEDED:
            if getattr(options, name) is not None:
                raise UsageError(f"--{name.replace('_', '-')} is for --fleet, which is not given")
        if not options.launch and not options.connect and options.cdp_url is None:
            raise UsageError("one of the arguments --cdp-url --launch --connect --fleet is required")
        return
    if options.connect:
        raise UsageError("--connect uses one running browser, and --fleet starts its own: leave one of them out")
    if options.live is not None:
        raise UsageError(
            "--live shows one browser, and --fleet has more: leave --live out, and look at a session with "
            "'cdp-agent fleet live TASK'"
        )
    if options.approve is not None:
        raise UsageError("--approve asks in the live view of one browser, and --fleet has several: leave it out")
    if options.record is not None:
        raise UsageError("--record writes on this machine, and with --fleet browsers are on others: leave it out")


@contextmanager
def _fleet_of(options: argparse.Namespace, settings: Settings, policy: Policy) -> Generator[Fleet]:
    """The fleet, for the length of the block: joined where there is one of the name, with its settings, or else begun.

    Raises `FleetError` and `InvalidConfig`.
    """
    try:
        from supervisor.fleet import Fleet, Hosts, NoSuchFleet
    except ModuleNotFoundError as missing:
        raise UsageError(f"a fleet needs {missing.name}: pip install 'cdp-typed[ray]'") from None
    address = options.fleet or None
    if options.fleet_name is not None:
        try:
            joined = Fleet.attach(options.fleet_name, address=address)
        except NoSuchFleet:
            pass
        else:
            warn(f"joined the fleet {options.fleet_name!r}: its tools and settings hold")
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
        config, **_tools_of(options), policy=policy, hosts=hosts, name=options.fleet_name, address=address
    ) as begun:
        yield begun


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is needed, not {text!r}")
    return int(text)
