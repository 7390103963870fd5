"""The cluster that a fleet starts on this machine: only this machine reaches it, only its user reads its token."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ray._private import ray_constants

from cdp_typed.addresses import is_loopback
from supervisor.addons.fleet.errors import FleetError

from .actor_names import NAMESPACE
from .ray_api import ray

AUTH_MODE = "RAY_AUTH_MODE"
TOKEN_PATH = "RAY_AUTH_TOKEN_PATH"
_OWN_TOKEN = "cdp_typed_fleet_token"
"""In the folder `~/.ray`. With a file `auth_token` there, each `ray start` of this user would ask for it."""
NICENESS = ("RAY_worker_niceness", "0")
"""Hosts and their browsers are as important as other programs of the machine; Ray's own default is 15."""
LOCAL_BROWSERS = 100.0
"""The amount of the resource `browser` in a cluster started on this machine. It is high, so that memory is the
limit."""

_constants: Any = ray_constants
_log = logging.getLogger("supervisor.fleet")


def start_own_cluster() -> None:
    """Start Ray here, on loopback. Raises `FleetError` when it would be open to others, and what Ray raises."""
    os.environ.setdefault(*NICENESS)
    guard_token()
    ray.init(
        "local",
        namespace=NAMESPACE,
        resources={"browser": LOCAL_BROWSERS},
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
    )
    address = str(ray.util.get_node_ip_address())
    if not is_loopback(address):
        ray.shutdown()
        raise FleetError(
            f"this version of Ray listens on every interface ({address}): start a cluster with `ray start`"
        )


@contextmanager
def loopback_kept() -> Generator[None]:
    """Keep Ray from putting this machine's address in the network in place of 127.0.0.1.

    All servers of a cluster at 127.0.0.1 listen on loopback only. Ray has that as a constant, which is False on macOS
    and Windows.
    """
    before = getattr(_constants, "ENABLE_RAY_CLUSTER", None)
    _constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        _constants.ENABLE_RAY_CLUSTER = before


def guard_token() -> None:
    """Let only its user read the file of Ray's token, whatever the umask.

    Without a token, one is made for the clusters of fleets, in a file in which `ray start` does not find it. Raises
    `FleetError` for a file that stays readable for others.
    """
    if os.environ.get(AUTH_MODE, "token").lower() != "token" or "RAY_AUTH_TOKEN" in os.environ:
        return
    path = token_file()
    try:
        if TOKEN_PATH not in os.environ and path.name == _OWN_TOKEN:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(path)
            os.environ[TOKEN_PATH] = str(path)
        if os.name == "posix" and path.exists() and path.stat().st_mode & 0o077:
            path.chmod(0o600)
            _log.warning("other users of this machine could read Ray's token in %s until now: make a new one", path)
    except OSError as error:
        raise FleetError(f"Ray's token in {path} cannot be kept from other users: {error.strerror}") from None


def token_file() -> Path:
    """Return the file of the token: the given one, that of the user for all clusters, or that of fleets."""
    given = os.environ.get(TOKEN_PATH)
    folder = Path.home() / ".ray"
    if given:
        return Path(given)
    return folder / "auth_token" if (folder / "auth_token").exists() else folder / _OWN_TOKEN


def use_own_token() -> None:
    """Send the token of this machine's fleets to a cluster that asks for one, if no other token is at hand."""
    if os.environ.get(AUTH_MODE) == "token" and not {"RAY_AUTH_TOKEN", TOKEN_PATH} & os.environ.keys():
        path = token_file()
        if path.name == _OWN_TOKEN and path.exists():
            os.environ[TOKEN_PATH] = str(path)


def _make(path: Path) -> None:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as opened:
        opened.write(secrets.token_hex(32))
