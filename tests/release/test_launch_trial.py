"""The trial of a launch that CI plays on Windows and macOS holds here, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]


def test_the_trial_of_a_launch_passes() -> None:
    trial = Path(__file__).with_name("launch_trial.py")

    done = subprocess.run([sys.executable, str(trial)], capture_output=True, text=True, timeout=200, check=False)

    assert done.returncode == 0, done.stderr
    assert "ended on" in done.stdout
