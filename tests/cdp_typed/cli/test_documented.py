"""The manual mentions every command of the command line and every option of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cdp_typed.cli.main import COMMANDS
from tests.cdp_typed.cli.conftest import Run

DOCS = Path(__file__).parents[3] / "docs"
MANUAL = (DOCS / "command-line.md").read_text("utf-8") + (DOCS / "connecting.md").read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_manual(run: Run, name: str) -> None:
    options = set(re.findall(r"--[a-z]+", run(name, "--help").out))

    assert f"cdp-typed {name} " in MANUAL
    assert [option for option in sorted(options) if option not in MANUAL] == []
