"""The examples of docs/live.md run, on the mock."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.mock import ThreadedMockServer

PAGE = (Path(__file__).parents[4] / "docs" / "live.md").read_text(encoding="utf-8")


def test_the_example_serves_the_view(capsys: pytest.CaptureFixture[str]) -> None:
    example, approving = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    approval: dict[str, Any] = {}

    with ThreadedMockServer() as mock:
        exec(compile(example.replace("http://127.0.0.1:9222", mock.url), "live.md", "exec"), {})
        exec(compile(approving.replace("http://127.0.0.1:9222", mock.url), "live.md", "exec"), approval)

    assert approval["view"].approvals is approval["approvals"]
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/#token=[\w-]{32}\n", capsys.readouterr().out)
