"""Runs foreign clients against the mock; usage: check.py INTERPRETER NODE_DIRECTORY (see README.md)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from cdp_typed.mock import Page, ThreadedMockServer

HERE = Path(__file__).parent
PAGE = "http://top.test/"
DEADLINE_S = 60
EXPECTED = {"title": "Top", "value": 42, "answer": "Ada", "dialogs": [["prompt", "Name?"]]}


def play(name: str, command: list[str]) -> bool:
    """Run a client; return True if it printed `EXPECTED`, else print its output."""
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    with ThreadedMockServer({PAGE: Page(title="Top")}) as mock:
        arguments = [*command, mock.http_url, PAGE]
        try:
            ended = subprocess.run(
                arguments, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
            )
        except subprocess.TimeoutExpired:
            print(f"{name}: no end within {DEADLINE_S} s")
            return False
    seen = json.loads(ended.stdout) if ended.returncode == 0 else ended.stderr
    print(f"{name}: {'ok' if seen == EXPECTED else seen}")
    return seen == EXPECTED


def test_in_javascript(directory: Path) -> bool:
    """Run the JavaScript test, which starts the mock itself; return True if it passes."""
    environment = {**os.environ, "no_proxy": "127.0.0.1", "PYTHON": sys.executable}
    command = ["node", "--test", "shop.test.mjs"]
    ended = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    print(f"shop.test.mjs: {'ok' if ended.returncode == 0 else ended.stdout}")
    return ended.returncode == 0


def main(interpreter: str, node_directory: str) -> int:
    python = [
        play(name, [interpreter, str(HERE / f"play_{name}.py")]) for name in ("playwright", "pydoll", "zendriver")
    ]
    own = play("cdp_use", [sys.executable, str(HERE / "play_cdp_use.py")])
    node = play("puppeteer", ["node", str(Path(node_directory) / "play_puppeteer.mjs")])
    test = test_in_javascript(Path(node_directory))
    return 0 if all([*python, own, node, test]) else 1


sys.exit(main(*sys.argv[1:]))
