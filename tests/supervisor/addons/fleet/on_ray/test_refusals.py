"""Settings and clusters that a fleet cannot have are refused in a sentence. What Ray raises is that of Ray 2.60."""

from __future__ import annotations

import ssl
from typing import Any
from unittest.mock import Mock

import pytest
from ray.exceptions import AuthenticationError

from supervisor import Config, InvalidConfig
from supervisor.addons.fleet import Fleet, FleetError, Hosts
from supervisor.addons.fleet.on_ray.ray_api import ray
from supervisor.tools import Policy

ENDPOINT = "ws://127.0.0.1:9/devtools/browser/1"
WHERE = "192.0.2.1:6379"
REFUSED = """Failed to connect to GCS. Last connection error: Traceback (most recent call last):
  File "python/ray/includes/common.pxi", line 119, in ray._raylet.check_status
ray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: Authentication token is missing or incorrect."""
PROXY = {"own_context": True, "context_proxy": "http://10.0.0.7:3128"}


@pytest.mark.parametrize(
    ("settings", "policy", "refused", "expected"),
    [
        ({"ssl": ssl.create_default_context()}, Policy(), "ssl='an SSLContext'", "none in a fleet"),
        ({"scope": "tab", "target_id": "T1"}, Policy(), "scope='tab'", "browser or own in a fleet"),
        ({}, Policy(approve=("*",)), "approve=.*", "none in a fleet: its hosts ask no person"),
        (PROXY, Policy(deny_private=True), "context_proxy=.*", "none under a policy with URL rules"),
    ],
    ids=["cannot be sent", "has no meaning", "asks a person", "behind a proxy"],
)
def test_what_a_fleet_cannot_have_is_refused(
    settings: dict[str, Any], policy: Policy, refused: str, expected: str
) -> None:
    for config in (settings, Config(cdp_url=ENDPOINT, **settings)):
        with pytest.raises(InvalidConfig, match=f"^{refused} is not allowed; expected {expected}") as error:
            Fleet(config, policy=policy, hosts=Hosts(tasks=1), address="ray://nowhere.invalid:1")  # type: ignore[arg-type]  # as a config file has them

        assert "10.0.0.7" not in str(error.value)


@pytest.mark.parametrize(
    "policy", [Policy(deny_private=True), Policy(allow_origins=("https://a.example",)), Policy(deny_origins=("*",))]
)
def test_url_rules_are_refused_where_tasks_share_a_browser(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", Mock(side_effect=ConnectionError("not there")))

    for config in (None, Config(cdp_url=ENDPOINT)):
        with pytest.raises(InvalidConfig, match=r"^tasks=20 is not allowed; expected 1 under a policy with URL rules"):
            Fleet(config, policy=policy)
        with pytest.raises(FleetError, match="not there"):
            Fleet(config, policy=policy, hosts=Hosts(tasks=1), address=WHERE)
        with pytest.raises(FleetError, match="not there"):
            Fleet(config, policy=Policy(deny_methods=("Storage.*",)), address=WHERE)


@pytest.mark.parametrize(
    ("error", "cause", "told"),
    [
        (ConnectionError("Failed to connect"), RuntimeError(REFUSED), "asks for its token: set RAY_AUTH_MODE=token, "),
        (AuthenticationError("no token\nwas found"), None, "asks for its token: set RAY_AUTH_MODE=token, "),
        (ConnectionError("Failed to connect\nat all"), RuntimeError("timed out"), "cannot be used: Failed to connect$"),
    ],
    ids=["token-off", "no-token", "not-there"],
)
def test_why_a_cluster_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, error: Exception, cause: Exception | None, told: str
) -> None:
    error.__cause__ = cause
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", Mock(side_effect=error))

    with pytest.raises(FleetError, match=f"^the Ray cluster at {WHERE} {told}"):
        Fleet(address=WHERE)


def test_ray_client_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    told = r"^a fleet cannot be used over Ray Client \(ray://\): start the program on a node of the cluster$"
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(FleetError, match=told):
        Fleet(address="ray://127.0.0.1:10001")
    monkeypatch.setenv("RAY_ADDRESS", "ray://127.0.0.1:10001")
    with pytest.raises(FleetError, match=told):
        Fleet()
    monkeypatch.delenv("RAY_ADDRESS")
    monkeypatch.setattr(ray.util.client.ray, "is_connected", lambda: True)
    with pytest.raises(FleetError, match=told):
        Fleet.attach("any")
