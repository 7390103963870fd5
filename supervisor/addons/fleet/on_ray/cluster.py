"""The cluster that a program works with: connected to, or started on this machine."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ray._private import worker

from supervisor.addons.fleet.errors import FleetError, NoSuchFleet
from supervisor.addons.fleet.settings import Plan
from supervisor.core.vocabulary.errors import InvalidConfig

from .actor_names import NAMESPACE, directory_name, in_namespace
from .directory_actor import DIRECTORY_CALLS, DirectoryActor
from .own_cluster import AUTH_MODE, loopback_kept, start_own_cluster, use_own_token
from .ray_api import list_named_actors, ray

TOKEN_HELP = f"set {AUTH_MODE}=token, and have the token in RAY_AUTH_TOKEN or in the file ~/.ray/auth_token"

_worker: Any = worker
_log = logging.getLogger("supervisor.fleet")


def connect_to_ray(address: str | None) -> None:
    """Connect this process to a cluster, unless it is connected; without an address, and without `RAY_ADDRESS`, one is
    started on this machine, which only this machine reaches. Ray asks for a token there unless `RAY_AUTH_MODE` says
    otherwise. Raises `FleetError`."""
    where = address or os.environ.get("RAY_ADDRESS")
    # Tried with Ray 2.60: the client takes no concurrency groups, without which a host may run out of calls.
    if ray.util.client.ray.is_connected() or (where or "").startswith("ray://"):
        raise FleetError("a fleet cannot be used over Ray Client (ray://): start the program on a node of the cluster")
    if ray.is_initialized():
        return
    try:
        with _sigterm_kept(), _stdout_kept(), loopback_kept():
            if where is None:
                start_own_cluster()
            else:
                use_own_token()
                ray.init(where, namespace=NAMESPACE, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # Ray raises the class itself, too, for instance where a node starts too slowly
        if isinstance(error, FleetError):
            raise
        named = f"the Ray cluster{f' at {where}' if where else ''}"
        if "AuthenticationError" in f"{type(error).__name__} {error.__cause__}":
            raise FleetError(f"{named} asks for its token: {TOKEN_HELP}") from None
        first = str(error).strip().partition("\n")[0]
        raise FleetError(f"{named} cannot be used: {first}") from None
    if where is not None and os.environ.get(AUTH_MODE) != "token":
        _log.warning("the Ray cluster asks for no token: whoever reaches its ports can run code on it")


def create_directory(plan: Plan, *, keeps: bool) -> Any:
    """Return the directory of a fleet, which Ray makes where there is none. Raises `FleetError`."""
    actor = ray.remote(DirectoryActor)
    try:
        return actor.options(
            name=directory_name(plan.name),
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            num_cpus=0,
            max_restarts=-1,
            max_task_retries=0,
            max_concurrency=DIRECTORY_CALLS,
        ).remote(plan, keeps)
    except TypeError as error:  # what is in the plan cannot be pickled
        raise InvalidConfig("config", type(error).__name__, "settings that can be sent to other machines") from None


def find_directory(name: str) -> Any:
    """Return the directory of a running fleet. Raises `NoSuchFleet`."""
    try:
        return ray.get_actor(directory_name(name), namespace=NAMESPACE)
    except ValueError:
        raise NoSuchFleet(name) from None


def fleet_names(address: str | None = None) -> tuple[str, ...]:
    """The names of the fleets that run on a cluster, sorted. Raises `FleetError`."""
    connect_to_ray(address)
    actors: list[Any] = list(list_named_actors(all_namespaces=True))
    end = directory_name("")
    named = [str(actor["name"]) for actor in actors if in_namespace(actor)]
    return tuple(sorted(name.removesuffix(end) for name in named if name.endswith(end)))


def end_directory(directory: Any) -> None:
    """End the directory, for good."""
    ray.kill(directory, no_restart=True)


def _ignore(*_: object) -> None:
    """Do nothing."""


@contextmanager
def _stdout_kept() -> Generator[None]:
    """Keep Ray from printing messages about dead workers on this program's standard output, for which it has no
    setting. The logs of the cluster have them, and the fleet logs each loss."""
    before = _worker.listen_error_messages
    _worker.listen_error_messages = _ignore
    try:
        yield
    finally:
        _worker.listen_error_messages = before


@contextmanager
def _sigterm_kept() -> Generator[None]:
    """Restore the program's own SIGTERM handler, or its choice to ignore SIGTERM. Otherwise Ray's handler stays and
    ends the processes that Ray started."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before not in (None, signal.SIG_DFL) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
