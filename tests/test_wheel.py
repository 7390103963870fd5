"""The wheel, installed in an environment that holds only the packages that it requires."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.wheels import ROOT, build_wheel, install_wheel, read_metadata, run_elsewhere

PACKAGES = ("cdp_agent", "cdp_typed", "supervisor")
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, from the working tree."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> dict[str, list[str]]:
    """The wheel's metadata, each field with all its values."""
    return read_metadata(wheel)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment with the wheel and the packages that it requires, and no others."""
    return install_wheel(wheel, tmp_path_factory.mktemp("environment"))


def test_the_wheel_holds_the_packages_whole_and_nothing_else(wheel: Path) -> None:
    """Neither codegen nor tests, and each file as it is in the tree: what works there works from the wheel, too."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    in_tree = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert held.keys() == in_tree.keys()
    assert [name for name, data in held.items() if data != in_tree[name]] == []
    assert {"cdp_typed/py.typed", "supervisor/py.typed"} <= held.keys()


def test_the_wheel_asks_for_two_packages_and_says_who_may_use_it(metadata: dict[str, list[str]]) -> None:
    required = [Requirement(text) for text in metadata["Requires-Dist"]]

    assert sorted(requirement.name for requirement in required if requirement.marker is None) == [
        "msgspec",
        "websockets",
    ]
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
    done = run_elsewhere(environment, "-c", code, cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, "{True} True\n", "")
