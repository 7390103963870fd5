"""What is shipped: the wheel, in an environment that holds nothing but what the wheel asks for."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PACKAGES = ("cdp_typed", "supervisor")
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, from the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> dict[str, list[str]]:
    """The wheel's metadata, each field with all its values."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        fields = HeaderParser().parsestr(archive.read(name).decode())
    return {key: [str(value) for value in fields.get_all(key, [])] for key in fields}


@pytest.fixture(scope="module")
def environment(wheel: Path, metadata: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment with the wheel and the packages that it requires, and no others.

    Those come as they are installed here, where the lock's hashes were checked: the tests need no network.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    asked = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    for requirement in map(Requirement, metadata["Requires-Dist"]):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            copy_distribution(requirement.name, Path(asked.stdout.strip()))
    subprocess.run([*pip, "check"], check=True)
    return python


def copy_distribution(name: str, target: Path) -> None:
    """Copy the files of an installed distribution, except scripts, to another environment."""
    for file in importlib.metadata.files(name) or ():
        if ".." not in file.parts and file.suffix != ".pyc":
            copy = target / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(Path(str(file.locate())).read_bytes())


def run(python: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run it where the repository is not in sight."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(python), *arguments], cwd=cwd, env=environ, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_wheel_holds_the_two_packages_whole_and_nothing_else(wheel: Path) -> None:
    """Neither codegen nor tests; `py.typed` in both, and every other file that the packages have."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    in_tree = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert names == in_tree
    assert {"cdp_typed/py.typed", "supervisor/py.typed"} <= names


def test_the_wheel_asks_for_two_packages_and_says_who_may_use_it(metadata: dict[str, list[str]]) -> None:
    required = [Requirement(text) for text in metadata["Requires-Dist"]]

    assert sorted(one.name for one in required if one.marker is None) == ["msgspec", "websockets"]
    assert (metadata["Name"], metadata["Requires-Python"], metadata["License-Expression"]) == (
        ["cdp-typed"],
        [">=3.11"],
        ["MIT"],
    )


def test_every_public_module_is_imported_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    code = """
import importlib, pathlib, sys, warnings
warnings.simplefilter("error")
import cdp_typed, cdp_typed.launch, cdp_typed.mock, cdp_typed.protocol, supervisor
domains = sorted(pathlib.Path(cdp_typed.protocol.__file__).parent.glob("[a-z]*.py"))
for domain in domains:
    importlib.import_module(f"cdp_typed.protocol.{domain.stem}")
for name in cdp_typed.__all__:
    getattr(cdp_typed, name)
homes = {pathlib.Path(module.__file__).is_relative_to(sys.prefix) for module in (cdp_typed, supervisor)}
print(homes, len(domains) > 50)
"""
    done = run(environment, "-c", code, cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, "{True} True\n", "")


def test_codegen_and_tests_are_not_installed(environment: Path, tmp_path: Path) -> None:
    code = "from importlib.util import find_spec; print(find_spec('codegen'), find_spec('tests'))"

    assert run(environment, "-c", code, cwd=tmp_path).stdout == "None None\n"


@pytest.mark.parametrize("options", [(), ("--mock",)], ids=["chromium", "mock"])
def test_the_demo_runs_from_the_wheel(environment: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    done = run(environment, "-m", "supervisor", "demo", "--json", *options, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert isinstance(json.loads(done.stdout), dict)


def test_the_narrated_demo_without_its_extra_says_what_to_install(environment: Path, tmp_path: Path) -> None:
    done = run(environment, "-m", "supervisor", "demo", cwd=tmp_path)

    assert done.returncode != 0
    assert "cdp-typed[cli]" in done.stderr
