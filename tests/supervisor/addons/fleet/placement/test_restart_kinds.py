"""Every ordinary reason for which a task begins anew has a kind of its own in the metrics."""

from __future__ import annotations

import pytest

from supervisor.addons.fleet.hosting.lease_keeper import CUT_OFF
from supervisor.addons.fleet.instruments import restart_kind
from supervisor.addons.fleet.placement.drains import DRAINED
from supervisor.addons.fleet.placement.endings import ENDED, ENDED_IT


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (ENDED, "process"),
        (ENDED_IT, "lease"),
        (DRAINED, "drain"),
        (CUT_OFF, "cut off"),
        ("it was silent", "cut off"),
        ("it was not called for 600 s", "lease"),
        ("its browser died three times within a minute", "browser"),
        ("its browser ended (it did not answer for 30 s)", "browser"),
        ("the connection to its browser was lost", "browser"),
        ("its host's process ended", "process"),
        ("its host was stopped", "stopped"),
        ("its machine was lost", "machine"),
        ("what nobody has thought of", "other"),
    ],
)
def test_a_reason_has_a_kind(reason: str, kind: str) -> None:
    assert restart_kind(reason) == kind
