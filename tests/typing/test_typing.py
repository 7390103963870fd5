"""The types that users rely on, as mypy and pyright see them from an installed wheel, each in its strict mode."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.wheels import build_wheel, install_wheel
from tests.typing.cases import Refused, Revealed
from tests.typing.refused import REFUSED
from tests.typing.revealed import REVEALED

# Two checkers read the whole protocol: far longer than any other test may take.
pytestmark = pytest.mark.timeout(300)


@dataclass
class Verdict:
    """The revealed types and errors of one checker for one case."""

    revealed: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])


Verdicts = dict[str, Verdict]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file per case, so that each checker runs once over all of them."""
    folder = tmp_path_factory.mktemp("typing")
    cases: list[Revealed | Refused] = [*REVEALED, *REFUSED]
    for case in cases:
        (folder / f"{case.name}.py").write_text(case.source)
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it requires: without the checkers, and without this repository."""
    return install_wheel(build_wheel(tmp_path_factory.mktemp("dist")), tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def mypy(folder: Path, python: Path) -> Verdicts:
    """Run once, far from the project's own configuration."""
    options = ["--strict", "--no-pretty", "--hide-error-context", "--python-executable", str(python)]
    command = [sys.executable, "-m", "mypy", *options, *files(folder)]
    output = subprocess.run(command, cwd=folder, env=away(), capture_output=True, text=True, check=False)
    assert output.stderr == ""
    verdicts: Verdicts = defaultdict(Verdict)
    for line in output.stdout.splitlines():
        if note := re.fullmatch(r'(\S+)\.py:\d+: note: Revealed type is "(.*)"', line):
            verdicts[Path(note[1]).name].revealed.append(short(note[2]))
        elif fault := re.fullmatch(r"(\S+)\.py:\d+: error: .*\[([a-z-]+)\]", line):
            verdicts[Path(fault[1]).name].faults.append(fault[2])
    return verdicts


@pytest.fixture(scope="module")
def pyright(folder: Path, python: Path) -> Verdicts:
    """Run once; the cases share one header, of which each uses a part."""
    config = {"typeCheckingMode": "strict", "reportUnusedImport": False, "reportUnusedFunction": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", str(python), "-p", str(folder)]
    output = subprocess.run(command, cwd=folder, env=away(), capture_output=True, text=True, check=False)
    verdicts: Verdicts = defaultdict(Verdict)
    diagnostics: list[dict[str, Any]] = json.loads(output.stdout)["generalDiagnostics"]
    for diagnostic in diagnostics:
        verdict = verdicts[Path(diagnostic["file"]).stem]
        if revealed := re.fullmatch(r'Type of ".*" is "(.*)"', diagnostic["message"]):
            verdict.revealed.append(short(revealed[1]))
        elif not (rule := str(diagnostic.get("rule", diagnostic["message"]))).startswith("reportUnknown"):
            verdict.faults.append(rule)  # an unknown type only follows from another fault
    return verdicts


def away() -> dict[str, str]:
    """An environment in which nothing leads back to the repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MYPY"))}


def files(folder: Path) -> Iterable[str]:
    return sorted(str(path) for path in folder.glob("*.py"))


def short(name: str) -> str:
    """The type without the modules of its parts."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", name)


@pytest.mark.parametrize("case", REVEALED, ids=lambda case: case.name)
def test_mypy_knows_the_type_of(case: Revealed, mypy: Verdicts) -> None:
    assert mypy[case.name] == Verdict(revealed=case.types)


@pytest.mark.parametrize("case", REVEALED, ids=lambda case: case.name)
def test_pyright_knows_the_type_of(case: Revealed, pyright: Verdicts) -> None:
    assert pyright[case.name] == Verdict(revealed=case.pyright_types)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_mypy_refuses(case: Refused, mypy: Verdicts) -> None:
    assert mypy[case.name] == Verdict(faults=case.mypy)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_pyright_refuses(case: Refused, pyright: Verdicts) -> None:
    assert pyright[case.name] == Verdict(faults=case.pyright)
