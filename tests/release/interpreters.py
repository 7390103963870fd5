"""Finds the Pythons of this machine, and tries the wheel on each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.support.wheels import ROOT, read_metadata, required_distributions, run_elsewhere

OLDEST = (3, 11)
_TOOLS = (
    "chrome-devtools-protocol",
    "hypothesis",
    "packaging",
    "pytest",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-xdist",
)
_TESTS = ("client", "protocol/test_old_and_new.py", "sync", "transport", "wire")
_ASK = "import platform, sys; print(sys.implementation.name, platform.python_version(), sys.base_prefix)"


class Interpreter(NamedTuple):
    """A Python: its version, and where it is."""

    version: str
    path: Path


def find_interpreters() -> tuple[Interpreter, ...]:
    """Return each CPython from 3.11 on that is on PATH, in /usr/bin or of pyenv: one of each version and place."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    folders += [Path("/usr/local/bin"), Path("/usr/bin"), *sorted(pyenv.glob("versions/*/bin"))]
    found: dict[tuple[str, str], Interpreter] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("python3.*"))):
        if re.fullmatch(r"python3\.\d+", path.name) and path.is_file():
            name, version, home = _ask(path)
            if name == "cpython" and tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST:
                found.setdefault((version, home), Interpreter(version, path))
    return tuple(sorted(found.values(), key=lambda each: [int(part) for part in re.findall(r"\d+", each.version)]))


def _ask(path: Path) -> tuple[str, str, str]:
    # A shim of pyenv fails for a version that is not chosen.
    asked = subprocess.run([path, "-c", _ASK], capture_output=True, text=True, check=False)
    name, version, home = asked.stdout.split() if asked.returncode == 0 else ("", "0", "")
    return name, version, home


def locked(names: Iterable[str]) -> str:
    """Return the entries of locks/all.txt, hashes included, for these distributions and what those ask for."""
    wanted = {re.sub(r"[-_.]+", "-", name).lower() for name in required_distributions(names)}
    blocks = re.findall(r"^[a-z0-9-]+==(?:.*\\\n)*.*\n", (ROOT / "locks" / "all.txt").read_text(), re.MULTILINE)
    return "".join(block for block in blocks if block.partition("==")[0] in wanted)


def make_environment(interpreter: Interpreter, wheel: Path, folder: Path) -> Path:
    """Return the Python of a new environment with the wheel, what it asks for, and pytest, all as locked."""
    subprocess.run([interpreter.path, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    lock = folder / "locked.txt"
    lock.write_text(locked([*read_metadata(wheel)["Requires-Dist"], *_TOOLS]))
    _pip(python, "install", "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(lock))
    _pip(python, "install", "--no-index", "--no-deps", str(wheel))
    _pip(python, "check")
    return python


def _pip(python: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*command, *arguments], check=True)


def try_wheel(python: Path, work: Path) -> str:
    """Run `trial.py`, and then the tests of the client, where the packages of the repository are not in sight.

    Returns the closing line of pytest. Raises `AssertionError` with the output of what failed.
    """
    for name in ("docs", "pyproject.toml", "README.md", "tests"):
        source, copy = ROOT / name, work / name
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    trial = run_elsewhere(python, "-W", "error", "tests/release/trial.py", cwd=work)
    assert trial.returncode == 0, trial.stdout + trial.stderr
    tests = [f"tests/cdp_typed/{name}" for name in _TESTS]
    chosen = ["-m", "not chromium and not thorough", "-n", "2", "-q", "-p", "no:cacheprovider"]
    done = run_elsewhere(python, "-m", "pytest", *chosen, *tests, cwd=work, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]
