"""The example of the section on tabs in docs/supervisor.md runs, on the mock and on real Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from supervisor import CDPSupervisor
from tests.support.stages.stages import Stage

PAGE = (Path(__file__).parents[2] / "docs" / "supervisor.md").read_text(encoding="utf-8")
TABS = PAGE[PAGE.index("\n## Tabs\n") :]


def test_the_example_with_tabs_and_frames(stage: Stage, supervisor: CDPSupervisor) -> None:
    example = re.findall(r"```python\n(.*?)```", TABS, flags=re.DOTALL)[0]
    names: dict[str, Any] = {"supervisor": supervisor, "site": stage.own}

    exec(compile(example, "supervisor.md", "exec"), names)

    assert names["title"] == "Inner"
    current = next(info for info in supervisor.snapshot().pages if info.is_current)
    assert current.target_id == names["before"][0].target_id != names["opened"].target_id
