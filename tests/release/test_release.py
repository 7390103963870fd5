"""What `make release` makes: the same bytes twice, and a wheel that works."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.release.building import build_twice, digests
from tests.release.interpreters import locked
from tests.support.wheels import ROOT

pytestmark = [pytest.mark.timeout(180), pytest.mark.thorough]
TOOLS = Path(sys.executable).parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both files, built twice from copies that differ in what must not matter."""
    out = tmp_path_factory.mktemp("dist")
    made = build_twice(tmp_path_factory.mktemp("copies"), out, epoch=1_700_000_000)
    assert made == digests(out)
    return out


def test_the_time_of_the_files_is_that_of_the_sources(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")

    with tarfile.open(sdist) as archive:
        assert {member.mtime for member in archive} == {1_700_000_000}
        assert {member.uname for member in archive} == {""}


def test_the_tools_of_the_index_find_nothing(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    commands: tuple[list[str | Path], ...] = (
        [TOOLS / "twine", "--no-color", "check", "--strict", *sorted(built.iterdir())],
        [TOOLS / "check-wheel-contents", wheel],
    )
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_wheel_asks_for_is_installed_as_locked() -> None:
    lock = locked(["msgspec", "pytest_asyncio>=1"])

    names = [line.partition("==")[0] for line in lock.splitlines() if "==" in line]
    assert {"msgspec", "pytest", "pytest-asyncio"} <= {*names}
    assert "mypy" not in names
    assert lock.count("--hash=sha256:") > len(names)
