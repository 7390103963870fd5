"""A cluster that cannot be used is told in one sentence. What Ray raises is as Ray 2.60 raised it."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from ray.exceptions import AuthenticationError

from supervisor.addons.fleet import Fleet, FleetError
from supervisor.addons.fleet.on_ray.ray_api import ray

WHERE = "192.0.2.1:6379"
REFUSED = """Failed to connect to GCS. Last connection error: Traceback (most recent call last):
  File "python/ray/includes/common.pxi", line 119, in ray._raylet.check_status
ray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: Authentication token is missing or incorrect."""


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
