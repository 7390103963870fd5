"""What Ray 2.60 says of an actor that has ended, and what is told of it."""

from __future__ import annotations

import pytest
from ray.exceptions import RayActorError

from supervisor.addons.fleet.on_ray.outcomes import end_of
from supervisor.addons.fleet.placement.clients import HostExit

DIED = "The actor died unexpectedly before finishing this task.\n\tclass_name: HostActor\n\tip: 192.0.2.2\n"
KILLED = (
    "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker "
    "unexpectedly exits with a connection error code 2. End of file. Some common causes include: (1) the process was "
    "killed by the OOM killer due to high memory usage, (2) ray stop --force was called, or (3) the worker crashed "
    "unexpectedly. If the process was killed by the kernel OOM killer (verifiable by checking for OOM in dmesg of the "
    "OOMing node), consider enabling resource isolation to prevent node deaths by resource contention."
)
STOPPED = "The actor is dead because it was killed by `ray.kill`."
LOST = (
    "The actor died because its node has died. Node Id: b748\n\tthe actor's node was terminated unexpectedly: health "
    "check failed due to missing too many heartbeats"
)


@pytest.mark.parametrize(
    ("text", "reason", "is_certain"),
    [
        (KILLED, "its host's process ended", True),
        ("", "its host's process ended", False),
        (STOPPED, "its host was stopped", False),
        (LOST, "its machine was lost", False),
    ],
)
def test_the_reason_says_what_was_lost_and_whether_that_is_certain(text: str, reason: str, is_certain: bool) -> None:
    assert end_of(RayActorError(error_msg=DIED + text)) == HostExit(reason, is_certain=is_certain)
