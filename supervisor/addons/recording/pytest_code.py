"""A run as a pytest test that uses this library's own tools."""

from __future__ import annotations

from .literals import INDENT, Raw, python
from .steps import Code, Run, RunStep

_TEMPLATE = '''"""A recorded run, as a test for pytest. It needs cdp-typed and a local Chromium."""

import json
import os
import time

from cdp_typed.launch import launch
from supervisor import Config
from supervisor.tools import Toolbox

WAIT_S = 10
"""Seconds that an element has to appear, and that a check has to hold."""
NOT_YET = ("AmbiguousLocator", "NoDialogOpen", "NotLocated", "NotShown", "StaleRef")


def test_NAME():
    with launch() as browser, Toolbox(Config(cdp_url=browser.ws_url), toolsets=TOOLSETS) as box:

        def step(tool, **arguments):
            end = time.monotonic() + WAIT_S
            while True:
                result = json.loads(box.dispatch(tool, arguments))
                is_early = result.get("error_type") in NOT_YET or result.get("holds") is False
                if not is_early or time.monotonic() > end:
                    assert result["success"] and result.get("holds", True), result
                    return result
                time.sleep(0.2)

STEPS
'''


def pytest_code(run: Run) -> Code:
    """The code, which takes secrets from the environment."""
    verifies = any(step.tool == "browser_verify" for step in run.steps)
    toolsets = ["browser", "browser-verify"] if verifies else ["browser"]
    lines, left_out = _PytestWriter(run).written()
    body = "\n".join(f"{INDENT * 2}{line}" for line in lines or ["pass"])
    text = _TEMPLATE.replace("NAME", run.name.translate(str.maketrans("-.", "__")), 1)
    text = text.replace("TOOLSETS", python(toolsets), 1).replace("STEPS", body, 1)
    return Code(text=text, left_out=tuple(left_out))


class _PytestWriter:
    def __init__(self, run: Run) -> None:
        self._run = run
        wanted = {step.arguments["target_id"] for step in run.steps if "target_id" in step.arguments}
        ids = dict.fromkeys((run.steps[0].page_id if run.steps else "", *(i for s in run.steps for i in s.opened)))
        self._tabs = {target_id: f"tab{number}" for number, target_id in enumerate(ids) if target_id in wanted}

    def written(self) -> tuple[list[str], list[str]]:
        lines: list[str] = []
        left_out: list[str] = []
        if self._run.steps and (first := self._tabs.get(self._run.steps[0].page_id)):
            tabs = 'step("browser_tabs")["tabs"]'
            lines.append(f'{first} = next(tab["target_id"] for tab in {tabs} if tab.get("is_current"))')
        for number, step in enumerate(self._run.steps, 1):
            if "target_id" in step.arguments and step.arguments["target_id"] not in self._tabs:
                left_out.append(f"step {number}: its tab was open before the recording")
                continue
            lines += self._lines(step)
        return lines, left_out

    def _lines(self, step: RunStep) -> list[str]:
        given = dict(step.arguments)
        if "target_id" in given:
            given["target_id"] = Raw(self._tabs[given["target_id"]])
        call = f"step({', '.join([python(step.tool), *(f'{name}={python(value)}' for name, value in given.items())])})"
        named = [(index, self._tabs[opened]) for index, opened in enumerate(step.opened) if opened in self._tabs]
        if not named:
            return [call]
        if step.tool == "browser_tabs":
            return [f'{named[0][1]} = {call}["opened"]']
        return [f'opened = {call}["opened"]', *(f"{name} = opened[{index}]" for index, name in named)]
