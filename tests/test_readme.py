"""The README's examples run, on the mock and on real Chromium."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor import CDPSupervisor
from tests.support.stages.stages import Stage, open_page, raise_stage

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture(params=["mock", "chromium"])
def stage(request: pytest.FixtureRequest, no_leaks: None) -> Iterator[Stage]:
    with raise_stage(request.param) as raised:
        yield raised


def on_stage(example: str, stage: Stage) -> str:
    """The example with the addresses of the stage in place of its own."""
    assert "http://127.0.0.1:9222" in example
    return example.replace("http://127.0.0.1:9222", stage.cdp_url).replace("https://example.com", f"{stage.own}/plain")


def test_the_blocking_example_answers_a_dialog(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    with CDPSupervisor(stage.cdp_url) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")

    exec(compile(on_stage(EXAMPLES[0], stage), "README.md", "exec"), {})

    assert capsys.readouterr().out == "Ada\n"


def test_the_async_example_reads_a_title(stage: Stage) -> None:
    body = textwrap.indent(on_stage(EXAMPLES[1], stage), "    ")
    namespace: dict[str, Any] = {}
    exec(compile(f"async def example():\n{body}    return title\n", "README.md", "exec"), namespace)

    assert asyncio.run(namespace["example"]()) == "Plain"
