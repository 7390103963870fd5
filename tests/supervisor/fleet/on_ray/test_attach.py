"""`Fleet.attach`: a second program joins a fleet."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from supervisor.fleet import Fleet, Hosts, NoSuchFleet
from supervisor.fleet.on_ray.cluster import find_directory
from supervisor.fleet.on_ray.ray_api import ray


def test_a_fleet_whose_directory_is_being_started_again_is_joined(ray_address: str) -> None:
    fleet = Fleet(hosts=Hosts(least=0), name="restarts", detached=True)
    os.kill(process_of(find_directory("restarts")), signal.SIGKILL)

    again = Fleet.attach("restarts")

    assert again.status().name == "restarts"
    again.close()
    fleet.stop()


def test_a_fleet_that_is_not_there_is_not_joined(ray_address: str) -> None:
    with pytest.raises(NoSuchFleet, match="no fleet 'nowhere' runs"):
        Fleet.attach("nowhere")


def process_of(actor: Any) -> int:
    pid: int = ray.get(actor.__ray_call__.remote(_own_pid))
    return pid


def _own_pid(_: object) -> int:
    return os.getpid()
