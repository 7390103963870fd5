"""Nothing outside of an addon needs it: the tree without it can be imported, generated, checked by mypy, and tested."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from supervisor.declarations import NoAddon, declarations, offered
from tests.test_house import ROOT

ADDONS = sorted(folder.name for folder in pkgutil.iter_modules([str(ROOT / "supervisor" / "addons")]))
EACH = os.environ.get("CDP_TYPED_ADDONS") == "each"
"""`make addons`: each addon is deleted alone, too."""

# The checkout is behind the folder where it runs on the path of an editable install: without it.
_HERE = "import runpy, sys; sys.path[:] = [path for path in sys.path if path != sys.argv[1]]; del sys.argv[1]; "
_RUN = f"{_HERE}name = sys.argv.pop(1); runpy.run_module(name, run_name='__main__', alter_sys=True)"
_COPIED = (
    "benchmarks",
    "cdp_agent",
    "cdp_typed",
    "codegen",
    "deploy",
    "docs",
    "evals",
    "examples",
    "supervisor",
    "tests",
    "website",
)
_CHECKED = ROOT / ".mypy_cache" / "3.11"
_PLANTED = "tests/supervisor/addons/network/test_planted_keys.py"
_FOLDERS = ("supervisor/addons", "tests/supervisor/addons", "benchmarks", "examples")
"""Each may have a folder of an addon's name, which goes with the addon."""
_ABOUT = {
    "agent_cli": (_PLANTED,),
    "hermes": ("evals/hermes",),
    "live": ("website/live_pictures.py", "website/pictures.py", "tests/website/test_pictures.py", _PLANTED),
    "mcp": ("evals/frameworks",),
    "report": (
        "tests/test_demo.py",
        "website/pictures.py",
        "tests/website/test_pictures.py",
        "tests/supervisor/addons/live/test_planted_secrets.py",
        _PLANTED,
    ),
}
"""Files elsewhere that are about one addon: evals, pictures, tests of several addons. They go with the addon."""
_IMPORT_ALL = """
import pkgutil, importlib, supervisor
for module in pkgutil.walk_packages(supervisor.__path__, "supervisor."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
_FRAMEWORK = "tests/supervisor/tools/framework"
_PLAYED = (
    *(
        f"{_FRAMEWORK}/test_{about}.py"
        for about in ("docs_and_plugins", "policy", "toolbox", "coercion", "result_text")
    ),
    "tests/test_log_names.py",
)


def test_what_an_addon_declares_exists() -> None:
    for name, declared in declarations(()):
        modules: list[str] = [*getattr(declared, "TOOLS", ())]
        commands: list[Any] = [*getattr(declared, "COMMANDS", ())]
        assert modules or commands, name
        assert all(import_module(module) for module in modules)
        assert all(callable(import_module(command.module).run) for command in commands)


def test_what_no_addon_offers_is_refused_in_one_sentence() -> None:
    with pytest.raises(NoAddon, match=r"^this needs the addon 'nothing', which is not here$"):
        offered("nothing")


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("deleted", [ADDONS, *([[name] for name in ADDONS] if EACH else [])], ids="+".join)
def test_the_rest_does_without_an_addon(tmp_path: Path, deleted: list[str]) -> None:
    """That no addon imports another is a contract, so that what does without all of them does without each."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for file in [*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"]:
        shutil.copy2(file, tmp_path)
    for name in deleted:
        for folder in _FOLDERS:
            shutil.rmtree(tmp_path / folder / name, ignore_errors=folder != "supervisor/addons")
        for path in _ABOUT.get(name, ()):
            about = tmp_path / path
            shutil.rmtree(about) if about.is_dir() else about.unlink(missing_ok=True)

    _run(tmp_path, _HERE + _IMPORT_ALL)
    _run(tmp_path, _RUN, "codegen.blocking", "--check")
    if _CHECKED.exists():  # what mypy knows of the files that stay, so that it reads only what needed the addon
        shutil.copytree(_CHECKED, tmp_path / ".mypy_cache" / _CHECKED.name)
    _run(tmp_path, _RUN, "mypy")
    pytest_there = ("pytest", "-q", "-p", "no:cacheprovider")
    _run(tmp_path, _RUN, *pytest_there, "-qq", "--collect-only", "tests/supervisor")
    _run(tmp_path, _RUN, *pytest_there, "-m", "not chromium and not thorough", *_PLAYED)


def _run(folder: Path, program: str, *arguments: str) -> None:
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}  # those of the run around it are not meant for this one
    command = [sys.executable, "-c", program, os.fspath(ROOT), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
