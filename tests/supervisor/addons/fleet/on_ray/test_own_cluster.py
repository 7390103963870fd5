"""The cluster that `Fleet` starts: only this machine reaches it, and only its user reads its token."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from supervisor.addons.fleet import Fleet, FleetError
from supervisor.addons.fleet.on_ray.ray_api import ray
from tests.supervisor.addons.fleet.plugin import processes_with

STARTS = """
import os, sys
os.umask(0)
from cdp_typed.mock import ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, FleetError
from supervisor.addons.fleet.on_ray.ray_api import ray
with ThreadedMockServer() as mock, Fleet(Config(cdp_url=mock.url), name="doors") as fleet:
    fleet.dispatch("browser_snapshot", {})
    print(ray.get_runtime_context().gcs_address, flush=True)
    if not (child := os.fork()):
        with fleet:
            print(fleet.dispatch("browser_snapshot", {}), flush=True)
            for asked in (fleet.status, fleet.stop, lambda: fleet.aio):
                try:
                    asked()
                except FleetError as error:
                    print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    sys.stdin.read()
    fleet.stop()
"""
JOINS = """
import sys
from supervisor.addons.fleet import Fleet
print([task.task_id for task in Fleet.attach("doors", address=sys.argv[1]).tasks()])
"""
_LISTENING = "0A"
_LOOPBACK = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
"""127.0.0.1, ::1 and ::ffff:127.0.0.1 as `/proc` has them."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home directory for programs of the test, in which Ray has its files, too."""
    folder = Path(tempfile.mkdtemp(prefix="own-", dir="/tmp"))  # a socket's path may not be long
    for name in ("RAY_ADDRESS", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("RAY_TMPDIR", str(folder))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def open_doors(pids: dict[int, str]) -> list[tuple[str, str]]:
    """The sockets of processes that listen on more than loopback: address as `/proc` has it, command line."""
    owners: dict[str, str] = {}
    for pid, command in pids.items():
        for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                owners[str(descriptor.readlink())] = command
            except OSError:
                continue
    found: list[tuple[str, str]] = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, _, _, _, _, _, inode, *_ = line.split()
            command = owners.get(f"socket:[{inode}]", "")
            if command and state == _LISTENING:
                found.append((local.partition(":")[0], command))
    assert len(found) >= 5, "the processes were not found"
    return [(address, command) for address, command in found if address not in _LOOPBACK]


def test_only_this_machine_reaches_it_and_only_its_user_reads_the_token(home: Path) -> None:
    program = [sys.executable, "-c", STARTS]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        in_child = [running.stdout.readline() for _ in range(4)]
        doors = open_doors(processes_with(str(home)))
        token = home / ".ray" / "cdp_typed_fleet_token"
        others = (home / ".ray" / "auth_token").exists()
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (token.parent, token)]
        environment = {**os.environ, "RAY_AUTH_MODE": "token"}
        joined = subprocess.run(
            [sys.executable, "-c", JOINS, address], env=environment, capture_output=True, text=True, timeout=120
        )
        running.communicate("")

    assert doors == []
    assert json.loads(in_child[0])["error_type"] == "FleetError"
    assert all("the fleet 'doors' was opened before this process was forked" in line for line in in_child)
    assert modes == [0o700, 0o600]
    assert not others, "each `ray start` of this user would ask for it"
    assert joined.stdout == "['default']\n", joined.stderr


def test_a_token_that_others_could_read_is_closed_and_a_node_that_starts_too_slowly_is_told_in_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    token = home / ".ray" / "auth_token"
    token.parent.mkdir()
    token.write_text("0" * 64)
    token.chmod(0o644)

    def late(*_: object, **__: object) -> None:
        raise Exception("The current node timed out during startup.\nThis could happen because ...")  # as Ray 2.60

    monkeypatch.setattr(ray, "init", late)
    with pytest.raises(FleetError) as refused:
        Fleet()

    assert str(refused.value) == "the Ray cluster cannot be used: The current node timed out during startup."
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert token.read_text() == "0" * 64
    assert "other users of this machine could read Ray's token" in caplog.text


def test_a_ray_that_listens_elsewhere_is_ended(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutdown = Mock()
    monkeypatch.setattr(ray, "init", Mock())
    monkeypatch.setattr(ray, "shutdown", shutdown)
    monkeypatch.setattr(ray.util, "get_node_ip_address", lambda: "192.0.2.7")

    with pytest.raises(FleetError, match=r"listens on every interface \(192.0.2.7\)"):
        Fleet()

    shutdown.assert_called_once_with()
