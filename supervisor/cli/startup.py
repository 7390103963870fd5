"""Waiting until a supervisor that has just started knows what there is."""

from __future__ import annotations

import contextlib
import time

from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.facade import CDPSupervisor

QUIET_S, MOST_S = 0.25, 3.0
"""So long nothing may change, and so long is waited at most: a page may never be quiet."""


def settled(supervisor: CDPSupervisor) -> SupervisorSnapshot:
    """The snapshot after pages have said whether they respond and nested frames have been attached."""
    ends = time.monotonic() + MOST_S
    with contextlib.suppress(TimeoutError):
        supervisor.wait_for(_knows_its_pages, timeout_s=MOST_S)
    while time.monotonic() < ends:
        try:
            supervisor.wait_for_change(since=supervisor.snapshot().cursor, timeout_s=QUIET_S)
        except TimeoutError:
            break
    return supervisor.snapshot()


def _knows_its_pages(now: SupervisorSnapshot) -> bool:
    return all(page.status != "attaching" for page in now.pages)
