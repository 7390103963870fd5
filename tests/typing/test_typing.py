"""The types that users rely on, as mypy and pyright see them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.typing.cases import REFUSED, REVEALED, Refused, Revealed

ROOT = Path(__file__).parents[2]
# Two checkers read the whole protocol: far longer than any other test may take.
pytestmark = pytest.mark.timeout(300)


@dataclass
class Verdict:
    """What one checker says about one case."""

    revealed: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])


Verdicts = dict[str, Verdict]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file per case, so that each checker runs once over all of them."""
    folder = tmp_path_factory.mktemp("typing")
    for case in (*REVEALED, *REFUSED):
        (folder / f"{case.name}.py").write_text(case.source)
    return folder


@pytest.fixture(scope="module")
def mypy(folder: Path) -> Verdicts:
    """By the project's own configuration, whose cache an earlier `make types` has filled."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "--hide-error-context", *files(folder)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert output.stderr == ""
    verdicts: Verdicts = defaultdict(Verdict)
    for line in output.stdout.splitlines():
        if note := re.fullmatch(r'(\S+)\.py:\d+: note: Revealed type is "(.*)"', line):
            verdicts[Path(note[1]).name].revealed.append(short(note[2]))
        elif fault := re.fullmatch(r"(\S+)\.py:\d+: error: .*\[([a-z-]+)\]", line):
            verdicts[Path(fault[1]).name].faults.append(fault[2])
    return verdicts


@pytest.fixture(scope="module")
def pyright(folder: Path) -> Verdicts:
    """In strict mode, from a configuration of its own: the project's does not reach outside the repository."""
    config = {
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "extraPaths": [str(ROOT)],
        "reportUnusedImport": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    verdicts: Verdicts = defaultdict(Verdict)
    diagnostics: list[dict[str, Any]] = json.loads(output.stdout)["generalDiagnostics"]
    for found in diagnostics:
        verdict = verdicts[Path(found["file"]).stem]
        if revealed := re.fullmatch(r'Type of ".*" is "(.*)"', found["message"]):
            verdict.revealed.append(short(revealed[1]))
        elif not (rule := str(found.get("rule", found["message"]))).startswith("reportUnknown"):
            verdict.faults.append(rule)  # an unknown type only follows from another fault
    return verdicts


def files(folder: Path) -> Iterable[str]:
    return sorted(str(path) for path in folder.glob("*.py"))


def short(name: str) -> str:
    """The type without the modules of its parts."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", name)


@pytest.mark.parametrize("case", REVEALED, ids=lambda case: case.name)
def test_mypy_knows_the_type_of(case: Revealed, mypy: Verdicts) -> None:
    assert mypy[case.name] == Verdict(revealed=list(case.types))


@pytest.mark.parametrize("case", REVEALED, ids=lambda case: case.name)
def test_pyright_knows_the_type_of(case: Revealed, pyright: Verdicts) -> None:
    assert pyright[case.name] == Verdict(revealed=list(case.pyright_types or case.types))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_mypy_refuses(case: Refused, mypy: Verdicts) -> None:
    assert mypy[case.name] == Verdict(faults=[case.mypy])


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_pyright_refuses(case: Refused, pyright: Verdicts) -> None:
    assert pyright[case.name] == Verdict(faults=[case.pyright])
