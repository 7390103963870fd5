"""The examples of docs/fleet.md run, on a cluster of this machine and real Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from supervisor.addons.fleet import Fleet, Hosts, NoSuchFleet

PAGE = (Path(__file__).parents[5] / "docs" / "fleet.md").read_text(encoding="utf-8")
SITE = "data:text/html,<title>Example</title><h1>Example</h1>"


def examples() -> list[str]:
    found: list[str] = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    return [example.replace("https://example.com", SITE) for example in found]


@pytest.mark.chromium
def test_the_first_lines_call_tools_of_a_task(ray_address: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(examples()[0], "fleet.md", "exec"), {})

    went, saw = (json.loads(line) for line in capsys.readouterr().out.splitlines()[-2:])
    assert went["title"] == "Example"
    assert saw["title"] == "Example"


@pytest.mark.chromium
def test_the_supervisor_of_a_task_is_called_from_afar(ray_address: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(examples()[1], "fleet.md", "exec"), {})

    assert capsys.readouterr().out.splitlines()[-2:] == ["Example", "()"]


@pytest.mark.chromium
def test_a_shared_fleet_is_joined_by_its_name(ray_address: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Fleet(name="shop", hosts=Hosts(least=0)) as first:
        first.dispatch("browser_snapshot", {}, task_id="t1")
        exec(compile(examples()[2], "fleet.md", "exec"), {})

    assert re.search(r"^t1 placed host-1-\w+$", capsys.readouterr().out, flags=re.MULTILINE)
    with pytest.raises(NoSuchFleet):
        Fleet.attach("shop")
