"""A thousand supervisors in one process, each on its own mock: on one loop thread, or with a thread for each."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.table import render
from cdp_typed.loop_thread import LoopThread
from cdp_typed.mock import MockServer, Page
from supervisor import AsyncSupervisor, Config
from supervisor.driver.driver import Driver

SUPERVISORS = 1_000
AT_ONCE = 50


def report() -> str:
    """Return the table. Each variant is measured in its own process, with the mocks in another."""
    rows: list[list[str]] = []
    for way, label in (("shared", "one loop thread for all"), ("thread", "a thread for each")):
        command = [sys.executable, "-m", "benchmarks.supervising.scaling", way, str(SUPERVISORS)]
        seconds, memory, threads = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        rate = SUPERVISORS / float(seconds)
        rows.append([label, threads, f"{float(memory) / SUPERVISORS / 2**10:.0f} KiB", f"{rate:.0f} per second"])
    title = f"{SUPERVISORS:,} supervisors in one process, each attached to a separate mock browser"
    return render(title, ["", "threads", "memory each", "attached"], rows)


async def _serve(count: int) -> None:
    """Serve mocks until the standard input ends."""
    async with AsyncExitStack() as stack:
        for _ in range(count):
            server = await stack.enter_async_context(MockServer({"http://a.test/": Page(title="A")}))
            print(server.url)
        print(flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def _measure(way: str, count: int) -> None:
    command = [sys.executable, "-m", "benchmarks.supervising.scaling", "serve", str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as mocks:
        assert mocks.stdout is not None
        urls = [mocks.stdout.readline().strip() for _ in range(count)]
        mocks.stdout.readline()
        threads, memory = threading.active_count(), _resident()
        began = time.perf_counter()
        supervisors = asyncio.run(_attach(urls)) if way == "shared" else _attach_threads(urls)
        seconds = time.perf_counter() - began
        print(seconds, _resident() - memory, threading.active_count() - threads, flush=True)
        assert len(supervisors) == count
        mocks.kill()
    os._exit(0)  # closing a thousand connections is not measured


async def _attach(urls: list[str]) -> list[AsyncSupervisor]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def start(url: str) -> AsyncSupervisor:
        async with gate:
            return await AsyncSupervisor(url).start(60)

    return await asyncio.gather(*(start(url) for url in urls))


def _attach_threads(urls: list[str]) -> list[tuple[LoopThread, Driver]]:
    supervisors: list[tuple[LoopThread, Driver]] = []
    for url in urls:
        loop = LoopThread()
        loop.acquire()
        supervisors.append((loop, loop.run(_drive(url))))
    return supervisors


async def _drive(url: str) -> Driver:
    driver = Driver(Config(cdp_url=url))
    await driver.start(60)
    return driver


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    name, number = sys.argv[1], int(sys.argv[2])
    if name == "serve":
        asyncio.run(_serve(number))
    else:
        _measure(name, number)
