"""The pictures in a recording are taken of stages, as those of the supervisor's tests."""

from pathlib import Path

import pytest

from tests.supervisor.conftest import stage

__all__ = ["stage"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a recording."""
    return tmp_path / "flight.jsonl"
