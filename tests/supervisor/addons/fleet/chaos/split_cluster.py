"""A Ray cluster whose nodes are in network namespaces of this machine, so that the network between them can be cut.

Needs root, and `ip` of iproute2. Nothing leaves the machine: the namespaces are joined by a bridge without an address.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from .caller import START_S, until

REPOSITORY = Path(__file__).parents[5]
PORT = 6379
SETTINGS = {
    "RAY_AUTH_MODE": "disabled",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    # Ray gives a silent node up after 3 to 6 seconds: sooner than the lease of its host ends.
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
}


def can_split() -> bool:
    """Whether this process may make network namespaces that a bridge joins."""
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"try{os.getpid()}"
    made = subprocess.run(["ip", "link", "add", name, "type", "bridge"], capture_output=True, check=False)
    subprocess.run(["ip", "link", "del", name], capture_output=True, check=False)
    return made.returncode == 0


class Side:
    """One namespace, with a directory for temporary files of its own, as if it were a machine."""

    def __init__(self, cluster: SplitCluster, number: int) -> None:
        self.address = f"10.77.{os.getpid() % 250}.{number}"
        self.name = f"f{number}-{os.getpid()}"
        self.plug = f"f{number}p{os.getpid()}"
        """The bridge's end of its cable."""
        self._cluster = cluster
        self._files = cluster.folder / f"side-{number}"
        self._files.mkdir()
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.plug, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", self.plug, "master", cluster.bridge, "up")
        for words in (
            "link set lo up",
            "link set eth0 up",
            f"addr add {self.address}/24 dev eth0",
            "route add default dev eth0",  # else Ray asks for its own name first, and waits for the answer
        ):
            run("ip", "-n", self.name, *words.split())

    def start(self, *command: str, **options: Any) -> subprocess.Popen[Any]:
        inside = f'mount --bind {self._files} /tmp && exec "$@"'
        environment = {**os.environ, **SETTINGS, "PYTHONPATH": str(REPOSITORY), "TMPDIR": "/tmp"}
        environment.pop("RAY_ADDRESS", None)
        return subprocess.Popen(
            ["ip", "netns", "exec", self.name, "sh", "-c", inside, "sh", *command],
            env=environment,
            start_new_session=True,
            **options,
        )

    def start_ray(self, *options: str) -> None:
        """Start a node there, and wait until it runs."""
        log = self._cluster.folder / f"{self.name}.log"
        ray = str(Path(sys.executable).with_name("ray"))
        settings = ["--block", "--num-cpus=1", '--resources={"browser": 2}', "--object-store-memory=80000000"]
        with log.open("wb") as written:
            self.start(
                *(ray, "start", f"--node-ip-address={self.address}", *settings, *options),
                stdout=written,
                stderr=subprocess.STDOUT,
            )
        until(lambda: "Ray runtime started" in log.read_text(errors="replace"), START_S, f"{self.name} did not start")

    def processes(self, mark: str = "") -> list[int]:
        """The processes there that have the text in their command lines."""
        listed = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True, check=False)
        return [int(pid) for pid in listed.stdout.split() if mark in command_line(int(pid))]

    def close(self) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        subprocess.run(["ip", "link", "del", self.plug], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True, check=False)


class SplitCluster:
    """Two nodes: `near` has the head, `far` can be cut off. Use as a context manager."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fl-split-", dir="/var/tmp"))
        self.bridge = f"fb{os.getpid()}"
        run("ip", "link", "add", self.bridge, "type", "bridge")
        run("ip", "link", "set", self.bridge, "up")
        self._sides: list[Side] = []
        try:
            self._sides = [Side(self, 1), Side(self, 2)]
            self.near, self.far = self._sides
            self.near.start_ray("--head", f"--port={PORT}", "--include-dashboard=false")
            self.far.start_ray(f"--address={self.address}")
        except BaseException:
            self.close()
            raise

    @property
    def address(self) -> str:
        return f"{self.near.address}:{PORT}"

    def cut(self) -> None:
        """Drop every packet between the two sides."""
        run("ip", "link", "set", self.far.plug, "nomaster")

    def heal(self) -> None:
        run("ip", "link", "set", self.far.plug, "master", self.bridge)

    def close(self) -> None:
        for side in self._sides:
            side.close()
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
