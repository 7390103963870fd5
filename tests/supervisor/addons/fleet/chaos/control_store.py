"""A program that kills Ray's control store (GCS), with and without a Redis behind it.

A program goes on to call a task on a Chromium. Needs Debian's `redis-tools`; without it only the case without Redis is
played.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any, TypeAlias

from tests.supervisor.addons.fleet.plugin import processes_with

from .caller import Caller, until
from .split_cluster import SETTINGS

Answer: TypeAlias = Mapping[str, Any]

REPOSITORY = Path(__file__).parents[5]
TASK = "t1"
GRACE_S = 10.0
REDIS = "/usr/bin/redis-check-rdb"
"""Debian's Redis: the same program is the server when it is called so. Its package `redis-server` would start one."""
RAY_GIVES_UP_S = 60.0
"""Ray's processes end when the store is away for that long."""


class OneNode:
    """A Ray cluster of one node, whose control store can be killed and started again."""

    def __init__(self, folder: Path, redis: str | None) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            **SETTINGS,
            "PYTHONPATH": str(REPOSITORY),
            "TMPDIR": str(folder),
            **({"RAY_REDIS_ADDRESS": redis} if redis else {}),
        }
        self.environment.pop("RAY_ADDRESS", None)
        self.address = f"127.0.0.1:{free_port()}"
        ray = str(Path(sys.executable).with_name("ray"))
        options = [f"--port={self.address.rpartition(':')[2]}", "--include-dashboard=false", "--num-cpus=2"]
        options += ["--node-ip-address=127.0.0.1", "--object-store-memory=80000000", f"--temp-dir={folder}/ray"]
        subprocess.run(
            [ray, "start", "--head", *options, '--resources={"browser": 2}'],
            env=self.environment,
            check=True,
            capture_output=True,
            timeout=90,
        )

    def start(self, *command: str, **options: Any) -> subprocess.Popen[Any]:
        return subprocess.Popen(command, env=self.environment, **options)

    def kill_store(self) -> list[str]:
        """Kill the control store, and return its command line."""
        (pid,) = [pid for pid, line in self.processes().items() if "gcs_server" in line.split(" ")[0]]
        line = Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
        os.kill(pid, signal.SIGKILL)
        return line

    def processes(self) -> dict[int, str]:
        return processes_with(str(self.folder))

    def close(self) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def main() -> int:
    """Play the cases; exit code 0 when all was as docs/fleet.md says."""
    faults = gone_for_good()
    if not Path(REDIS).exists():
        said("left out, as there is no redis-tools: the store killed with Redis behind it")
    else:
        faults += comes_back(away_s=5.0, fence_s=30.0)
        faults += comes_back(away_s=20.0, fence_s=10.0)
    for fault in faults:
        said(f"WRONG: {fault}")
    return 1 if faults else 0


def gone_for_good() -> list[str]:
    """Without Redis: calls end at the fence, Ray's processes after a minute, and no browser is left."""
    fence_s = 10.0
    with cluster(None) as node:
        caller = Caller(node.start, node.address, "gone", fence_s)
        assert caller.call(TASK, "window.mark = 1")["success"]
        node.kill_store()
        began = time.time()
        answers = call_until(caller, began + fence_s + GRACE_S)
        until(lambda: not browsers(node), RAY_GIVES_UP_S + GRACE_S, "browsers were left")
        browsers_s = time.time() - began
        until(lambda: not workers(node), RAY_GIVES_UP_S + 2 * GRACE_S, "processes of Ray were left")
        ray_s = time.time() - began
        served_s = max((answer["ended"] for answer in answers if answer["success"]), default=began) - began
        said(f"gone for good: calls answered for {served_s:.1f} s, then {errors(answers)}")
        said(f"no browser after {browsers_s:.1f} s, no process of Ray but the log's after {ray_s:.1f} s")
    return [f"calls were answered for {served_s:.1f} s without the store"] if served_s > fence_s + 1 else []


def comes_back(away_s: float, fence_s: float) -> list[str]:
    """With Redis: the task goes on when the store was away for less than the fence, and begins anew otherwise."""
    faults: list[str] = []
    with redis_server() as redis, cluster(redis) as node:
        caller = Caller(node.start, node.address, "back", fence_s)
        assert caller.call(TASK, "window.mark = 1")["success"]
        line = node.kill_store()
        began = time.time()
        answers = call_until(caller, began + away_s)
        log = (node.folder / "store.log").open("wb")
        node.start(*line, stdout=log, stderr=log)
        answers += call_until(caller, began + away_s + 60, ends=lambda answer: answer["began"] > began + away_s + 1)
        last = answers[-1]
        fresh = caller.call("t2", "6 * 7")
        later = caller.call(TASK, "typeof window.mark")
        refused = [answer for answer in answers if not answer["success"]]
        said(
            f"away for {away_s:g} s, fence {fence_s:g} s: {len(answers) - len(refused)} calls answered, refused: "
            f"{errors(answers)}; works again {last['ended'] - began - away_s:.1f} s after the store is back, "
            f"restarted: {last.get('restarted')!r}; mark afterwards: {later.get('value')}; "
            f"a new task: {fresh['success']}"
        )
        if not (last["success"] and fresh["success"] and later["success"]):
            faults.append(f"does not work again: {last}, {fresh}, {later}")
        if away_s < fence_s and (refused or later.get("value") != "number"):
            faults.append("the task did not go on over a short loss of the store")
        if away_s > fence_s and not last.get("restarted"):
            faults.append("the task's new beginning was not told")
        browsers_now = len([line for line in browsers(node).values() if "--type=" not in line])
        if browsers_now > 2:
            faults.append(f"{browsers_now} browsers for two hosts")
    return faults


def call_until(caller: Caller, end: float, ends: Callable[[Answer], bool] | None = None) -> list[Answer]:
    answers: list[Answer] = []
    while time.time() < end and caller.process.poll() is None:
        caller.ask(TASK, "typeof window.mark")
        try:
            answers.append(caller.answer(90))
        except Empty:
            break
        if answers[-1]["success"] and ends is not None and ends(answers[-1]):
            break
        time.sleep(0.2)
    return answers


def errors(answers: list[Answer]) -> list[str]:
    return sorted({f"{each['error_type']}: {each['error']}" for each in answers if not each["success"]})


def browsers(node: OneNode) -> dict[int, str]:
    return {pid: line for pid, line in node.processes().items() if "--remote-debugging-pipe" in line}


def workers(node: OneNode) -> dict[int, str]:
    return {pid: line for pid, line in node.processes().items() if "ray::" in line or "raylet/raylet" in line}


def said(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def cluster(redis: str | None) -> Generator[OneNode]:
    folder = Path(tempfile.mkdtemp(prefix="fl-", dir="/tmp"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        node = OneNode(folder, redis)
        stack.callback(node.close)
        yield node


@contextmanager
def redis_server() -> Generator[str]:
    """A Redis that keeps nothing on the disk; its address."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"]
    with subprocess.Popen(["redis-server", *options], executable=REDIS, stdout=subprocess.DEVNULL) as server:
        try:
            until(lambda: answers_at(port), 30, "Redis did not start")
            yield f"127.0.0.1:{port}"
        finally:
            server.kill()


def answers_at(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")
    return False


if __name__ == "__main__":
    raise SystemExit(main())
