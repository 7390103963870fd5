"""Tasks on many machines, on a Ray cluster: `Fleet` in place of `Toolbox`. Needs the extra `ray`.

from supervisor.addons.fleet import Fleet

with Fleet() as fleet:                                   # each host launches a Chromium
    fleet.dispatch("browser_navigate", {"url": "https://example.com"}, task_id="t1")
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cdp_typed._lazy import lazy_one_by_one
from supervisor.saved_state.checkpoint_values import Checkpoint

from .errors import (
    CutOff,
    DriverSilent,
    FleetError,
    FleetFull,
    FleetStopped,
    HostLost,
    NoSuchFleet,
    NoSuchRecording,
    NoSuchTask,
    NotPlaced,
    NotRecorded,
    OtherVersion,
    RollStopped,
    TaskRestarted,
    TooManyCalls,
)
from .remote import RemoteSupervisor
from .remote_calls import ChangesLost
from .settings import Hosts, Limits
from .values import FleetStatus, HostFacts, HostReport, HostStatus, RecordingInfo, TaskLoad, TaskStatus

if TYPE_CHECKING:
    from .fleet import Fleet
    from .on_ray.cluster import fleet_names

# They import Ray, which takes a second and is an extra; hosts and the directory work without it.
_get, _names = lazy_one_by_one(
    globals(), {"Fleet": "supervisor.addons.fleet.fleet", "fleet_names": "supervisor.addons.fleet.on_ray.cluster"}
)
__getattr__: Callable[[str], Any] = _get
__dir__: Callable[[], list[str]] = _names

__all__ = [
    "ChangesLost",
    "Checkpoint",
    "CutOff",
    "DriverSilent",
    "Fleet",
    "FleetError",
    "FleetFull",
    "FleetStatus",
    "FleetStopped",
    "HostFacts",
    "HostLost",
    "HostReport",
    "HostStatus",
    "Hosts",
    "Limits",
    "NoSuchFleet",
    "NoSuchRecording",
    "NoSuchTask",
    "NotPlaced",
    "NotRecorded",
    "OtherVersion",
    "RecordingInfo",
    "RemoteSupervisor",
    "RollStopped",
    "TaskLoad",
    "TaskRestarted",
    "TaskStatus",
    "TooManyCalls",
    "fleet_names",
]
