"""Where the published libraries are that pages of tests load."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def installed_packages(command: str) -> Path:
    """The folder of the packages. Fails the test with the command that installs them."""
    root = Path(os.environ.get("CDP_TYPED_LIBRARIES", ".venv/libraries")) / "node_modules"
    if not root.is_dir():
        pytest.fail(f"{root} does not exist; `{command}` installs it")
    return root
