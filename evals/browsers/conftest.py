"""Browsers of the matrix for tests that ask one of them something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evals.browsers.catalogue import BROWSERS
from evals.browsers.starting import Started, started
from tests.support.stages.stage_names import REAL_STAGES

INSPECTORS = [name for name in REAL_STAGES if name in BROWSERS and BROWSERS[name].kind in ("node", "deno")]
BROWSERS_WITH_PAGES = [name for name in REAL_STAGES if name not in INSPECTORS]

collect_ignore = [
    *([] if INSPECTORS else ["test_inspectors.py"]),
    *([] if BROWSERS_WITH_PAGES else ["test_pages.py"]),
]


@pytest.fixture(params=INSPECTORS)
def inspector(request: pytest.FixtureRequest, no_leaks: None) -> Iterator[Started]:
    """A program with an inspector, and without pages."""
    with started(request.param) as running:
        yield running


@pytest.fixture(params=BROWSERS_WITH_PAGES)
def page_browser(request: pytest.FixtureRequest, no_leaks: None) -> Iterator[Started]:
    """A browser of the test's own."""
    with started(request.param) as running:
        yield running
