"""`fleet`: the hosts and tasks of a fleet, and what is to be done with them."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_agent import LOST
from cdp_typed.addresses import redact
from cdp_typed.cli.arguments import UsageError, seconds
from cdp_typed.cli.output import json_text, plain, write
from supervisor.cli.exit_codes import Failed
from supervisor.cli.live_views import port_of
from supervisor.cli.parsers import new_parser

from .fleet_events import follow
from .fleet_live import serve
from .fleet_probe import probe
from .fleet_recordings import fetch, write_report
from .fleet_tables import status_table, tasks_table
from .mcp_sessions import add_sessions, serve_sessions

if TYPE_CHECKING:
    from supervisor.addons.fleet import Fleet

REACH_S = 5.0
"""So long the cluster may take to accept a connection."""


def run(words: list[str]) -> int:
    """Do what is wanted."""
    options = _parser().parse_args(words)
    perform: Callable[[argparse.Namespace], None] = options.perform
    perform(options)
    return 0


def _on_running(action: Callable[[Fleet, argparse.Namespace], None], options: argparse.Namespace) -> None:
    """Find the fleet, and do this with it."""
    with _fleet(options) as fleet:
        action(fleet, options)


def _status(fleet: Fleet, options: argparse.Namespace) -> None:
    status = fleet.status()
    write(json_text(plain(status)) if options.json else status_table(status))
    if options.check and status.why_no_place:
        raise Failed(f"no task can be placed: {status.why_no_place}")


def _tasks(fleet: Fleet, options: argparse.Namespace) -> None:
    tasks = fleet.tasks()
    write(json_text(plain(tasks)) if options.json else tasks_table(tasks))


def _drain(fleet: Fleet, options: argparse.Namespace) -> None:
    hosts = fleet.drain(options.which, options.within)
    if not hosts:
        raise UsageError(f"the fleet {fleet.name!r} has no host and no node {options.which!r} (see fleet status)")
    _reported(options, {"fleet": fleet.name, "draining": hosts}, f"draining: {hosts} {_hosts(hosts)}")


def _undrain(fleet: Fleet, options: argparse.Namespace) -> None:
    lifted = fleet.undrain(options.which)
    if not lifted:
        raise UsageError(f"the fleet {fleet.name!r} has no drained host and no drained node {options.which!r}")
    _reported(options, {"fleet": fleet.name, "undrained": lifted}, f"not drained any more: {options.which}")


def _roll(fleet: Fleet, options: argparse.Namespace) -> None:
    hosts = fleet.roll(options.within)
    _reported(options, {"fleet": fleet.name, "replaced": hosts}, f"replaced: {hosts} {_hosts(hosts)}")


def _stop(fleet: Fleet, options: argparse.Namespace) -> None:
    fleet.stop()
    _reported(options, {"fleet": fleet.name, "stopped": True}, f"stopped: {fleet.name}")


def _hosts(count: int) -> str:
    return "host" if count == 1 else "hosts"


def _reported(options: argparse.Namespace, value: Mapping[str, object], text: str) -> None:
    write(json_text(value) if options.json else text)


def _parser() -> argparse.ArgumentParser:
    parser = new_parser("fleet", "Inspect, drain, roll or stop a fleet that runs on a Ray cluster.", "fleet tasks")
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def add(name: str, about: str, action: Callable[[Fleet, argparse.Namespace], None]) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
        made.set_defaults(perform=partial(_on_running, action))
        made.add_argument(
            "--address", metavar="A", help="the Ray cluster (default: RAY_ADDRESS, or the one on this machine)"
        )
        made.add_argument("--name", metavar="N", help="the fleet (default: the only one that runs there)")
        return made

    status = add("status", "show the hosts of a fleet", _status)
    status.add_argument("--check", action="store_true", help="fail unless a new task can be placed")
    add("tasks", "show the tasks of a fleet: the host, open dialogs and idle time of each", _tasks)
    add("events", "write a line of JSON when a task is lost, moves, or has a new dialog, until Ctrl-C", follow)
    drain = add("drain", "place no more tasks on a host, or on a node; each host ends when it is empty", _drain)
    drain.add_argument("which", metavar="ID", help="the id of the host or node, as `fleet status` shows it")
    undrain = add("undrain", "let a drained host, or a drained node, take tasks again", _undrain)
    undrain.add_argument("which", metavar="ID", help="the id of the host or node")
    roll = add("roll", "replace all hosts with new ones, one after the other", _roll)
    for made in (drain, roll):
        about = "seconds until tasks there have to begin anew elsewhere (default: drain_s of the fleet)"
        made.add_argument("--within", type=seconds, metavar="SECONDS", help=about)
    add("stop", "end a fleet for everybody: all tasks, all hosts", _stop)
    record = add("record", "fetch the recordings of a task from the machines where it ran", fetch)
    record.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="the directory to write into")
    report = add("report", "write a report of the last recording of a task, as one HTML file", write_report)
    about = "where to write (default: here, named like the recording)"
    report.add_argument("-o", "--output", metavar="FILE", type=Path, help=about)
    for made in (record, report):
        made.add_argument("task", metavar="TASK", help="the id of the task, which may have ended")
    live = add("live", "serve the live view of a task on this machine, until Ctrl-C or the task ends", serve)
    live.add_argument("task", metavar="TASK", nargs="?", help="the id of the task (default: all tasks, in one grid)")
    live.add_argument("--port", type=port_of, default=0, help="the port of loopback to serve on (default: a free one)")
    probes = add("probe", "serve a probe until Ctrl-C: 200 if a new task can be placed, else 503 and the reason", probe)
    probes.add_argument("--bind", metavar="HOST", default="127.0.0.1", help="the address (default: 127.0.0.1)")
    probes.add_argument("--port", type=port_of, default=0, help="the port to serve on (default: a free one)")
    for made in actions.choices.values():
        made.add_argument("--json", action="store_true", help="print JSON")
    about = "serve the tools over the Model Context Protocol; each session is a task of a fleet"
    sessions = actions.add_parser("mcp", help=about, description=f"{about.capitalize()}.", allow_abbrev=False)
    sessions.set_defaults(perform=serve_sessions)
    add_sessions(sessions)
    return parser


@contextmanager
def _fleet(options: argparse.Namespace) -> Generator[Fleet]:
    """Join the fleet that is meant. Raises `NoSuchFleet`, `Failed` without a cluster, and `UsageError` without Ray."""
    try:
        from supervisor.addons.fleet import Fleet, fleet_names
    except ModuleNotFoundError as missing:
        raise UsageError(f"fleets need {missing.name}: pip install 'cdp-typed[ray]'") from None
    address = options.address or os.environ.get("RAY_ADDRESS") or "auto"
    _check_reachable(address)
    name = options.name or _only(fleet_names(address))
    fleet = Fleet.attach(name, address=address)
    try:
        yield fleet
    finally:
        fleet.close()


def _only(names: tuple[str, ...]) -> str:
    """Return the one fleet that runs. Raises `Failed`, and `UsageError` when there are several."""
    match names:
        case (name,):
            return name
        case ():
            raise Failed("no fleet runs on this cluster", LOST)
        case _:
            raise UsageError(f"several fleets run on this cluster, say which with --name: {', '.join(names)}")


def _check_reachable(address: str) -> None:
    """Raise `Failed` when nobody listens: Ray itself takes a minute to say so."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_S).close()
    except (OSError, OverflowError):
        raise Failed(f"no Ray cluster answers at {redact(address)}", LOST) from None
