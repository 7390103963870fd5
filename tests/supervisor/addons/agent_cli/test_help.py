"""The help of `cdp-agent`: kept pages, which are read without the tools that they describe."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cdp_agent import DONE, USAGE
from cdp_agent.program import main
from supervisor import addons
from supervisor.addons.agent_cli.help_text import kept_pages, made_pages
from supervisor.declarations import commands

_MODULES = """
import sys
from cdp_agent.program import main
try:
    main(sys.argv[1:])
finally:
    print(*(name for name in sys.modules if name.split(".")[0] in ("cdp_typed", "supervisor", "mcp", "websockets")))"""


@pytest.fixture(autouse=True)
def no_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        "help click", "help", "--help", "click --help", "help screenshot", "help skill", "help sessions", "clik e7",
        "help clik", "click e7",
    ],
)  # fmt: skip
def test_help_and_a_mistyped_command_import_few_modules(words: str) -> None:
    """The tools are some 400 of our modules, which take longer to import than all else that such a command does."""
    done = subprocess.run([sys.executable, "-c", _MODULES, *words.split()], capture_output=True, text=True, check=True)

    imported = done.stdout.splitlines()[-1].split()
    assert {"supervisor.tools", "supervisor.aio", "supervisor.config"} & {*imported} == set()
    assert len(imported) < 60


def test_the_kept_pages_are_what_the_tools_say() -> None:
    """Write them anew with `python -m supervisor.addons.agent_cli.help_text`."""
    assert kept_pages() == made_pages(commands().values())


def test_without_an_addon_the_pages_are_those_of_the_other_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", "emulate"]) == DONE
    folder = tmp_path / "addons"
    shutil.copytree(Path(addons.__file__).parent, folder, ignore=shutil.ignore_patterns("emulation", "__pycache__"))
    script = f"""
import sys, pathlib, supervisor.declarations
supervisor.declarations._FOLDER = pathlib.Path({os.fspath(folder)!r})
from cdp_agent.program import main
print(main(["help", "emulate"]), main(["help", "click"]))"""

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.endswith(f"{USAGE} {DONE}\n")
    assert "there is no command 'emulate'" in done.stderr
