"""The command line, and what a supervisor says of what it cannot use."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cdp_typed import CDPError
from supervisor import CDPSupervisor

__all__ = ["call", "refusal"]


def call(url: str, expression: str) -> str:
    """Return the output of `cdp-typed call`."""
    command = [sys.executable, "-m", "cdp_typed", "call", url, "Runtime.evaluate", "--expression", expression]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(url: str) -> str:
    """Return the error of a supervisor that cannot start there; it comes within seconds and is one line."""
    with pytest.raises(CDPError) as refused:
        CDPSupervisor(url).start(timeout_s=10)
    said = str(refused.value)
    assert "\n" not in said
    return said
