"""Settings of a fleet that are not allowed are refused when they are made, by name."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor import Config, InvalidConfig
from supervisor.addons.fleet.settings import Hosts, Limits, Plan, differences
from supervisor.tools import Policy


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (Hosts, "least", -1),
        (Hosts, "tasks", 0),
        (Hosts, "most", 0),
        (Hosts, "most", "many"),
        (Hosts, "idle_s", "soon"),
        (Hosts, "memory", 0),
        (Limits, "ttl_s", -1.0),
        (Limits, "calls_per_task", 0),
        (Limits, "queue_s", "1"),
        (Limits, "queue_s", float("nan")),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_name(kind: type[Any], name: str, value: object) -> None:
    with pytest.raises(InvalidConfig) as refused:
        kind(**{name: value})

    assert str(refused.value).startswith(f"{name}={value!r} is not allowed; expected ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("kind", "name", "meant"), [(Hosts, "task", "tasks"), (Limits, "queues", "queue_s")])
def test_a_setting_that_does_not_exist_says_which_one_is_meant(kind: type[Any], name: str, meant: str) -> None:
    with pytest.raises(InvalidConfig, match=rf"^{name}=1 is not .* did you mean '{meant}'\?$"):
        kind(**{name: 1})


def test_a_driver_that_joins_learns_which_of_its_settings_do_not_hold() -> None:
    running = Plan(name="shop", hosts=Hosts(tasks=5), settings={"dialog_policy": "auto_accept"}, tools=["browser_tabs"])

    assert differences(Plan(name="shop"), running) == []
    assert differences(running, running) == []
    wanted = Plan(
        name="shop",
        hosts=Hosts(tasks=4, least=0),
        limits=Limits(ttl_s=60),
        policy=Policy(deny_private=True),
        settings={"dialog_policy": "must_respond"},
        tools=["browser_tabs", "browser_cdp"],
    )
    assert differences(wanted, running) == [
        "hosts.least",
        "hosts.tasks",
        "limits.ttl_s",
        "policy.deny_private",
        "dialog_policy",
        "tool browser_cdp",
    ]
    url = "http://10.0.0.5:9222"
    with_header = Plan(name="shop", config=Config(cdp_url=url, headers={"X-Key": "secret"}))
    assert differences(with_header, running) == ["cdp_url"]
    assert differences(with_header, Plan(name="shop", config=Config(cdp_url=url))) == ["headers"]
