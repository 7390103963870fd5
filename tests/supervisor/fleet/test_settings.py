"""Settings of a fleet that are not allowed are refused when they are made, by name."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor import InvalidConfig
from supervisor.fleet.settings import Hosts, Limits


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (Hosts, "least", -1),
        (Hosts, "tasks", 0),
        (Hosts, "most", "many"),
        (Limits, "ttl_s", -1.0),
        (Limits, "queue_s", "1"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_name(kind: type[Any], name: str, value: object) -> None:
    with pytest.raises(InvalidConfig, match=name):
        kind(**{name: value})


def test_most_hosts_may_be_left_to_the_cluster() -> None:
    assert (Hosts(most=None).most, Hosts(most=3).most) == (None, 3)
