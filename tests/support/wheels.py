"""The wheel, and environments that hold nothing but the wheel and what it asks for."""

from __future__ import annotations

import atexit
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterable
from email.parser import HeaderParser
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def build_wheel(folder: Path) -> Path:
    """The wheel of the working tree in this folder. Each process builds it once."""
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy2(_built(), folder))


@cache
def _built() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="wheel-"))
    atexit.register(shutil.rmtree, folder)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.iterdir()
    return wheel


def read_metadata(wheel: Path) -> dict[str, list[str]]:
    """The wheel's metadata, each field with all its values."""
    fields = HeaderParser().parsestr(_metadata_file(wheel))
    return {key: [str(value) for value in fields.get_all(key, [])] for key in fields}


def read_description(wheel: Path) -> str:
    """The long description in the wheel's metadata, which an index shows."""
    return _metadata_file(wheel).partition("\n\n")[2]


def _metadata_file(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def install_wheel(wheel: Path, folder: Path, *, extra: str = "") -> Path:
    """The interpreter of a new environment with the wheel and the packages that it requires, and no others.

    `extra` is one of the wheel's extras, whose packages are then there as well.

    Those come as they are installed here, where the lock's hashes were checked: the tests need no network.
    """
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
    asked = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name in required_distributions(read_metadata(wheel)["Requires-Dist"], {extra}):
        _copy_distribution(name, Path(asked.stdout.strip()))
    subprocess.run([*pip, "check"], check=True)
    return python


def required_distributions(requirements: Iterable[str], extras: Iterable[str] = ()) -> set[str]:
    """The distributions that are asked for here, and what those ask for in turn, by their own extras too."""
    distributions: set[str] = set()
    wanted = {"", *extras}
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in wanted):
            asked = importlib.metadata.requires(requirement.name) or ()
            distributions |= {requirement.name, *required_distributions(asked, requirement.extras)}
    return distributions


def _copy_distribution(name: str, target: Path) -> None:
    """Copy the files of an installed distribution, except scripts, to another environment."""
    for file in importlib.metadata.files(name) or ():
        if ".." not in file.parts and file.suffix != ".pyc":
            copy = target / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(Path(str(file.locate())).read_bytes())


def run_elsewhere(python: Path, *arguments: str, cwd: Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run it where the repository is not in sight."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(python), *arguments], cwd=cwd, env=environ, capture_output=True, text=True, check=False, timeout=timeout
    )
