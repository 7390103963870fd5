"""A client that knows nothing of this library does a whole flow against the mock; `make foreign` runs the others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from cdp_typed.mock import Page, ThreadedMockServer

FLOW = Path(__file__).parents[3] / "examples" / "foreign_clients" / "play_cdp_use.py"


def test_cdp_use_opens_a_page_and_answers_its_dialog(no_leaks: None) -> None:
    url = "http://top.test/"
    with ThreadedMockServer({url: Page(title="Top")}) as mock:
        command = [sys.executable, str(FLOW), mock.http_url, url]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "title": "Top",
        "value": 42,
        "answer": "Ada",
        "dialogs": [["prompt", "Name?"]],
    }
