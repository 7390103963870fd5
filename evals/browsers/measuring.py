"""Plays the scenarios on one browser, and counts."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias
from xml.etree import ElementTree

from msgspec import Struct

from evals.browsers.capabilities import measure
from evals.browsers.catalogue import BROWSERS
from evals.browsers.starting import started

__all__ = ["GROUPS", "Count", "Measured", "measure_browser"]

ROOT = Path(__file__).parents[2]

GROUPS = {
    "test_scenarios_dialogs": "dialogs",
    "test_scenarios_rules": "dialogs that answer themselves",
    "test_scenarios_leaving": "ways out of a page that is stuck",
    "test_scenarios_bridge": "the bridge",
    "test_scenarios_bridged_pages": "pages under the bridge",
    "test_scenarios_frames": "frames and calls",
    "test_scenarios_tabs": "tabs",
    "test_scenarios_sessions": "pages with several sessions",
    "test_scenarios_life": "consoles, crashes, start and stop",
    "test_scenarios_feed": "changes, file choosers, downloads, breakpoints",
    "test_scenarios_logins": "HTTP logins",
    "test_scenarios_url_rules": "where pages may go",
    "test_reconnecting": "reconnecting",
    "test_round_trips": "round trips at the start",
    "test_recorder": "flight recorder",
    "test_threads": "many threads",
    "test_browser_tools": "tools",
    "test_contract": "what every tool promises",
    "test_policy": "the tools' policy",
    "test_pages": "a page's own websocket",
    "test_inspectors": "an inspector without pages",
}
"""Rows of the table, by the files of their scenarios."""

OTHERS = "others"


class Count(Struct, frozen=True):
    """The numbers of scenarios of a group that passed, that failed as expected, and that failed."""

    passed: int = 0
    expected: int = 0
    failed: int = 0


class Measured(Struct, frozen=True):
    """A column of the table."""

    date: str
    version: str
    capabilities: dict[str, str]
    scenarios: dict[str, Count]
    failures: dict[str, str]
    """The tests that failed and should not, each with how it ended."""


Outcome: TypeAlias = str


def measure_browser(name: str) -> Measured:
    """All scenarios, and all questions, on one browser. It takes minutes."""
    with started(name) as running:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{running.http_url}/json/version", timeout=10) as response:
            version = str(json.load(response)["Browser"])
    scenarios, failures = _play(name)
    capabilities = asyncio.run(measure(lambda: started(name)))
    return Measured(datetime.now(UTC).date().isoformat(), version, capabilities, scenarios, failures)


def _play(name: str) -> tuple[dict[str, Count], dict[str, str]]:
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", f"--junitxml={report}"]
        # An inspector has no pages: a supervisor says so, and all that can be played is the client's.
        has_pages = BROWSERS[name].kind not in ("node", "deno")
        selection = ["-k", f"[{name}", *(["tests/supervisor"] if has_pages else []), "evals/browsers"]
        environment = {**os.environ, "CDP_TYPED_STAGES": name}
        done = subprocess.run(
            [*command, *selection], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    counts: dict[str, Count] = {}
    failures: dict[str, str] = {}
    for case in cases:
        module = case.attrib["classname"].rpartition(".")[2]
        group = GROUPS.get(module, OTHERS)
        outcome = _outcome(case)
        before = counts.get(group, Count())
        counts[group] = Count(
            before.passed + (outcome == "passed"),
            before.expected + (outcome == "expected"),
            before.failed + (outcome == "failed"),
        )
        if outcome == "failed":
            failures[f"{module}::{case.attrib['name']}"] = _last_words(case)
    return counts, failures


def _last_words(case: ElementTree.Element) -> str:
    ends = [*case.findall("failure"), *case.findall("error")]
    return re.sub(r"\s+", " ", ends[0].get("message") or "")[:300]


def _outcome(case: ElementTree.Element) -> Outcome:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "expected" if case.find("skipped") is not None else "passed"
