"""The command lines that are compared, each with a browser whose port the judges ask."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from cdp_typed.launch import find_browser
from evals.agents.command_lines.agent_browser_hands import AgentBrowserHands
from evals.agents.command_lines.cdp_agent_hands import CdpAgentHands
from evals.agents.command_lines.playwright_cli_hands import PlaywrightCliHands
from evals.agents.command_lines.program import Program
from evals.agents.mcp_servers import Running, Start, browser_url, free_port, peers


@contextmanager
def cdp_agent(folder: Path) -> Generator[Running]:
    """Ours, with its browser on a pipe. A port besides is for the judges."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("cdp-agent"))]
    with _program(command, folder, {"CDP_AGENT_SESSION": "tasks"}) as program:
        browser = program.folder / "browser"
        browser.write_text(f'#!/bin/sh\nexec {shlex.quote(str(find_browser()))} --remote-debugging-port={port} "$@"\n')
        browser.chmod(0o755)
        program.set("CDP_TYPED_CHROME", str(browser))
        skill = program.run("skill", "show").text
        program.run("open", "about:blank")
        try:
            yield Running(CdpAgentHands(program), browser_url(port), len(skill))
        finally:
            program.run("close")


@contextmanager
def agent_browser(folder: Path, *, closes_alerts: bool = False) -> Generator[Running]:
    """agent-browser, which does not look for updates of Chrome.

    By default it accepts alerts and questions whether to leave without a word (`closes_alerts`).
    """
    settings = {
        "AGENT_BROWSER_SESSION": "tasks",
        "AGENT_BROWSER_EXECUTABLE_PATH": str(find_browser()),
        "AGENT_BROWSER_NO_VERSION_CHECK": "1",
        **({"AGENT_BROWSER_ARGS": "--no-sandbox"} if os.getuid() == 0 else {}),
        **({} if closes_alerts else {"AGENT_BROWSER_NO_AUTO_DIALOG": "1"}),
    }
    package = peers() / "agent-browser"
    with _program([_native(package)], folder, settings) as program:
        program.run("open", "about:blank")
        skill = (package / "skill-data/core/SKILL.md").read_text()
        address = program.run("get", "cdp-url").text.strip()
        try:
            yield Running(AgentBrowserHands(program, closes_alerts=closes_alerts), address, len(skill))
        finally:
            program.run("close")


@contextmanager
def playwright_cli(folder: Path) -> Generator[Running]:
    """playwright-cli, which does not look for a newer version of itself."""
    port = free_port()
    settings = {"PLAYWRIGHT_CLI_SESSION": "tasks", "NO_UPDATE_NOTIFIER": "1"}
    launch = {
        "headless": True, "executablePath": str(find_browser()), "chromiumSandbox": os.getuid() != 0,
        "args": [f"--remote-debugging-port={port}"],
    }  # fmt: skip
    package = peers() / "@playwright/cli"
    with _program(["node", str(package / "playwright-cli.js")], folder, settings) as program:
        config = program.folder / "config.json"
        config.write_text(json.dumps({"browser": {"isolated": True, "launchOptions": launch}}))
        program.run("open", "about:blank", f"--config={config}")
        skill = (package / "skills/playwright-cli/SKILL.md").read_text()
        try:
            yield Running(PlaywrightCliHands(program), browser_url(port), len(skill))
        finally:
            program.run("close")


COMMAND_LINES: dict[str, Start] = {
    CdpAgentHands.name: cdp_agent,
    AgentBrowserHands.name: agent_browser,
    PlaywrightCliHands.name: playwright_cli,
}
BY_DEFAULT: dict[str, Start] = {"agent-browser by default": partial(agent_browser, closes_alerts=True)}
"""Those whose settings for the tasks differ from their defaults."""


@contextmanager
def _program(command: list[str], folder: Path, settings: dict[str, str]) -> Generator[Program]:
    """A program with a new home below a folder; nothing that it started outlives the block."""
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as home:
        program = Program(command, Path(home), settings)
        try:
            yield program
        finally:
            program.kill()


def _native(package: Path) -> str:
    """Its program, which its installation puts in place of the script around it."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
    program = package / f"bin/agent-browser-{os.uname().sysname.lower()}-{machine}"
    program.chmod(0o755)
    return str(program)
