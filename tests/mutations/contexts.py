"""A pytest plugin for a run under coverage: which lines a test and its programs run, and how long it takes."""

from __future__ import annotations

import base64
import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

_CONFIG: Final = "COVERAGE_PROCESS_CONFIG"
_seconds: defaultdict[str, float] = defaultdict(float)
_not_green: set[str] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Record under the test's name what it and its programs run from here on."""
    running = Coverage.current()
    assert running is not None
    running.switch_context(item.nodeid)
    config = json.loads(base64.b64decode(os.environ[_CONFIG])) | {"context": item.nodeid}
    os.environ[_CONFIG] = base64.b64encode(json.dumps(config).encode()).decode()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count how long each test takes, and which cannot judge a fault."""
    _seconds[report.nodeid] += report.duration
    if not report.passed:
        _not_green.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the seconds of the tests that passed beside the data of coverage."""
    if not hasattr(session.config, "workerinput"):
        green = {test: seconds for test, seconds in _seconds.items() if test not in _not_green}
        running = Coverage.current()
        assert running is not None
        Path(str(running.get_option("run:data_file"))).with_suffix(".json").write_text(json.dumps(green))
