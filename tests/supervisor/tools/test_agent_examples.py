"""The agents in examples/agents run as they are, without a network and without a service."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.thorough
@pytest.mark.parametrize("script", ["openai_loop.py", "anthropic_loop.py", "pydantic_ai_agent.py"])
def test_the_loop_answers_a_dialog_reads_another_site_s_frame_and_sees_a_picture(script: str) -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "agents" / script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        'browser_navigate({"url": "http://shop.example/"})',
        'browser_dialog({"action": "dismiss", "dialog_id": "d-1"})',
        'browser_wait({"until": "loaded"})',
        "browser_snapshot({})",
        'browser_vision({"format": "png"})',
        "The payment form comes from http://pay.example. I was asked: Empty the cart? I said no. I saw a picture.",
    ]
