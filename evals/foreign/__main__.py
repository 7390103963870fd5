"""Plays foreign clients on the mock and on Chromium; usage: PYTHON NODE BROWSER_USE [--write] [CLIENT ...]."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

from evals.foreign.playing import CLIENTS, Installed, Step, play, why_left_out
from evals.foreign.report import write
from evals.foreign.stages import chromium, mock
from evals.foreign.verdicts import Verdict, verdicts


async def main(installed: Installed, arguments: list[str]) -> int:
    names = [name for name in arguments if name != "--write"]
    results: dict[str, dict[str, Verdict] | str] = {}
    for client in names or CLIENTS:
        results[client] = why_left_out(client, installed) or await compare(client, installed)
        if isinstance(results[client], str):
            print(f"{client}: left out: {results[client]}")
    if "--write" in arguments:
        write(results)
    bad = {"lies", "hangs", "unclear", "missing"}
    return int(any(bad & set(steps.values()) for steps in results.values() if not isinstance(steps, str)))


async def compare(client: str, installed: Installed) -> dict[str, Verdict]:
    """Play a client on both, and print what is neither equal nor refused."""
    async with chromium() as (http, origin):
        theirs, failed = await play(client, installed, http, origin)
    async with mock() as (http, origin, refusals):
        ours, failed_ours = await play(client, installed, http, origin, refusals)
    found = verdicts(ours, theirs)
    if sum(step.error is None for step in theirs.values()) < len(theirs) / 2 or not theirs:
        found["the client on Chromium"] = "unclear"
        theirs = {**theirs, "the client on Chromium": Step("", error="most of its steps fail there")}
    print(
        f"{client}: {', '.join(f'{list(found.values()).count(kind)} {kind}' for kind in sorted(set(found.values())))}"
    )
    for name, verdict in found.items():
        if verdict not in ("agrees", "refused", "unheard"):
            print(f"  {verdict}: {name}\n    Chromium: {said(theirs[name])}\n    mock:     {said(ours.get(name))}")
    for complaint in {failed, failed_ours} - {""}:
        print(f"  {complaint}")
    return found


def said(step: Step | None) -> str:
    """Return what a step said, in a line."""
    if step is None:
        return "not played"
    return "hangs" if step.hangs else " ".join((step.error or repr(step.value)).split())[:300]


def installed(python: str, node: str, browser_use: str) -> Installed:
    """Return where the clients are; chromedriver is where `CHROMEDRIVER` says, or on the path."""
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    node_version = tuple(int(number) for number in version.strip().removeprefix("v").split("."))
    where = Path.cwd()
    return Installed(where / python, where / node, node_version, where / browser_use, Path(driver) if driver else None)


sys.exit(asyncio.run(main(installed(*sys.argv[1:4]), sys.argv[4:])))
